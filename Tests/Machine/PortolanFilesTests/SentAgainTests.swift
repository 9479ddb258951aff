import Glibc
import PortolanValues
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// A folder of which some entries cannot be stored in their places, sent again and again: the other entries are
/// updated, each of these is reported each time, and nothing accumulates.
@Suite(.aside, .enabled(if: geteuid() == 0 && SmallDisk.isPermitted, "mounting a small file system needs root"))
struct SentAgainTests {
    private let disk = SmallDisk()
    private static let refusedTime = FileTime(timespec(tv_sec: 1_300_000_000, tv_nsec: 7))
    private let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
    private typealias Entry = Shipment.Entry

    /// Storage that refuses long names, one time, and times of other users' entries, which this process may set as
    /// root.
    private struct BalkyStorage: PassThroughStorage {
        func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
            if name.hasPrefix("long") { throw SystemFailure(ENAMETOOLONG) }
            return try disk.makeFile(name, in: folder, mode: mode)
        }

        func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
            guard time != SentAgainTests.refusedTime, try file.status().owner == geteuid() else {
                throw SystemFailure(EPERM)
            }
            try disk.setModified(time, of: file)
        }
    }

    private func send(_ entries: [Entry], to inbox: Inbox) throws -> (stored: PublishedItem, sent: Int) {
        var shipment = Shipment(entries)
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
        try shipment.send(to: partial)
        return (try partial.publish(as: name("tree")), shipment.sent)
    }

    /// Sends on a thread without privileges, to which permissions apply. The thread has no test context, so it makes no
    /// expectations.
    private func sendWithoutPrivileges(
        _ entries: [Entry], to inbox: Inbox
    ) throws -> (stored: PublishedItem, sent: Int) {
        let outcome = Mutex<(stored: PublishedItem, sent: Int)?>(nil)
        try obeyingPermissions {
            let sent = try send(entries, to: inbox)
            outcome.withLock { $0 = sent }
        }
        let result = outcome.withLock(\.self)
        return try #require(result)
    }

    private func losses(_ stored: PublishedItem) -> Set<String> {
        Set(stored.report.omissions.map { "\($0.shownPath.text) \($0.reason.rawValue)" })
    }

    private func path(_ name: String) -> String { disk.path + "/tree/" + name }

    private func write(_ text: String, to name: String) {
        let file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
    }

    @Test func failingEntriesStopNoOthersAndDoNotAccumulate() throws {
        var first = [
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "foreign", kind: .folder, permissions: 0o777),
            Entry(parent: 0, name: "closed", kind: .folder, permissions: 0o755),
            Entry(parent: 2, name: "inside", kind: .file([1])),
            Entry(parent: 0, name: "link", kind: .folder, permissions: 0o755),
            Entry(parent: 4, name: "inside", kind: .file([2])),
            Entry(parent: 0, name: "immutable", kind: .file([3])),
            Entry(parent: 0, name: "kind", kind: .file([4])),
            Entry(parent: 0, name: "read-only", kind: .file([5])),
            Entry(parent: 0, name: "both", kind: .file([6])),
            Entry(parent: 0, name: "times", kind: .file([7])),
        ]
        for number in 1...190 { first.append(Entry(parent: 0, name: "\(number)", kind: .file([8, 9]))) }
        var changed = first
        for index in [3, 6, 9, 10] {
            changed[index].kind = .file([10, 11])
            changed[index].modified = index == 10 ? Self.refusedTime : later
        }
        changed.append(Entry(parent: 0, name: "long name", kind: .file([])))
        changed.append(Entry(parent: 0, name: "large", kind: .file(Shipment.noise(3 << 20, 1))))
        changed.append(Entry(parent: 0, name: "unreadable", kind: .file([13]), failure: .unreadable))
        changed.insert(Entry(parent: 1, name: "new", kind: .file([12])), at: 2)
        for index in changed.indices.dropFirst(3) where changed[index].parent >= 2 { changed[index].parent += 1 }

        let inbox = try Inbox(
            path: disk.path, createIfMissing: false, features: .detected, storage: BalkyStorage())
        _ = try send(first, to: inbox)
        let nobody: uid_t = 65534
        #expect(chmod(path("foreign"), 0o777) == 0 && chown(path("foreign"), nobody, nobody) == 0)
        #expect(chown(path("closed"), nobody, nobody) == 0)
        #expect(unlink(path("link/inside")) == 0 && rmdir(path("link")) == 0 && symlink("closed", path("link")) == 0)
        #expect(unlink(path("kind")) == 0 && mkdir(path("kind"), 0o755) == 0)
        #expect(chmod(path("read-only"), 0o400) == 0)
        write("mine", to: "both")
        var wrong: Set<String> = [
            "foreign modification-time", "closed/inside not-permitted", "link taken", "immutable not-permitted",
            "kind taken", "read-only mode", "both conflict", "times modification-time", "long name name",
            "large no-space", "unreadable unreadable",
        ]
        if !setImmutable(true, path("immutable")) {
            print("skipped: no immutable files on \(disk.path)")
            wrong.remove("immutable not-permitted")
        }
        defer { _ = setImmutable(false, path("immutable")) }

        var before: [String] = []
        for round in 1...3 {
            let (stored, sent) = try sendWithoutPrivileges(changed, to: inbox)
            #expect(losses(stored) == wrong, "round \(round)")
            #expect(names(in: disk.path) == ["tree"])
            let now = snapshot(of: disk.path)
            if round > 1 {
                #expect(sent == 0 && stored.keptEntries == stored.entries, "round \(round)")
                #expect(now == before)
            }
            before = now
        }
        #expect(content(of: path("foreign/new")) == [12] && content(of: path("both")) == Array("mine".utf8))
        #expect(content(of: path("both (2)")) == [10, 11] && content(of: path("kind (2)")) == [4])
        #expect(content(of: path("link (2)/inside")) == [2] && content(of: path("times")) == [10, 11])
    }

    /// An entry that was stored under another name is updated itself, after any of the seven changes of kind.
    @Test func aChangeOfKindIsRememberedAndNeverStoredThrice() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        func entries(_ kinds: [[Shipment.Kind]], _ version: Int) -> [Entry] {
            var entries = [Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)]
            for (number, kinds) in kinds.enumerated() {
                entries.append(
                    Entry(
                        parent: 0, name: "\(number)", kind: kinds[min(version, 1)], modified: later, permissions: 0o755)
                )
                guard kinds[min(version, 1)] == .folder else { continue }
                entries.append(
                    Entry(
                        parent: UInt32(entries.count - 1), name: "inside", kind: .file([UInt8(version)]),
                        modified: FileTime(timespec(tv_sec: version, tv_nsec: 0))))
            }
            return entries
        }
        let file = Shipment.Kind.file([1])
        let kinds: [[Shipment.Kind]] = [
            [file, .folder], [file, .link("a")], [.folder, file], [.folder, .link("a")], [.link("a"), file],
            [.link("a"), .folder], [.link("a"), .link("b")],
        ]
        _ = try send(entries(kinds, 0), to: inbox)
        let taken = Set(kinds.indices.map { "\($0) taken" })
        for version in [1, 1, 2, 2] {
            let (stored, _) = try send(entries(kinds, version), to: inbox)
            #expect(losses(stored) == taken)
            let both = kinds.indices.flatMap { ["\($0)", "\($0) (2)"] }
            #expect(names(in: disk.path + "/tree").sorted() == both.sorted())
        }
        #expect(content(of: path("0 (2)/inside")) == [2] && content(of: path("5 (2)/inside")) == [2])
        #expect(content(of: path("2/inside")) == [0])
    }

    /// A source that contains a numbered name like the one that is stored beside the blocking entry.
    @Test func numberedNameOfTheSourceIsADifferentFile() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let folder = Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)
        let old = Entry(parent: 0, name: "a", kind: .file([1]))
        _ = try send([folder, old], to: inbox)
        write("mine", to: "a")
        let new = Entry(parent: 0, name: "a", kind: .file([2, 2]), modified: later)
        _ = try send([folder, new], to: inbox)
        let own = Entry(parent: 0, name: "a (2)", kind: .file([3, 3, 3]), modified: later)
        for round in 1...3 {
            let (_, sent) = try send([folder, new, own], to: inbox)
            #expect(round == 1 || sent == 0)
        }
        #expect(content(of: path("a")) == Array("mine".utf8) && content(of: path("a (2)")) == [2, 2])
        #expect(content(of: path("a (2) (2)")) == [3, 3, 3])
        #expect(names(in: disk.path + "/tree").count == 3)
        // Further changes of the source replace the entry that was stored under the other name.
        for value in 4...6 as ClosedRange<UInt8> {
            let next = Entry(
                parent: 0, name: "a", kind: .file([value]), modified: FileTime(timespec(tv_sec: Int(value), tv_nsec: 0))
            )
            _ = try send([folder, next, own], to: inbox)
            #expect(content(of: path("a (2)")) == [value])
        }
        #expect(names(in: disk.path + "/tree").count == 3)
    }

    @Test func withoutTimesNoFileIsStoredTwice() throws {
        let inbox = try Inbox(
            path: disk.path, createIfMissing: false, features: .detected, storage: BalkyStorage())
        let entries = [
            Entry(parent: 0, name: "tree", kind: .folder, modified: Self.refusedTime, permissions: 0o755),
            Entry(parent: 0, name: "a", kind: .file([1]), modified: Self.refusedTime),
            Entry(parent: 0, name: "sub", kind: .folder, modified: Self.refusedTime, permissions: 0o755),
        ]
        for round in 1...3 {
            let (stored, sent) = try send(entries, to: inbox)
            #expect(
                losses(stored) == [" modification-time", "a modification-time", "sub modification-time"]
                    && stored.report.omitted == 3)
            #expect(sent == (round == 1 ? 1 : 0) && names(in: disk.path + "/tree") == ["a", "sub"])
        }
        var shipment = Shipment(entries)
        let partial = try inbox.receive(shipment.about(), called: name("tree"), keeping: .modified, asking: true)
        #expect(kind { try shipment.send(to: partial) } == .fidelity)
        partial.discard()
    }

    @Test func unreadableFolderIsOmittedWithItsContents() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let entries = [
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "sub", kind: .folder, permissions: 0o755),
            Entry(parent: 1, name: "a", kind: .file([1])),
            Entry(parent: 0, name: "z", kind: .file([2])),
        ]
        _ = try send(entries, to: inbox)
        #expect(chown(path("sub"), 65534, 65534) == 0 && chmod(path("sub"), 0o700) == 0)
        var changed = entries
        changed[3].kind = .file([3, 3])
        changed[3].modified = later
        for round in 1...2 {
            let (stored, sent) = try sendWithoutPrivileges(changed, to: inbox)
            #expect(losses(stored) == ["sub not-permitted"] && sent == (round == 1 ? 2 : 0))
        }
        #expect(content(of: path("z")) == [3, 3] && names(in: disk.path + "/tree") == ["sub", "z"])
    }
}
