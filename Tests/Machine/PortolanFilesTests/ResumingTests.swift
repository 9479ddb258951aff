import Foundation
import Glibc
import PortolanCrypto
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Transfers that are interrupted and resumed.
@Suite(.aside) struct ResumingTests {
    let temporary = TemporaryFolder.inMemory()

    func receive(
        _ shipment: Shipment, in inbox: Inbox, called name: String = "tree", asking: Bool = true
    ) throws -> PartialItem {
        try inbox.receive(shipment.about(name), called: FileName(name), asking: asking)
    }

    /// Sends until the sender goes away.
    func interrupt(_ shipment: inout Shipment, after patience: Int, in inbox: Inbox, name: String = "tree")
        throws
    {
        let partial = try receive(shipment, in: inbox, called: name)
        shipment.patience = patience
        #expect(throws: Shipment.Interrupted.self) { try shipment.send(to: partial) }
        shipment.patience = .max
        partial.suspend()
        #expect(names(in: inbox.path).allSatisfy { $0.hasPrefix(FileName.partialPrefix) })
    }

    /// Sends some of a file of 2 MiB.
    private func interruptFile(in inbox: Inbox) throws -> (whole: Shipment, bytes: [UInt8], sent: Int) {
        let bytes = Shipment.noise(2 << 20, 9)
        let whole = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        var first = whole
        try interrupt(&first, after: 5, in: inbox, name: "file")
        return (whole, bytes, first.sent)
    }

    @Test func unsuspendedPartialIsNotLocked() throws {
        let disk = SimulatedDisk(seed: 1)
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        var shipment = Shipment.tree()
        shipment.patience = 22
        let partial = try receive(shipment, in: inbox)
        #expect(throws: Shipment.Interrupted.self) { try shipment.send(to: partial) }
        // While this process starts a program, the child has each descriptor for a moment, and with it the lock.
        let copy = Descriptor(owning: dup(partial.area.workspace.current?.folder.number ?? -1))
        disk.endProcess()
        partial.suspend()
        disk.restart()
        #expect(try inbox.partials().map(\.isLocked) == [false])
        withExtendedLifetime(copy) {}
    }

    /// A sender need not compare: it may send the content with the announcement.
    @Test func wholeContentReplacesEarlierContent() throws {
        let inbox = try temporary.inbox()
        let bytes = Shipment.noise(300_000, 9)
        let shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        let first = try receive(shipment, in: inbox, called: "file")
        try first.add(0, "file", .file(size: 300_000))
        try Shipment.noise(270_000, 10).withUnsafeBytes { try first.write(0, at: 0, $0) }
        first.suspend()
        let second = try receive(shipment, in: inbox, called: "file")
        let entry = TreeEntry(
            index: 0, parent: 0, name: try name("file"), kind: .file(size: 300_000), permissions: 0o600,
            modified: someTime)
        #expect(try second.add(entry) == .compare(blocks: [0..<1]))
        try bytes.withUnsafeBytes { try second.content(0, $0) }
        _ = try second.publish(as: name("file"))
        let changed = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes), permissions: 0o600)])
        #expect(snapshot(of: inbox.path) == changed.expected(as: "file"))
    }

    @Test(arguments: PublishingTests.kernels)
    func receivedContentIsNotSentAgain(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        let whole = Shipment.tree()
        var first = whole
        try interrupt(&first, after: 22, in: inbox)
        let known = try inbox.known(.test(1), called: name("tree"), isFolder: true)
        guard case .partial(let bytes, _) = known else {
            Issue.record("\(known)")
            return
        }
        #expect(bytes > 0 && bytes <= UInt64(first.sent))
        var second = whole
        let partial = try receive(second, in: inbox)
        try second.send(to: partial)
        let stored = try partial.publish(as: name("tree"))
        #expect(first.sent > 0 && first.sent + second.sent == whole.size)
        #expect(stored.keptBytes == UInt64(first.sent) && stored.bytes == UInt64(whole.size) && !stored.updated)
        #expect(stored.entries == UInt64(whole.entries.count))
        #expect(names(in: inbox.path) == ["tree"])
        #expect(snapshot(of: inbox.path) == whole.expected(as: "tree"))
    }

    @Test func anItemBrokenOffAtEachStepBecomesWhole() throws {
        let inbox = try temporary.inbox()
        let expected = Shipment.tree().expected(as: "tree")
        let steps = try arrive(in: inbox) { Shipment.tree(seed: UInt64($0)) }
        #expect(steps > 20)
        #expect(snapshot(of: inbox.path) == expected)
    }

    /// Sends a tree again and again, each time one step further before it is interrupted.
    ///
    /// - Returns: the number of times it took.
    private func arrive(in inbox: Inbox, _ make: (_ step: Int) -> Shipment) throws -> Int {
        for step in 1... {
            var shipment = make(step)
            let partial = try receive(shipment, in: inbox)
            shipment.patience = step
            do {
                try shipment.send(to: partial)
                _ = try partial.publish(as: name("tree"))
                return step
            } catch is Shipment.Interrupted {
                partial.suspend()
            }
        }
        preconditionFailure("there is always another step")
    }

    @Test func readOnlyEntriesAreResumed() throws {
        let inbox = try temporary.inbox()
        let whole = Shipment.readOnlyTree()
        let expected = whole.expected(as: "tree")
        for seed in 1...20 as ClosedRange<UInt64> {
            try obeyingPermissions { _ = try arrive(in: inbox) { _ in Shipment(whole.entries, seed: seed) } }
            #expect(snapshot(of: inbox.path) == expected)
            let stored = Descriptor(owning: open(inbox.path, O_RDONLY | O_DIRECTORY))
            Removal.empty(stored)
        }
    }

    @Test func listingDoesNotPreventResuming() throws {
        let inbox = try temporary.inbox()
        var first = Shipment.tree()
        try interrupt(&first, after: 20, in: inbox)
        let isOver = Atomic(false)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) { _ = try? inbox.partials() }
            done.signal()
        }
        for _ in 0..<200 {
            let partial = try receive(first, in: inbox)
            #expect(partial.area.workspace.current?.isResumed == true)
            partial.suspend()
        }
        isOver.store(true, ordering: .relaxed)
        done.wait()
    }

    @Test func diskErrorDuringResumingIsReported() throws {
        let disk = SimulatedDisk(seed: 1)
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        var first = Shipment.tree()
        try interrupt(&first, after: 20, in: inbox)
        for call in 2...4 {
            disk.plan(.error(EIO), in: call)
            #expect(kind { _ = try receive(first, in: inbox) } == .inputOutput)
        }
        disk.cancelPlan()
        #expect(try receive(first, in: inbox).area.workspace.current?.isResumed == true)
    }

    @Test func aFileBrokenOffManyTimesIsSentAboutOnce() throws {
        let inbox = try temporary.inbox()
        let bytes = Shipment.noise(8 << 20, 9)
        let whole = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes), permissions: 0o600)])
        var sent = 0
        for round in 0..<30 {
            var shipment = whole
            shipment.generator = SeededGenerator(seed: UInt64(round))
            let partial = try receive(shipment, in: inbox, called: "file")
            shipment.patience = 2 + round * 2
            do {
                try shipment.send(to: partial)
                sent += shipment.sent
                #expect(try partial.publish(as: name("file")).name.text == "file")
                break
            } catch is Shipment.Interrupted {
                partial.suspend()
                sent += shipment.sent
            }
        }
        #expect(stored(inbox, "file") == bytes)
        #expect(sent == bytes.count)
        #expect(status(of: inbox.path + "/file")?.modified == someTime)
        #expect(names(in: inbox.path) == ["file"])
    }

    private func stored(_ inbox: Inbox, _ path: String) -> [UInt8]? {
        content(of: "\(inbox.path)/\(path)")
    }

    @Test func damagedContentIsSentAgain() throws {
        let inbox = try temporary.inbox()
        let (whole, bytes, sent) = try interruptFile(in: inbox)
        let partial = try #require(names(in: inbox.path).first)
        let path = "\(inbox.path)/\(partial)/item"
        let before = try #require(content(of: path))
        let place = try #require(before.indices.first { before[$0] != 0 && before[$0] == bytes[$0] })
        let file = open(path, O_WRONLY)
        #expect(pwrite(file, [before[place] ^ 1], 1, off_t(place)) == 1)
        close(file)
        var second = whole
        let resumed = try receive(second, in: inbox, called: "file")
        try second.send(to: resumed)
        _ = try resumed.publish(as: name("file"))
        #expect(stored(inbox, "file") == bytes)
        #expect(sent + second.sent == bytes.count + Int(BlockDigest.blockSize))
    }

    @Test func changedFileBeginsAgain() throws {
        let inbox = try temporary.inbox()
        let (whole, bytes, _) = try interruptFile(in: inbox)
        var second = whole
        second.entries[0].modified = try FileTime(seconds: 1_300_000_000, nanoseconds: 0)
        let resumed = try receive(second, in: inbox, called: "file")
        try second.send(to: resumed)
        #expect(resumed.changedFiles == 1)
        _ = try resumed.publish(as: name("file"))
        #expect(stored(inbox, "file") == bytes && second.sent == bytes.count)
        #expect(names(in: inbox.path) == ["file"])
    }

    @Test func filesRemovedFromTheSourceAreNotPublished() throws {
        let inbox = try temporary.inbox()
        var first = Shipment.tree()
        try interrupt(&first, after: 20, in: inbox)
        var second = Shipment([
            Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Shipment.Entry(parent: 0, name: "large", kind: .folder, permissions: 0o755),
            Shipment.Entry(parent: 1, name: "sub", kind: .file([1, 2, 3])),
        ])
        let partial = try receive(second, in: inbox)
        try second.send(to: partial)
        _ = try partial.publish(as: name("tree"))
        #expect(snapshot(of: inbox.path) == second.expected(as: "tree"))
    }

    @Test func killedProcessLeavesItsWrittenContent() throws {
        let inbox = try temporary.inbox()
        let (whole, bytes, sent) = try interruptFile(in: inbox)
        let partial = try #require(names(in: inbox.path).first)
        // The missing file simulates a transfer that never wrote its progress.
        #expect(unlink("\(inbox.path)/\(partial)/progress") == 0)
        var second = whole
        let resumed = try receive(second, in: inbox, called: "file")
        try second.send(to: resumed)
        _ = try resumed.publish(as: name("file"))
        #expect(stored(inbox, "file") == bytes)
        #expect(sent + second.sent == bytes.count)
    }

    @Test func twoTransfersOfOneSourceAtOnceAreTwoItems() throws {
        let inbox = try temporary.inbox()
        let whole = Shipment.tree()
        var first = whole
        try interrupt(&first, after: 20, in: inbox)
        var second = whole
        var third = whole
        let one = try receive(second, in: inbox)
        #expect(try inbox.known(.test(1), called: name("tree"), isFolder: true) == .nothing)
        let other = try receive(third, in: inbox)
        try third.send(to: other)
        try second.send(to: one)
        #expect(third.sent == whole.size && second.sent < whole.size)
        #expect(try one.publish(as: name("tree")).name.text == "tree")
        #expect(try other.publish(as: name("tree")).name.text == "tree (2)")
        #expect(snapshot(of: inbox.path + "/tree") == snapshot(of: inbox.path + "/tree (2)"))
    }

    @Test func partialsAreListedForgottenAndExpire() throws {
        let inbox = try temporary.inbox()
        var shipment = Shipment.tree()
        try interrupt(&shipment, after: 20, in: inbox)
        let summary = try #require(try inbox.partials().first)
        #expect(summary.about == (try shipment.about()) && !summary.isLocked && summary.bytes > 0)
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(-1)) == 0)
        let partial = try receive(shipment, in: inbox)
        #expect(try inbox.partials().map(\.isLocked) == [true])
        #expect(try !inbox.forgetPartial(summary.id))
        partial.suspend()
        #expect(try !inbox.forgetPartial("../" + summary.id))
        #expect(try !inbox.forgetPartial("none"))
        // The transfer brought no new bytes; the earlier ones are still there.
        #expect(try inbox.known(.test(1), called: name("tree"), isFolder: true) != .nothing)
        #expect(try inbox.forgetPartial(summary.id))
        #expect(names(in: inbox.path).isEmpty)
        try interrupt(&shipment, after: 20, in: inbox)
        #expect(try inbox.removeExpiredPartials(olderThan: .seconds(-1)) == 1)
        #expect(names(in: inbox.path).isEmpty)
    }

    @Test func freshTransferReusesNothing() throws {
        let inbox = try temporary.inbox()
        var shipment = Shipment.tree()
        try interrupt(&shipment, after: 20, in: inbox)
        var second = Shipment.tree()
        let partial = try receive(second, in: inbox, asking: false)
        try second.send(to: partial)
        _ = try partial.publish(as: name("tree"))
        #expect(second.sent == second.size)
    }

    @Test func aLinkPutIntoThePartialIsNotWrittenThrough() throws {
        let inbox = try temporary.inbox()
        temporary.file("outside", "untouched")
        let bytes = Shipment.noise(1 << 20, 9)
        let whole = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        for isHard in [false, true] {
            var first = whole
            try interrupt(&first, after: 4, in: inbox, name: "file")
            let item = "\(inbox.path)/" + (try #require(names(in: inbox.path).first)) + "/item"
            #expect(unlink(item) == 0)
            #expect((isHard ? link(temporary("outside"), item) : symlink(temporary("outside"), item)) == 0)
            var second = whole
            let partial = try receive(second, in: inbox, called: "file")
            try second.send(to: partial)
            _ = try partial.publish(as: name("file"))
            #expect(stored(inbox, "file") == bytes && unlink(inbox.path + "/file") == 0)
            #expect(content(of: temporary("outside")) == Array("untouched".utf8))
        }
        #expect(names(in: inbox.path).isEmpty)
    }
}
