import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Files and folders of an item that fewer people may see than the item.
@Suite(.enabled(if: ExtendedAttributes.areKept, "the file system of /tmp keeps no extended attributes"))
struct RestrictedEntriesTests {
    let temporary = TemporaryFolder()

    private func kept(_ path: String) throws -> Restriction {
        try StoredVisibility.read(Descriptor(owning: open(temporary("inbox/\(path)"), O_RDONLY)))
    }

    /// A folder with restricted files and folders in it, and hard links between them.
    private static func tree() -> Shipment {
        typealias Entry = Shipment.Entry
        return Shipment([
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "open", kind: .file(Shipment.noise(3000, 1))),
            Entry(parent: 0, name: "team", kind: .file(Shipment.noise(200_000, 2)), restriction: .team(.acme)),
            Entry(
                parent: 0, name: "plans", kind: .folder, permissions: 0o755, restriction: .group(.acme, "a", "b")),
            Entry(parent: 3, name: "inner", kind: .file(Shipment.noise(600_000, 3))),
            Entry(parent: 3, name: "wider", kind: .file([1]), restriction: .team(.acme)),
            Entry(parent: 3, name: "narrower", kind: .file([2]), restriction: .group(.acme, "b", "c")),
            Entry(parent: 3, name: "other", kind: .file([3]), restriction: .team(.other)),
            Entry(parent: 3, name: "sub", kind: .folder, permissions: 0o700),
            Entry(parent: 8, name: "empty", kind: .file([]), permissions: 0o444),
            Entry(parent: 8, name: "second team", kind: .hardLink(2)),
            Entry(parent: 0, name: "second inner", kind: .hardLink(4)),
        ])
    }

    private static let expected: [String: Restriction] = [
        "": .everyone, "open": .everyone, "team": .team(.acme), "plans": .group(.acme, "a", "b"),
        "plans/inner": .group(.acme, "a", "b"), "plans/wider": .group(.acme, "a", "b"),
        "plans/narrower": .group(.acme, "b"), "plans/other": .nobody, "plans/sub": .group(.acme, "a", "b"),
        "plans/sub/empty": .group(.acme, "a", "b"), "second inner": .group(.acme, "a", "b"),
    ]

    @Test(arguments: PublishingTests.kernels)
    func entriesStoreTheirRestrictionCombinedWithTheFolders(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        for seed in 1...5 as ClosedRange<UInt64> {
            let name = "tree \(seed)"
            var shipment = Shipment(Self.tree().entries, seed: seed)
            let partial = try inbox.newPartial()
            try shipment.send(to: partial)
            _ = try partial.publish(as: FileName(name))
            for (path, restriction) in Self.expected {
                #expect(try kept(path.isEmpty ? name : "\(name)/\(path)") == restriction, "\(path)")
            }
            // The single file has the restriction of its first name; a copy has the restrictions of both names.
            let second = try kept("\(name)/plans/sub/second team")
            #expect(second == (kernel.hardLinks ? .team(.acme) : .group(.acme, "a", "b")))
            #expect(
                try StoredVisibility.read(temporary("inbox/\(name)/plans/sub/second team")) == .group(.acme, "a", "b"))
        }
    }

    @Test func aRestrictionIsThereBeforeTheFirstByte() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.add(1, "file", .file(size: 10), for: .team(.acme))
        try partial.write(1, at: 0, "01234")
        let workspace = try #require(names(in: temporary("inbox")).first)
        #expect(try kept("\(workspace)/item/file") == .team(.acme))
    }

    // MARK: - Updating

    private func send(_ shipment: inout Shipment, to inbox: Inbox) throws -> PublishedItem {
        let partial = try inbox.receive(shipment.about("tree"), called: FileName("tree"), asking: true)
        try shipment.send(to: partial)
        return try partial.publish(as: FileName("tree"))
    }

    @Test(arguments: PublishingTests.kernels)
    func storedEntriesGetTheSendersPresentRestriction(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        var open = Self.tree()
        for index in open.entries.indices { open.entries[index].restriction = nil }
        _ = try send(&open, to: inbox)
        #expect(try kept("tree/team") == .everyone)
        let before = snapshot(of: inbox.path)

        var restricted = Self.tree()
        let stored = try send(&restricted, to: inbox)
        #expect(restricted.sent == 0 && stored.updated)
        #expect(stored.report.omissions.allSatisfy { $0.reason == .hardLink })
        for (path, restriction) in Self.expected {
            #expect(try kept(path.isEmpty ? "tree" : "tree/\(path)") == restriction, "\(path)")
        }
        #expect(snapshot(of: inbox.path) == before)

        // The former team may not see the file any more.
        var moved = Self.tree()
        moved.entries[2].restriction = .team(.other)
        _ = try send(&moved, to: inbox)
        #expect(moved.sent == 0)
        #expect(try kept("tree/team") == .team(.other))
        // A wider restriction does not replace the stored one: it is unknown who restricted the entry.
        _ = try send(&open, to: inbox)
        #expect(try kept("tree/team") == .team(.other))
        #expect(try kept("tree/plans/other") == .nobody)
    }

    @Test func newVersionHasItsOwnRestriction() throws {
        let inbox = try temporary.inbox()
        var first = Self.tree()
        _ = try send(&first, to: inbox)
        var second = Self.tree()
        second.entries[1].kind = .file(Shipment.noise(4000, 9))
        second.entries[1].restriction = .group(.acme, "c")
        second.entries[1].modified = .now
        second.entries[2].kind = .file(Shipment.noise(4000, 8))
        second.entries[2].restriction = nil
        second.entries[2].modified = .now
        #expect(try send(&second, to: inbox).updated)
        #expect(try kept("tree/open") == .group(.acme, "c"))
        #expect(try kept("tree/team") == .everyone)
    }

    // MARK: - Resuming

    @Test(arguments: [false, true])
    func earlierContentWithAWiderRestrictionIsNotReused(_ isComplete: Bool) throws {
        let inbox = try temporary.inbox()
        var open = Self.tree()
        for index in open.entries.indices { open.entries[index].restriction = nil }
        open.patience = isComplete ? 16 : 14
        let partial = try inbox.receive(open.about("tree"), called: FileName("tree"), asking: true)
        #expect(throws: Shipment.Interrupted.self) { try open.send(to: partial) }
        partial.suspend()
        var restricted = Self.tree()
        _ = try send(&restricted, to: inbox)
        for (path, restriction) in Self.expected {
            #expect(try kept(path.isEmpty ? "tree" : "tree/\(path)") == restriction, "\(path)")
        }
        #expect(snapshot(of: inbox.path) == restricted.expected(as: "tree"))
    }

    @Test func earlierContentWithTheSameRestrictionIsReused() throws {
        let inbox = try temporary.inbox()
        var first = Self.tree()
        let partial = try inbox.receive(first.about("tree"), called: FileName("tree"), asking: true)
        try first.send(to: partial)
        partial.suspend()
        var second = Self.tree()
        _ = try send(&second, to: inbox)
        #expect(second.sent == 0)
        for (path, restriction) in Self.expected {
            #expect(try kept(path.isEmpty ? "tree" : "tree/\(path)") == restriction, "\(path)")
        }
    }

    // MARK: - Where a restriction cannot be kept

    @Test func entryWhoseRestrictionCannotBeStoredIsOmittedAndReported() throws {
        try onPlainFileSystem { folder in
            let inbox = try Inbox(path: folder.path, createIfMissing: false)
            let partial = try inbox.newPartial()
            try partial.folder(0)
            #expect(try partial.add(entry(1, "open", .file(size: 4))) == .content)
            try partial.content(1, "text")
            #expect(try partial.add(entry(2, "team", .file(size: 4), .team(.acme), isLinkTarget: true)) == .nothing)
            #expect(try partial.add(entry(3, "plans", .folder, .team(.acme))) == .nothing)
            #expect(try partial.add(entry(4, in: 3, "inner", .file(size: 4))) == .nothing)
            try partial.link(5, in: 3, "link", to: "inner")
            #expect(try partial.add(entry(6, in: 3, "deeper", .folder)) == .nothing)
            try partial.add(7, in: 6, "second", .hardLink(to: 2))
            try partial.add(8, "third", .hardLink(to: 2))
            try partial.folder(9, "sub")
            try partial.file(10, in: 9, "file", "text")
            let stored = try partial.publish(as: name("tree"))
            #expect(
                stored.report.omissions
                    == ["team", "plans", "third"].map {
                        Loss(path: $0, reason: .visibility)
                    })
            #expect(stored.entries == 4 && stored.bytes == 8)
            #expect(names(in: folder("tree")) == ["open", "sub"] && names(in: folder("tree/sub")) == ["file"])
        }
    }

    /// A file that is there may not be changed.
    @Test(arguments: [[], .content] as [Fidelity])
    func storedFileThatCannotBeRestrictedIsReported(_ required: Fidelity) throws {
        typealias Entry = Shipment.Entry
        var open = Shipment([
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "file", kind: .file([1])),
        ])
        _ = try send(&open, to: temporary.inbox())
        var restricted = Shipment(open.entries)
        restricted.entries[1].restriction = .team(.acme)
        // The restriction is tried with an empty file first.
        let inbox = try temporary.inbox(storage: RefusingStorage(EPERM, after: 1))
        let partial = try inbox.receive(
            restricted.about("tree"), called: FileName("tree"), keeping: required, asking: true)
        let thrown = kind { try restricted.send(to: partial) }
        #expect(thrown == (required.isEmpty ? nil : .fidelity))
        #expect(partial.report.missing == (required.isEmpty ? 1 : 0))
    }

    private func entry(
        _ index: UInt32, in parent: UInt32 = 0, _ name: String, _ kind: TreeEntry.Kind,
        _ restriction: Restriction? = nil, isLinkTarget: Bool = false
    ) throws -> TreeEntry {
        TreeEntry(
            index: index, parent: parent, name: try FileName(name), kind: kind, permissions: 0o755,
            modified: someTime, isLinkTarget: isLinkTarget, restriction: restriction)
    }
}
