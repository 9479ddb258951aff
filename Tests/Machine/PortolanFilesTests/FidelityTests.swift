import CPortolanLinux
import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Preservation of a file's other properties, and the loss of those that cannot be kept.
@Suite(.aside) struct FidelityTests {
    let temporary = TemporaryFolder.inMemory()

    @Test func holesTakeNoSpace() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.receive(nil, called: name("sparse"), keeping: .sparse, asking: false)
        let size: UInt64 = 100 << 30
        try partial.add(root: .file(size: size))
        try partial.hole(0, at: 4096, length: size - 8192)
        try partial.write(0, at: size - 4096, String(repeating: "z", count: 4096))
        try partial.write(0, at: 0, String(repeating: "a", count: 4096))
        try partial.finish(0, size: size)
        #expect(try partial.publish(as: name("sparse")).bytes == size)
        let stored = try #require(status(of: inbox.path + "/sparse"))
        #expect(stored.size == size && stored.allocated < 1 << 20)
    }

    @Test func formerDataUnderAHoleReadsAsZeros() throws {
        let inbox = try temporary.inbox()
        let bytes = Shipment.noise(1 << 20, 1)
        let shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        var first = shipment
        first.patience = 4
        let partial = try inbox.receive(shipment.about("file"), called: name("file"), asking: true)
        #expect(throws: Shipment.Interrupted.self) { try first.send(to: partial) }
        partial.suspend()
        // The sender has zeros there now, and did not touch the time.
        let again = try inbox.receive(shipment.about("file"), called: name("file"), asking: true)
        guard
            case .compare(let blocks) = try again.add(
                TreeEntry(
                    index: 0, parent: 0, name: name("file"), kind: .file(size: 1 << 20), permissions: 0o644,
                    modified: someTime))
        else {
            Issue.record("nothing was kept")
            return
        }
        #expect(!blocks.isEmpty)
        try again.hole(0, at: 0, length: 1 << 20)
        try again.finish(0, size: 1 << 20)
        _ = try again.publish(as: name("file"))
        #expect(content(of: inbox.path + "/file") == [UInt8](repeating: 0, count: 1 << 20))
    }

    @Test func holeClearsUnrecordedBytes() throws {
        let inbox = try temporary.inbox()
        let pieces = ByteRanges.limit + 100
        let size = UInt64(pieces) * 8192
        let file = TreeEntry(
            index: 0, parent: 0, name: try name("file"), kind: .file(size: size), permissions: 0o644, modified: someTime
        )
        let about = try Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file([]))]).about("file")
        let partial = try inbox.receive(about, called: name("file"), asking: true)
        try partial.add(file)
        let block = [UInt8](repeating: 7, count: Int(BlockDigest.blockSize))
        try block.withUnsafeBytes { try partial.write(0, at: 0, $0) }
        partial.suspend()
        // More pieces of data between holes than a receiver lists.
        let item = "\(inbox.path)/" + (try #require(names(in: inbox.path).first)) + "/item"
        let descriptor = open(item, O_WRONLY)
        for piece in 0..<pieces { #expect(pwrite(descriptor, "x", 1, off_t(piece) * 8192) == 1) }
        close(descriptor)
        let again = try inbox.receive(about, called: name("file"), asking: true)
        #expect(try again.add(file) != .content)
        try again.hole(0, at: 0, length: size)
        try again.finish(0, size: size)
        _ = try again.publish(as: name("file"))
        #expect(content(of: inbox.path + "/file")?.allSatisfy { $0 == 0 } == true)
    }

    @Test func extendedAttributesAreStored() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        let attribute = try #require(FileAttribute(name: Array("colour".utf8), value: [1, 2, 0, 255]))
        for (index, kind) in [TreeEntry.Kind.folder, .file(size: 1)].enumerated() {
            try partial.add(
                TreeEntry(
                    index: UInt32(index), parent: 0, name: name("x"), kind: kind, permissions: 0o500,
                    modified: someTime, attributes: [attribute]))
        }
        try partial.content(1, "x")
        let stored = try partial.publish(as: name("x"))
        for path in ["x", "x/x"] where stored.report.isComplete {
            var value = [UInt8](repeating: 9, count: 16)
            #expect(portolan_get_attribute_of_path("\(inbox.path)/\(path)", "user.colour", &value, 16) == 4)
            #expect(Array(value.prefix(4)) == [1, 2, 0, 255])
        }
        if !stored.report.isComplete { print("the file system of \(inbox.path) keeps no attributes") }
        #expect(stored.report.omissions.allSatisfy { $0.reason == .attributes })
    }

    @Test func hardLinksAreOneFile() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.folder(0)
        try partial.add(1, "first", .file(size: 3), isLinkTarget: true)
        // Before its content has arrived.
        try partial.add(2, "second", .hardLink(to: 1))
        try partial.content(1, "abc")
        try partial.folder(3, in: 0, "sub")
        try partial.add(4, in: 3, "third", .hardLink(to: 1))
        #expect(try partial.publish(as: name("tree")).report.isComplete)
        let found = ["first", "second", "sub/third"].map { status(of: "\(inbox.path)/tree/\($0)") }
        #expect(Set(found.map { $0?.identity }).count == 1 && found[0]?.links == 3)
        #expect(content(of: inbox.path + "/tree/sub/third") == Array("abc".utf8))
        #expect(status(of: inbox.path + "/tree/sub")?.modified == someTime)
    }

    @Test func linkToAFailedFileIsOmitted() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.folder(0)
        try partial.add(1, "first", .file(size: 3), isLinkTarget: true)
        try partial.add(2, "second", .hardLink(to: 1))
        try partial.write(1, at: 0, "ab")
        try partial.leaveOut(1, because: .changed)
        let stored = try partial.publish(as: name("tree"))
        #expect(stored.report.omitted == 2 && stored.entries == 1)
        #expect(names(in: inbox.path + "/tree").isEmpty)
    }

    @Test func linksToIncompleteFilesAreLimited() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        for index in 1...2 as ClosedRange<UInt32> {
            try partial.add(index, "\(index)", .file(size: 3), isLinkTarget: true)
        }
        let last = UInt32(PartialItem.maximumUnfinishedLinks) + 2
        for index in 3...last { try partial.add(index, "\(index)", .hardLink(to: 1 + index % 2)) }
        #expect(kind { try partial.add(last + 1, "one too many", .hardLink(to: 1)) } == .malformedTree)
        partial.discard()
    }

    @Test(arguments: ["mode", "hard links"])
    func lossOfARequiredPropertyFailsTheItem(_ what: String) throws {
        var kernel = KernelFeatures.detected
        kernel.hardLinks = false
        let inbox = try temporary.inbox(features: kernel)
        let required: Fidelity = what == "mode" ? .mode : .hardLinks
        let partial = try inbox.receive(nil, called: name("tree"), keeping: required, asking: false)
        let thrown = kind {
            if what == "mode" {
                // No umask of a test lets everyone write.
                try partial.add(0, "tree", .folder, permissions: 0o777)
                print("skipped: this umask takes nothing away")
                throw FileError(.fidelity, "")
            }
            try partial.folder(0)
            try partial.add(1, "a", .file(size: 1), isLinkTarget: true)
            try partial.content(1, "x")
            try partial.add(2, "b", .hardLink(to: 1))
        }
        #expect(thrown == .fidelity)
        partial.discard()
        #expect(names(in: inbox.path).isEmpty)
    }

    @Test func unrepresentableTimeIsReported() throws {
        let inbox = try temporary.inbox(storage: ClampingStorage())
        let shipment = Shipment([Shipment.Entry(parent: 0, name: "tree", kind: .folder)])
        let partial = try inbox.receive(shipment.about("tree"), called: name("tree"), asking: false)
        let times = [-1 << 40, 1 << 40, 5].map { FileTime(timespec(tv_sec: $0, tv_nsec: 0)) }
        try partial.add(0, "tree", .folder, permissions: 0o755, modified: times[0])
        try partial.add(1, "late", .file(size: 1), permissions: 0o444, modified: times[1])
        try partial.content(1, "x")
        try partial.add(2, "usual", .file(size: 1), modified: times[2])
        try partial.content(2, "x")
        try partial.add(3, "link", .symbolicLink(LinkTarget(Array("usual".utf8))), modified: times[0])
        let stored = try partial.publish(as: name("tree"))
        #expect(stored.report.omissions.map(\.reason) == [.modificationTime, .modificationTime, .modificationTime])
        #expect(Set(stored.report.omissions.map(\.shownPath.text)) == ["", "late", "link"])
        let late = try Beneath.open(
            "late", in: Beneath.open("tree", in: inbox.open(), O_RDONLY, features: .detected), O_RDONLY,
            features: .detected)
        // The file counts as received, whatever time its file system stored.
        let keepsMarks = setAttribute(Array("user.probe".utf8), of: temporary.file("probe"), to: [1])
        #expect(ReceivedMark.isTrue(of: late) == keepsMarks)
    }

    @Test func unrepresentableRequiredTimeFailsTheItem() throws {
        let inbox = try temporary.inbox(storage: ClampingStorage())
        let partial = try inbox.receive(nil, called: name("file"), keeping: .modified, asking: false)
        let time = FileTime(timespec(tv_sec: 1 << 40, tv_nsec: 0))
        #expect(
            kind {
                try partial.add(0, "file", .file(size: 1), modified: time)
                try partial.content(0, "x")
            } == .fidelity)
    }

    @Test func reservedSpaceStaysFree() throws {
        let inbox = try temporary.inbox()
        let free = try #require(try inbox.freeSpace())
        let shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file([1]))])
        let about = PartialAbout(
            identity: .test(1), peerName: "", peerFingerprint: "", title: "", name: try name("file"),
            typeIdentifier: "", size: 2 << 20, isFolder: false)
        #expect(
            kind {
                _ = try inbox.receive(about, called: name("file"), reserve: free, asking: false)
            } == .noSpace)
        let partial = try inbox.receive(shipment.about("file"), called: name("file"), reserve: free, asking: false)
        #expect(kind { try partial.add(root: .file(size: 1 << 20)) } == .noSpace)
        partial.discard()
        // The size was not announced, so the space is checked as the bytes come.
        let endless = try inbox.receive(nil, called: name("file"), reserve: free, asking: false)
        try endless.add(root: .file(size: nil))
        let thrown = kind {
            for step in 0..<80 as Range<UInt64> {
                try endless.write(0, at: step << 20, String(repeating: "x", count: 1 << 20))
            }
        }
        #expect(thrown == .noSpace)
        endless.discard()
        #expect(names(in: inbox.path).isEmpty)
    }
}

/// A disk that stores only times within a hundred years, and silently changes others to the nearest such time.
private struct ClampingStorage: PassThroughStorage {
    private func held(_ time: FileTime) -> FileTime {
        let seconds = min(max(time.seconds, 0), 100 * 366 * 86_400)
        return seconds == time.seconds ? time : FileTime(timespec(tv_sec: Int(seconds), tv_nsec: 0))
    }

    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try disk.setModified(held(time), of: file)
    }

    func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure) {
        try disk.setModified(held(time), ofLink: name, in: folder)
    }
}
