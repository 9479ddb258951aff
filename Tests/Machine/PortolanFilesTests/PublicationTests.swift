import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Calls that are made while an item is being published.
@Suite(.aside) struct PublicationTests {
    private let temporary = TemporaryFolder.inMemory()
    private let storage = HookedStorage()

    /// A publication that waits at some call to the disk.
    private struct Waiting: Sendable {
        let partial: PartialItem
        let inbox: Inbox
        /// Lets the publication go on, and waits for its end.
        let finish: @Sendable () -> Result<PublishedItem, FileError>
    }

    /// Has the first call that `hook` hooks wait, in the publication of a whole item.
    private func publish(
        _ shipment: Shipment = .tree(), hook: (@escaping @Sendable () -> Void) -> Void, _ body: (Waiting) throws -> Void
    ) throws {
        let inbox = try temporary.inbox(storage: storage)
        var shipment = shipment
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
        try shipment.send(to: partial)
        let reached = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let isFirst = Atomic(true)
        hook {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            reached.signal()
            goesOn.wait()
        }
        let result = Mutex<Result<PublishedItem, FileError>?>(nil)
        Thread.detachNewThread {
            let published = Result { () throws(FileError) in
                try partial.publish(as: .sanitised(fromLocal: Array("tree".utf8)))
            }
            result.withLock { $0 = published }
            done.signal()
        }
        reached.wait()
        let isFinished = Atomic(false)
        let finish = { @Sendable () -> Result<PublishedItem, FileError> in
            if !isFinished.exchange(true, ordering: .relaxed) {
                goesOn.signal()
                done.wait()
            }
            return result.withLock(\.self) ?? .failure(.stopped)
        }
        defer { _ = finish() }
        try body(Waiting(partial: partial, inbox: inbox, finish: finish))
    }

    /// Returns true if `body` ends on a thread of its own.
    private func isDone(_ body: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        return done.wait(timeout: .now() + 100) == .success
    }

    private func visible(in inbox: Inbox) -> [String] {
        names(in: inbox.path).filter { !$0.hasPrefix(FileName.partialPrefix) }
    }

    /// A few files are synced one by one, many with the file system.
    @Test(arguments: [2, UnsyncedFiles.limit + 2])
    func otherCallsProceedDuringTheSync(files: Int) throws {
        var entries = [Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)]
        for number in 0..<files {
            entries.append(Shipment.Entry(parent: 0, name: "\(number)", kind: .file([UInt8(number)])))
        }
        try publish(Shipment(entries), hook: storage.onSync) { waiting in
            let (partial, inbox) = (waiting.partial, waiting.inbox)
            let areThrough = isDone {
                #expect(!partial.isToStop && partial.report.isComplete && partial.changedFiles == 0)
                partial.interrupt()
                // Late calls throw an error.
                #expect(kind { try partial.content(1, "late") } == .stopped)
                #expect(kind { _ = try partial.publish(as: name("tree")) } == .stopped)
                let thrown = kind {
                    let other = try inbox.newPartial()
                    try other.file(0, "other", "text")
                    _ = try other.publish(as: name("other"))
                }
                #expect(thrown == nil)
            }
            #expect(areThrough)
            #expect(visible(in: inbox) == ["other"])
            let stored = try waiting.finish().get()
            #expect(stored.entries == UInt64(files + 1))
            #expect(visible(in: inbox) == ["other", "tree"])
        }
    }

    @Test func stopRequestIsAcceptedDuringTheSync() throws {
        try publish(hook: storage.onSync) { waiting in
            let (partial, inbox) = (waiting.partial, waiting.inbox)
            let id = try #require(try inbox.partials().first).id
            #expect(try inbox.stopPartial(id))
            let isThrough = isDone { #expect(partial.isToStop) }
            #expect(isThrough)
            // The item's owner decides about the consequences.
            #expect(try waiting.finish().get().name.text == "tree")
        }
    }

    @Test(arguments: [false, true])
    func itemEndedDuringTheSyncStaysHidden(suspending: Bool) throws {
        var again = Shipment.tree()
        try publish(hook: storage.onSync) { waiting in
            let (partial, inbox) = (waiting.partial, waiting.inbox)
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                if suspending { partial.suspend() } else { partial.discard() }
                isOver.signal()
            }
            #expect(eventually { kind { try partial.life.checkIsWanted() } == .stopped })
            #expect(throws: FileError.stopped) { try waiting.finish().get() }
            isOver.wait()
            #expect(visible(in: inbox).isEmpty)
            #expect(try inbox.partials().map(\.isLocked) == (suspending ? [false] : []))
            guard suspending else { return }
            // The whole item is there.
            let next = try inbox.receive(again.about(), called: name("tree"), asking: true)
            try again.send(to: next)
            #expect(again.sent == 0)
            _ = try next.publish(as: name("tree"))
            #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
        }
    }

    @Test(arguments: [false, true])
    func itemWithItsFinalNameStays(suspending: Bool) throws {
        let storage = storage
        try publish(hook: { hook in storage.onMove { if $0 == "tree" { hook() } } }) { waiting in
            let (partial, inbox) = (waiting.partial, waiting.inbox)
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                if suspending { partial.suspend() } else { partial.discard() }
                isOver.signal()
            }
            #expect(eventually { kind { try partial.life.checkIsWanted() } == .stopped })
            let stored = try waiting.finish().get()
            #expect(stored.name.text == "tree")
            isOver.wait()
            #expect(snapshot(of: inbox.path) == Shipment.tree().expected(as: "tree"))
        }
    }

    /// A folder that was sent before is brought up to date, or is not.
    @Test func updateEndedDuringTheSyncChangesNothing() throws {
        let inbox = try temporary.inbox()
        guard try SourceMark.set(.test(1), on: inbox.open(), by: KernelStorage()) else {
            print("skipped: the file system of \(inbox.path) keeps no attributes")
            return
        }
        var first = Shipment.tree()
        let partial = try inbox.receive(first.about(), called: name("tree"), asking: true)
        try first.send(to: partial)
        _ = try partial.publish(as: name("tree"))
        let before = snapshot(of: inbox.path)
        var second = first
        second.entries[1].kind = .file(Shipment.noise(70_000, 8))
        second.entries[1].modified = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
        try publish(second, hook: storage.onSync) { waiting in
            let partial = waiting.partial
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                partial.discard()
                isOver.signal()
            }
            #expect(eventually { kind { try partial.life.checkIsWanted() } == .stopped })
            #expect(throws: FileError.stopped) { try waiting.finish().get() }
            isOver.wait()
        }
        #expect(snapshot(of: inbox.path) == before)
    }
}
