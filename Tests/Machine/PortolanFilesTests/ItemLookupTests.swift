import Glibc
import Synchronization
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Look-up of stored entries for the items of an offer.
@Suite struct ItemLookupTests {
    let temporary = TemporaryFolder.inMemory()

    private func query(_ byte: UInt8) throws -> ItemQuery {
        ItemQuery(.test(byte), called: try name("file"), isFolder: false)
    }

    /// Leaves a partial of a file in the inbox.
    private func interrupt(_ byte: UInt8, in inbox: Inbox) throws {
        var shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(Shipment.noise(1 << 20, 1)))])
        let partial = try inbox.receive(shipment.about("file", of: byte), called: name("file"), asking: false)
        shipment.patience = 3
        #expect(throws: Shipment.Interrupted.self) { try shipment.send(to: partial) }
        partial.suspend()
    }

    @Test func partialsOfThisProcessAreKnownWithoutTheDisk() throws {
        let inbox = try temporary.inbox()
        #expect(!inbox.mayHoldPartial(of: .test(1)))
        try interrupt(1, in: inbox)
        #expect(inbox.mayHoldPartial(of: .test(1)) && !inbox.mayHoldPartial(of: .test(2)))
        let id = try #require(try inbox.partials().first?.id)
        #expect(try inbox.forgetPartial(id))
        #expect(!inbox.mayHoldPartial(of: .test(1)))
    }

    @Test func partialsOfOtherProcessesAreKnownAfterAListing() throws {
        let (inbox, other) = (try temporary.inbox(), try temporary.inbox())
        try interrupt(1, in: other)
        #expect(!inbox.mayHoldPartial(of: .test(1)))
        try inbox.listPartials()
        #expect(inbox.mayHoldPartial(of: .test(1)))
        let found = try inbox.find(.test(1), called: name("file"), isFolder: false)
        guard case .partial = found.known else {
            Issue.record("\(found)")
            return
        }
        // Another inbox removed it: this one looks at the folder again, and drops the entry.
        #expect(try other.forgetPartial(try #require(try other.partials().first?.id)))
        #expect(try inbox.find(.test(1), called: name("file"), isFolder: false).known == .nothing)
        #expect(!inbox.mayHoldPartial(of: .test(1)))
    }

    @Test func listingRemovesMissingPartialsFromTheIndex() throws {
        let (inbox, other) = (try temporary.inbox(), try temporary.inbox())
        try interrupt(1, in: inbox)
        #expect(try other.forgetPartial(try #require(try other.partials().first?.id)))
        try inbox.listPartials()
        #expect(!inbox.mayHoldPartial(of: .test(1)))
    }

    @Test func resumedPartialIsNotFoundAgain() throws {
        let inbox = try temporary.inbox()
        try interrupt(1, in: inbox)
        var shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(Shipment.noise(1 << 20, 1)))])
        let traces = try inbox.find(.test(1), called: name("file"), isFolder: false)
        let partial = try inbox.receive(
            shipment.about("file"), called: name("file"), asking: true, finding: traces)
        #expect(!inbox.mayHoldPartial(of: .test(1)))
        try shipment.send(to: partial)
        let stored = try partial.publish(as: name("file"))
        #expect(stored.keptBytes > 0)
        let found = try inbox.find(.test(1), called: name("file"), isFolder: false)
        #expect(found.known == .stored(name: try name("file")) || found.known == .nothing)
        #expect(names(in: inbox.path) == ["file"])
    }

    /// The folder may hold millions of files, and an offer of its source may come from an unaccepted peer.
    @Test func lookUpOpensNoFolderInUse() throws {
        let inbox = try temporary.inbox()
        var shipment = Shipment.tree()
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: false)
        try shipment.send(to: partial)
        let workspace = try #require(names(in: inbox.path).first)
        let watch = Descriptor(owning: inotify_init1(CInt(IN_NONBLOCK)))
        let item = "\(inbox.path)/\(workspace)/\(Workspace.itemName)"
        try #require(inotify_add_watch(watch.number, item, UInt32(IN_OPEN)) >= 0)
        func isOpened() -> Bool {
            var events = [UInt8](repeating: 0, count: 4096)
            return read(watch.number, &events, events.count) > 0
        }
        try inbox.listPartials()
        #expect(inbox.mayHoldPartial(of: .test(1)))
        #expect(try inbox.find(.test(1), called: name("tree"), isFolder: true).known == .nothing)
        #expect(try inbox.stopPartial(String(workspace.dropFirst(FileName.partialPrefix.count))))
        #expect(!isOpened())
        // The list of partials contains the progress.
        #expect(try inbox.partials().map(\.bytes).first ?? 0 > 1_000_000 && isOpened())
        partial.discard()
    }

    @Test func aLookUpStopsWhenItsTaskIsCancelled() async throws {
        let inbox = try temporary.inbox()
        let queries = try (0..<100).map { try query($0) }
        let asked = Atomic(0)
        let looking = Task {
            let counted = queries.lazy.map { query in
                if asked.add(1, ordering: .relaxed).newValue == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                return query
            }
            return try await inbox.find(counted, listing: true)
        }
        await #expect(throws: CancellationError.self) { _ = try await looking.value }
        #expect(asked.load(ordering: .relaxed) == 3)
    }
}

/// Probe for restrictions: if an inbox can keep them.
@Suite struct AttributeProbeTests {
    @Test func aFileSystemIsLookedAtOnceForEachFolder() throws {
        let disk = SimulatedDisk(seed: 1)
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        #expect(inbox.isThoughtToKeepRestrictions)
        #expect(try inbox.keepsRestrictions())
        let calls = disk.calls
        #expect(calls > 0)
        #expect(try inbox.keepsRestrictions())
        #expect(disk.calls == calls)
        #expect(names(in: inbox.path).isEmpty)
    }

    @Test func replacedFolderIsReadAgain() throws {
        try onPlainFileSystem { folder in
            let inbox = try Inbox(path: folder("inbox"), createIfMissing: true)
            #expect(try !inbox.keepsRestrictions() && !inbox.isThoughtToKeepRestrictions)
            #expect(names(in: inbox.path).isEmpty)
            let before = inbox.attributes
            #expect(rename(folder("inbox"), folder("other")) == 0 && mkdir(folder("inbox"), 0o700) == 0)
            let identity = try inbox.open().status().identity
            #expect(before.result(for: identity) == nil)
            #expect(try !inbox.keepsRestrictions())
            #expect(before.result(for: identity) == false)
        }
    }

    @Test func fullDiskDoesNotSettleTheAttributeCheck() throws {
        let disk = SimulatedDisk(seed: 1)
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        var failures = 0
        for call in 0..<20 {
            disk.plan(.error(ENOSPC), in: call)
            guard kind({ _ = try inbox.keepsRestrictions() }) != nil else { break }
            failures += 1
            #expect(inbox.isThoughtToKeepRestrictions)
        }
        #expect(failures > 0, "no call met a full disk")
        disk.cancelPlan()
        #expect(try inbox.keepsRestrictions())
    }
}
