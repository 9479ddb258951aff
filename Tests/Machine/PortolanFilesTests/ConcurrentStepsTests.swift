import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Steps of one item at the same time.
@Suite(.aside) struct ConcurrentStepsTests {
    private let temporary = TemporaryFolder.inMemory()

    /// An item is interrupted, resumed and updated: during each call to the disk, other threads call other functions of
    /// the partial.
    @Test(arguments: [true, false]) func slowDiskCallDoesNotDelayOtherFiles(hasHardLinks: Bool) throws {
        let storage = AttendedStorage(hasHardLinks: hasHardLinks)
        defer { storage.end() }
        let inbox = try temporary.inbox(storage: storage)
        guard try SourceMark.set(.test(1), on: inbox.open(), by: KernelStorage()) else {
            print("skipped: the file system of \(inbox.path) keeps no attributes")
            return
        }
        let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
        var second = Shipment.tree()
        second.entries[1].kind = .file(Shipment.noise(900_000, 9))
        for index in [1, 3, 12] { second.entries[index].modified = later }
        let transfers = [(Shipment.tree(), 30), (Shipment.tree(), Int.max), (second, 20), (second, Int.max)]
        for (shipment, patience) in transfers {
            var shipment = shipment
            shipment.patience = patience
            shipment.largestWhole = 8 << 10
            let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
            storage.attend {
                _ = (partial.report, partial.isToStop, partial.changedFiles)
                _ = try? partial.digest(1, block: 0)
            }
            do {
                try shipment.send(to: partial)
                _ = try partial.publish(as: name("tree"))
            } catch is Shipment.Interrupted {
                partial.suspend()
            }
            storage.attend {}
        }
        let (calls, isInTime) = storage.outcome
        #expect(isInTime && calls > 100, "\(calls) calls")
        #expect(snapshot(of: inbox.path) == second.expected(as: "tree"))
    }

    @Test func begunFilesDoNotWaitForOtherFiles() throws {
        let storage = AttendedStorage(hasHardLinks: false)
        defer { storage.end() }
        let partial = try temporary.inbox(storage: storage).newPartial()
        try partial.folder(0)
        try partial.add(1, "log", .file(size: nil))
        try partial.write(1, at: 0, "x")
        let written = Atomic<UInt64>(1)
        let before = storage.outcome.calls
        storage.attend {
            let offset = written.load(ordering: .relaxed)
            if (try? partial.write(1, at: offset, "x")) != nil { written.store(offset + 1, ordering: .relaxed) }
        }
        try partial.add(2, "sub", .folder, permissions: 0o555)
        try partial.add(3, in: 2, "target", .file(size: 4), isLinkTarget: true)
        try partial.add(4, in: 2, "early", .hardLink(to: 3))
        try partial.link(5, in: 2, "link", to: "target")
        try partial.add(6, in: 2, "broken", .file(size: 9))
        try partial.write(6, at: 0, "text")
        try partial.folder(7, "next")
        try partial.content(3, "text")
        try partial.add(8, "late", .hardLink(to: 3))
        try partial.leaveOut(6, because: .changed)
        storage.attend {}
        let calls = storage.outcome.calls - before
        let size = written.load(ordering: .relaxed)
        #expect(storage.outcome.isInTime && calls > 20 && size == UInt64(calls) + 1, "\(calls) calls, \(size) bytes")
        try partial.finish(1, size: size)
        #expect(try partial.publish(as: name("tree")).entries == 8)
        for name in ["sub/target", "sub/early", "late"] {
            #expect(content(of: temporary("inbox/tree/" + name)) == Array("text".utf8))
        }
        #expect(status(of: temporary("inbox/tree/sub"))?.modified == someTime)
    }

    /// A tree of many small files, further names of files and folders that are closed.
    private func crowd(_ generator: inout SeededGenerator) -> Shipment {
        var shipment = Shipment([Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)])
        var folders: [UInt32] = [0]
        var targets: [UInt32] = []
        for number in 1..<400 as Range<UInt32> {
            while folders.count > 1, Int.random(in: 0..<5, using: &generator) == 0 { folders.removeLast() }
            let parent = folders.last ?? 0
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                let permissions: UInt16 = Bool.random(using: &generator) ? 0o755 : 0o555
                shipment.entries.append(
                    Shipment.Entry(parent: parent, name: "\(number)", kind: .folder, permissions: permissions))
                folders.append(number)
            case 1 where !targets.isEmpty:
                let target = targets.randomElement(using: &generator) ?? 0
                shipment.entries.append(Shipment.Entry(parent: parent, name: "\(number)", kind: .hardLink(target)))
            default:
                let content = Shipment.noise(Int.random(in: 0..<5000, using: &generator), UInt64(number))
                shipment.entries.append(Shipment.Entry(parent: parent, name: "\(number)", kind: .file(content)))
                targets.append(number)
            }
        }
        return shipment
    }

    /// Writes the content of a file in one of the ways in which lanes do.
    private static func bring(_ content: [UInt8], of index: UInt32, to partial: PartialItem) throws(FileError) {
        func write(_ range: Range<Int>) throws(FileError) {
            try content[range].withUnsafeBufferPointer { bytes throws(FileError) in
                try partial.write(index, at: UInt64(range.lowerBound), UnsafeRawBufferPointer(bytes))
            }
        }
        if index % 3 == 0 {
            try content.withUnsafeBufferPointer { bytes throws(FileError) in
                try partial.content(index, UnsafeRawBufferPointer(bytes))
            }
        } else {
            let middle = content.count / 2
            if !content.isEmpty {
                try write(middle..<content.count)
                try write(0..<middle)
            }
            try partial.finish(index, size: UInt64(content.count))
        }
    }

    @Test(arguments: [true, false]) func filesAreStoredFromManyThreadsAtOnce(hasHardLinks: Bool) throws {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        var kernel = KernelFeatures.detected
        kernel.hardLinks = hasHardLinks
        let inbox = try temporary.inbox(features: kernel)
        for round in 0..<10 {
            let shipment = crowd(&generator)
            let partial = try inbox.newPartial()
            let announced = Mutex<[UInt32]>([])
            let isAllAnnounced = Atomic(false)
            let failure = Mutex<FileError?>(nil)
            let done = DispatchSemaphore(value: 0)
            for _ in 0..<4 {
                Thread.detachNewThread {
                    while true {
                        let isLast = isAllAnnounced.load(ordering: .acquiring)
                        guard let index = announced.withLock({ $0.popLast() }) else {
                            if isLast { break }
                            usleep(50)
                            continue
                        }
                        guard case .file(let content) = shipment.entries[Int(index)].kind else { continue }
                        do throws(FileError) {
                            try Self.bring(content, of: index, to: partial)
                        } catch {
                            failure.withLock { $0 = $0 ?? error }
                        }
                    }
                    done.signal()
                }
            }
            let thrown = kind {
                for (index, entry) in shipment.entries.enumerated() {
                    let index = UInt32(index)
                    try partial.add(
                        index, in: entry.parent, entry.name, entry.kind.inTree, permissions: entry.permissions,
                        isLinkTarget: true)
                    if case .file = entry.kind { announced.withLock { $0.append(index) } }
                }
            }
            isAllAnnounced.store(true, ordering: .releasing)
            for _ in 0..<4 { done.wait() }
            let said = "seed \(seed), round \(round)"
            #expect(thrown == nil && failure.withLock(\.self) == nil, "\(said)")
            let stored = try partial.publish(as: name("tree"))
            #expect(stored.entries == UInt64(shipment.entries.count), "\(said)")
            let sequential = try expected(shipment)
            #expect(snapshot(of: inbox.path + "/tree") == snapshot(of: sequential.path), "\(said)")
            Removal.empty(try inbox.open())
        }
    }

    /// The folder that results when the same item is received step by step.
    private func expected(_ shipment: Shipment) throws -> (folder: TemporaryFolder, path: String) {
        let folder = TemporaryFolder.inMemory()
        let partial = try folder.inbox().newPartial()
        var shipment = shipment
        try shipment.send(to: partial)
        _ = try partial.publish(as: name("tree"))
        return (folder, folder("inbox/tree"))
    }

    @Test func publicationWaitsForRunningSteps() throws {
        let storage = HookedStorage()
        let inbox = try temporary.inbox(storage: storage)
        let partial = try inbox.newPartial()
        try partial.folder(0)
        try partial.add(1, "file", .file(size: 4))
        let reached = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        storage.onWrite { _ in
            reached.signal()
            goesOn.wait()
        }
        Thread.detachNewThread {
            #expect(kind { try partial.content(1, "text") } == nil)
            done.signal()
        }
        reached.wait()
        let stored = Mutex<PublishedItem?>(nil)
        Thread.detachNewThread {
            let item = try? partial.publish(as: .sanitised(fromLocal: Array("tree".utf8)))
            stored.withLock { $0 = item }
            done.signal()
        }
        #expect(eventually { kind { _ = try partial.digest(1, block: 0) } == .stopped })
        goesOn.signal()
        done.wait()
        done.wait()
        #expect(stored.withLock(\.self)?.bytes == 4)
        #expect(content(of: inbox.path + "/tree/file") == Array("text".utf8))
    }
}
