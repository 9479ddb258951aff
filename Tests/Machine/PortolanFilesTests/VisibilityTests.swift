import CPortolanLinux
import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite(.enabled(if: ExtendedAttributes.areKept, "the file system of /tmp keeps no extended attributes"))
struct StoredVisibilityTests {
    let temporary = TemporaryFolder()

    @Test func unrestrictedFilesHaveNoAttribute() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.file(0, "a", "text")
        _ = try partial.publish(as: name("a"))
        #expect(try StoredVisibility.read(temporary("inbox/a")) == .everyone)
        var value = [UInt8](repeating: 0, count: 32)
        let found = portolan_get_attribute_of_path(temporary("inbox/a"), StoredVisibility.attribute, &value, 32)
        #expect(found < 0 && errno == ENODATA)
    }

    @Test(arguments: [
        Restriction.team(.acme), .group(.acme, "design"), .group(.acme, "print", "Größe", "design"), .nobody,
    ])
    func restrictionIsStoredWithEachFileAndFolder(_ restriction: Restriction) throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial(for: restriction)
        try partial.folder(0)
        try partial.folder(1, in: 0, "sub")
        try partial.file(2, in: 1, "file", "text")
        try partial.link(3, in: 1, "link", to: "file")
        _ = try partial.publish(as: name("tree"))
        for path in ["tree", "tree/sub", "tree/sub/file", "tree/sub/link"] {
            #expect(try StoredVisibility.read("\(inbox.path)/\(path)") == restriction)
        }
        #expect(try StoredVisibility.read(inbox.path) == .everyone)
        // The restriction is stored on the file itself, too: it stays when the file is moved elsewhere.
        #expect(rename("\(inbox.path)/tree/sub/file", temporary("moved")) == 0)
        #expect(try StoredVisibility.read(temporary("moved")) == restriction)
    }

    @Test func restrictionTextHasLevelTeamAndGroupsOnSeparateLines() throws {
        let file = temporary.file("file")
        try keep(.group(.acme, "print", "design"), on: file)
        #expect(attribute(StoredVisibility.attribute, of: file) == "group\n\(Self.acme)\ndesign\nprint")
        try keep(.team(.acme), on: file)
        #expect(attribute(StoredVisibility.attribute, of: file) == "team\n\(Self.acme)")
        try keep(.nobody, on: file)
        #expect(attribute(StoredVisibility.attribute, of: file) == "own-process")
    }

    @Test func eachRestrictionIsReadFromItsTextAndFromNoOther() {
        for restriction in [
            Restriction.everyone, .team(.acme), .group(.acme, "design"), .group(.acme, "a", "b"), .nobody,
        ] {
            let text = RestrictionText.bytes(of: restriction)
            #expect(RestrictionText.restriction(in: text) == restriction)
            // Cut, longer, or with one byte changed, it is no text of a wider restriction.
            for end in text.indices {
                let read = RestrictionText.restriction(in: text[..<end]) ?? .nobody
                #expect(read == .nobody || restriction.visibility == .group && read.visibility == .group)
            }
            for (place, byte) in text.indices.flatMap({ place in [0, 0x0a, 0x61, 0xff].map { (place, $0 as UInt8) } }) {
                var changed = text
                changed[place] = byte
                let read = RestrictionText.restriction(in: changed) ?? .nobody
                #expect(read == restriction || read.visibility >= restriction.visibility, "\(place) \(byte)")
            }
            #expect(RestrictionText.restriction(in: text + [0x0a]) == nil)
        }
    }

    @Test func aReplacedFileIsCoveredByItsFolder() throws {
        let partial = try temporary.inbox().newPartial(for: .team(.acme))
        try partial.folder(0)
        _ = try partial.publish(as: name("tree"))
        let file = temporary.file("inbox/tree/new", "saved by an editor")
        #expect(try StoredVisibility.read(file) == .team(.acme))
        #expect(try SourceTree(path: file, shownTo: .team(.acme)).restriction == .team(.acme))
        #expect(kind { _ = try SourceTree(path: file, shownTo: .team(.other)) } == .keptFromOthers)
    }

    @Test func restrictionsOfFileAndFolderAreCombined() throws {
        temporary.folder("team")
        try keep(.team(.acme), on: temporary("team"))
        let inner = temporary.file("team/file")
        try keep(.group(.acme, "design"), on: inner)
        #expect(try StoredVisibility.read(inner) == .group(.acme, "design"))
        for other in [Restriction.team(.other), .group(.other, "design"), .nobody] {
            try keep(other, on: inner)
            #expect(try StoredVisibility.read(inner) == .nobody)
        }
        try keep(.group(.acme, "sales"), on: temporary("team"))
        try keep(.group(.acme, "design"), on: inner)
        #expect(try StoredVisibility.read(inner) == .nobody)
    }

    @Test(arguments: [
        "nobody", "", "team ", "Team", "all\n", "all ", "own-process\n", "team", "group",
        String(repeating: "x", count: 100),
        String(repeating: "x", count: 300),
    ])
    func anUnknownLevelIsTheStrictest(_ level: String) throws {
        let file = temporary.file("file")
        try keep(.team(.acme), on: file)
        set(StoredVisibility.attribute, of: file, to: Array(level.utf8))
        #expect(try StoredVisibility.read(file) == .nobody)
        #expect(kind { _ = try SourceTree(path: file, shownTo: .team(.acme)) } == .keptFromOthers)
        #expect(kind { _ = try SourceTree(path: file, shownTo: .nobody) } == .keptFromOthers)
    }

    private static let acme = "aeaqcaibaeaqcaibaeaqcaibae"

    @Test(
        arguments: [
            "", "\n", "acme", String(acme.dropLast()), acme + "a", acme.uppercased(), acme + "\0", " " + acme,
            "\n" + acme,
            acme + " ", acme + "\n", acme + "\n\ndesign", acme + "\ndesign\n", acme + "\ndesign\r", acme + "\r\ndesign",
            // The lists are unsorted, with a duplicate, with names equal but for case, with an invalid name, and with a
            // decomposed one.
            acme + "\nprint\ndesign", acme + "\ndesign\ndesign", acme + "\nDesign\ndesign", acme + "\nde/sign",
            acme + "\nde sign", acme + "\nsu\u{308}d", acme + "\n" + String(repeating: "x", count: 64),
            acme + (10...74).map { "\ngroup\($0)" }.joined(),
            acme + String(repeating: "\n" + String(repeating: "x", count: 60), count: 64),
        ])
    func anAudienceThatIsNotExactlyAsItIsWrittenIsNobody(_ text: String) throws {
        let file = temporary.file("file")
        for level in ["team", "group"] {
            set(
                StoredVisibility.attribute, of: file, to: Array("\(level)\n\(text)".utf8), isRequired: text.count < 4000
            )
            #expect(try StoredVisibility.read(file) == .nobody)
        }
    }

    @Test func invalidRestrictionTextMeansNobody() throws {
        let file = temporary.file("file")
        let acme = Array(Self.acme.utf8)
        let texts: [[UInt8]] = [
            // A team with groups, groups without any, an audience that has no level, levels that have no audience.
            Array("team\n".utf8) + acme + Array("\ndesign".utf8), Array("group\n".utf8) + acme, acme,
            acme + Array("\ndesign".utf8), Array("all\n".utf8) + acme, Array("own-process\n".utf8) + acme,
            Array("group\n".utf8) + acme + [0x0a, 0xff],
            Array("group\n".utf8) + acme + Array("\ndesign\n".utf8) + [0xff],
            Array("team\n".utf8) + [0xff], Array("team\n".utf8) + [UInt8](repeating: 0x61, count: 3000),
        ]
        for text in texts {
            set(StoredVisibility.attribute, of: file, to: text)
            #expect(try StoredVisibility.read(file) == .nobody, "\(String(decoding: text, as: UTF8.self))")
        }
        // On a file system that takes as much.
        let large = TemporaryFolder.inMemory()
        let other = large.file("file")
        try keep(.team(.acme), on: other)
        if set(StoredVisibility.attribute, of: other, to: [UInt8](repeating: 0x61, count: 5000), isRequired: false) {
            #expect(try StoredVisibility.read(other) == .nobody)
        }
    }

    @Test func openFileHasItsOwnAndItsFoldersRestriction() throws {
        temporary.folder("team")
        let file = temporary.file("team/file", "x")
        let descriptor = open(file, O_RDONLY)
        defer { close(descriptor) }
        #expect(try StoredVisibility.read(ofOpen: descriptor) == .everyone)
        try keep(.team(.acme), on: temporary("team"))
        #expect(try StoredVisibility.read(ofOpen: descriptor) == .team(.acme))
        try keep(.group(.acme, "design"), on: file)
        #expect(try StoredVisibility.read(ofOpen: descriptor) == .group(.acme, "design"))
        // Its own restriction stays when it is moved, and when it has no name any more.
        #expect(rename(file, temporary("moved")) == 0)
        #expect(try StoredVisibility.read(ofOpen: descriptor) == .group(.acme, "design"))
        #expect(unlink(temporary("moved")) == 0)
        #expect(try StoredVisibility.read(ofOpen: descriptor) == .group(.acme, "design"))
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(try StoredVisibility.read(ofOpen: ends[0]) == .everyone)
        for end in ends { close(end) }
        // The highest number is used, since a descriptor that was just closed may be another test's by now.
        #expect(throws: FileError.self) { _ = try StoredVisibility.read(ofOpen: .max) }
    }

    @Test func outputCombinesOldAndNewRestriction() throws {
        let file = temporary.file("out")
        let output = open(file, O_WRONLY | O_APPEND)
        defer { close(output) }
        #expect(try StoredVisibility.keep(.everyone, onOutput: output))
        #expect(try StoredVisibility.read(file) == .everyone)
        #expect(try StoredVisibility.keep(.team(.acme), onOutput: output))
        #expect(try StoredVisibility.read(file) == .team(.acme))
        // An empty file gets the restriction of the next writes; one with content combines both.
        #expect(try StoredVisibility.keep(.group(.acme, "design"), onOutput: output))
        #expect(try StoredVisibility.read(file) == .group(.acme, "design"))
        #expect(write(output, "x", 1) == 1)
        #expect(try StoredVisibility.keep(.team(.acme), onOutput: output))
        #expect(try StoredVisibility.read(file) == .group(.acme, "design"))
        #expect(try StoredVisibility.keep(.team(.other), onOutput: output))
        #expect(try StoredVisibility.read(file) == .nobody)
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(try !StoredVisibility.keep(.team(.acme), onOutput: ends[1]))
        for end in ends { close(end) }
        onPlainFileSystem { folder in
            let plain = open(folder.file("out"), O_WRONLY)
            defer { close(plain) }
            #expect(kind { _ = try StoredVisibility.keep(.team(.acme), onOutput: plain) } == .visibilityNotKept)
        }
    }

    @Test func tooLargeAttributeIsNotReportedAsAFullDisk() throws {
        let groups = try (0..<Audience.maximumGroups).map { number in
            try GroupName(String(repeating: "g", count: RosterNameError.maximumBytes - 2) + "\(10 + number)")
        }
        let restriction = Restriction(.group, for: try Audience(team: .acme, groups: groups))
        // The file system returns ENOSPC, as ext4 does: for the item itself, and for a file in it.
        for (number, failing) in [(ENOSPC, 0), (ENOSPC, 2), (E2BIG, 0), (ERANGE, 1)] {
            let storage = RefusingStorage(number, after: failing)
            let inbox = try Inbox(
                path: temporary("inbox"), createIfMissing: true, features: .detected, storage: storage)
            let thrown = kind {
                let partial = try inbox.newPartial(for: .team(.acme))
                try partial.folder(0)
                try partial.file(1, in: 0, "a", "text")
                _ = try partial.publish(as: name("tree"))
            }
            #expect(thrown == .visibilityNotKept, "\(number) after \(failing)")
            #expect(names(in: inbox.path).isEmpty)
        }
        // The file system of this machine keeps all of it, or cannot keep it. Another file shows which is true.
        let text = RestrictionText.bytes(of: restriction)
        let fits = set(StoredVisibility.attribute, of: temporary.file("probe"), to: text, isRequired: false)
        let inbox = try temporary.inbox()
        var kept: Restriction?
        let thrown = kind {
            let partial = try inbox.newPartial(for: restriction)
            try partial.file(0, "a", "text")
            _ = try partial.publish(as: name("a"))
            kept = try StoredVisibility.read("\(inbox.path)/a")
        }
        #expect(thrown == (fits ? nil : .visibilityNotKept))
        #expect(kept == (fits ? restriction : nil))
        #expect(names(in: inbox.path) == (fits ? ["a"] : []))
        print("\(text.count) bytes: \(fits ? "kept" : "refused")")
    }

    @Test func largestAudienceIsStored() throws {
        let groups = try (0..<Audience.maximumGroups).map { try GroupName("department-\($0)-of-the-company") }
        let restriction = Restriction(.group, for: try Audience(team: .acme, groups: groups))
        let file = temporary.file("file")
        try keep(restriction, on: file)
        #expect(try StoredVisibility.read(file) == restriction)
    }

    @Test(arguments: WalkMethod.kernels, [false, true])
    func entriesWithANarrowerRestrictionAreOmitted(_ kernel: KernelFeatures, looking: Bool) throws {
        temporary.folder("tree")
        temporary.folder("tree/plans")
        temporary.file("tree/plans/inner", "x")
        for name in ["secret", "theirs", "open"] { temporary.file("tree/\(name)", "x") }
        try keep(.group(.acme, "design", "print"), on: temporary("tree/plans"))
        try keep(.team(.acme), on: temporary("tree/secret"))
        try keep(.team(.other), on: temporary("tree/theirs"))
        func shown(to restriction: Restriction) throws -> [String] {
            let tree = try SourceTree(
                path: temporary("tree"), shownTo: restriction, options: SourceOptions(looking: looking),
                features: kernel)
            var names: [String] = []
            while let next = try tree.next() { names.append(next.entry.name.text) }
            #expect(tree.report.isComplete)
            return names + tree.withheld.entries.map { "-\($0.path)" }
        }
        #expect(try shown(to: .everyone) == ["tree", "open", "-plans", "-secret", "-theirs"])
        #expect(try shown(to: .team(.acme)) == ["tree", "open", "secret", "-plans", "-theirs"])
        #expect(try shown(to: .team(.other)) == ["tree", "open", "theirs", "-plans", "-secret"])
        #expect(
            try shown(to: .group(.acme, "design")) == ["tree", "open", "plans", "inner", "secret", "-theirs"])
        #expect(try shown(to: .group(.acme, "sales")) == ["tree", "open", "secret", "-plans", "-theirs"])
        #expect(kind { _ = try SourceTree(path: temporary("tree/secret")) } == .keptFromOthers)
        #expect(kind { _ = try SourceTree(path: temporary("tree/secret"), shownTo: .team(.other)) } == .keptFromOthers)
        #expect(
            kind { _ = try SourceTree(path: temporary("tree/plans/inner"), shownTo: .team(.acme)) } == .keptFromOthers)
    }

    @Test func fileSystemWithoutAttributesIsRefused() throws {
        try onPlainFileSystem { folder in
            let inbox = try Inbox(path: folder.path, createIfMissing: false)
            for restriction in [Restriction.team(.acme), .group(.acme, "design"), .nobody] {
                #expect(kind { _ = try inbox.newPartial(for: restriction) } == .visibilityNotKept)
                #expect(names(in: folder.path).isEmpty)
            }
            // The files in the folder were never restricted.
            #expect(try StoredVisibility.read(folder.file("b")) == .everyone)
            let partial = try inbox.newPartial()
            try partial.file(0, "a", "text")
            #expect(try partial.publish(as: name("a")).name.text == "a")
        }
    }
}

/// Sets an attribute as any program can.
///
/// - Returns: true if the file system took it.
@discardableResult
private func set(_ name: String, of path: String, to value: [UInt8], isRequired: Bool = true) -> Bool {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let isSet = portolan_set_attribute(file, name, value, UInt64(value.count)) == 0
    #expect(isSet || !isRequired)
    return isSet
}

private func attribute(_ name: String, of path: String) -> String? {
    var value = [UInt8](repeating: 0, count: 8192)
    let length = portolan_get_attribute_of_path(path, name, &value, UInt64(value.count))
    return length < 0 ? nil : String(decoding: value.prefix(Int(length)), as: UTF8.self)
}
