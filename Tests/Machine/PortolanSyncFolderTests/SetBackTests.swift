import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Machines whose folder and database are set back together, as by a snapshot, so that nothing on them tells.
@Suite struct SetBackTests {
    private static let names = ["f1", "f2", "f3"]

    private func withFiles(_ count: Int) async throws -> SyncFolders {
        let folders = try await SyncFolders(count)
        for name in Self.names { try folders.write(0, name, "first \(name)") }
        try await folders.settle()
        try await folders.settle()
        return folders
    }

    /// Contents of all files, without their names, in order.
    private func contents(_ folders: SyncFolders) throws -> [String] {
        try folders.common().compactMap { $0.split(separator: "=").last.map(String.init) }.sorted()
    }

    private func epoch(_ folders: SyncFolders, _ number: Int) async throws -> UInt64 {
        try #require(try await folders.replicas[number].replica()).epoch
    }

    @Test(
        "a machine that was set back and changed files meets the others: nothing swaps, nothing is lost",
        arguments: [true, false])
    func setBack(isAskedFirst: Bool) async throws {
        let folders = try await withFiles(2)
        try await folders.keepState(of: 0)
        try folders.write(0, "x1", "x")
        try folders.write(0, "f3", "second")
        try await folders.settle()
        try await folders.setBack(0)
        try folders.write(0, "y1", "y")
        try folders.write(0, "z1", "z")
        try folders.write(0, "f3", "after the set-back")
        try await folders.synchronize(0)
        let before = try await epoch(folders, 0)
        if isAskedFirst { try await folders.pull(1, from: 0) } else { try await folders.pull(0, from: 1) }
        let begun = try await epoch(folders, 0)
        #expect(begun != before)
        try await folders.settle()
        #expect(try await epoch(folders, 0) == begun)
        let files = try folders.common()
        #expect(Set(files).isSuperset(of: ["f1=first f1", "f2=first f2", "x1=x", "y1=y", "z1=z"]))
        #expect(
            try contents(folders) == ["after the set-back", "first f1", "first f2", "second", "x", "y", "z"])
        #expect(folders.replicas.allSatisfy { $0.takeDoubted().isEmpty })
    }

    @Test("a machine that was set back meets one that knows of nothing first: both values of a dot stay")
    func knowerIsAway() async throws {
        let folders = try await withFiles(3)
        try await folders.keepState(of: 0)
        try folders.write(0, "x1", "x")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(folders.text(1, "x1") == "x")
        try await folders.setBack(0)
        try folders.write(0, "y1", "y")
        try await folders.synchronize(0)
        let before = try await epoch(folders, 0)
        try await folders.pull(2, from: 0)
        try await folders.synchronize(2)
        #expect(try folders.listing(2).contains("y1=y"))
        #expect(try await epoch(folders, 0) == before)
        // The two others meet without it.
        for _ in 0..<3 {
            for (one, other) in [(1, 2), (2, 1)] {
                try await folders.pull(one, from: other)
                try await folders.synchronize(one)
            }
        }
        for number in [1, 2] {
            #expect(
                Set(try folders.listing(number).compactMap { $0.split(separator: "=").last }).isSuperset(of: ["x", "y"])
            )
        }
        try await folders.settle()
        #expect(try await epoch(folders, 0) != before)
        #expect(try contents(folders) == ["first f1", "first f2", "first f3", "x", "y"])
    }

    @Test("claims without a good seal begin no epoch, are passed over, and name the member")
    func forged() async throws {
        let folders = try await withFiles(2)
        let replica = folders.replicas[0]
        let own = try #require(try await replica.replica())
        let member = SyncFolders.device(1)
        let seal = ReplicaSeal([UInt8](repeating: 255, count: ReplicaSeal.length))
        for forged in [ChangeCursor(own, 1_000_000), ChangeCursor(own, 1, seal: seal)] {
            let news = try await replica.announcement(since: forged, by: member)
            #expect(news.cursor.replica == own)
            #expect(replica.takeDoubted() == [member])
        }
        try await replica.check(ChangeCursor(own, 1, seal: seal), by: member)
        #expect(replica.takeDoubted() == [member])
        var news = try await folders.replicas[1].announcement(since: nil)
        let known = news.records.map(\.id)
        for place in news.records.indices { news.records[place].version.add(Dot(own, 1_000_000)) }
        let (_, refused) = try await replica.receive(news)
        #expect(Set(refused) == Set(known) && !known.isEmpty)
        #expect(replica.takeDoubted() == [member])
        news.seals[own.device] = seal
        _ = try await replica.receive(news)
        #expect(replica.takeDoubted() == [member])
        #expect(try await replica.replica() == own)
        // A member that asks from the start gets all.
        let all = try await replica.announcement(since: ChangeCursor(own, 1_000_000), by: member)
        #expect(all.records.count == Self.names.count)
    }

    @Test("restarts begin no epoch, also right after something was told")
    func restarts() async throws {
        let folders = try await withFiles(2)
        let before = try await epoch(folders, 0)
        for number in 0..<5 {
            try folders.write(0, "f1", "version \(number)")
            try await folders.synchronize(0)
            // The member's answer does not arrive before the end of the process.
            let cursor = try await folders.replicas[1].heard(of: SyncFolders.device(0))
            let news = try await folders.replicas[0].announcement(since: cursor, by: SyncFolders.device(1))
            _ = try await folders.replicas[1].receive(news)
            try await folders.restart(0)
        }
        try await folders.settle()
        #expect(try await epoch(folders, 0) == before)
        #expect(try folders.common().first == "f1=version 4")
    }

    @Test("a member that is set back begins an epoch, and the others do not")
    func memberIsSetBack() async throws {
        let folders = try await withFiles(2)
        try await folders.keepState(of: 1)
        try folders.write(0, "f1", "second")
        try folders.write(1, "f2", "theirs")
        try await folders.settle()
        let before = [try await epoch(folders, 0), try await epoch(folders, 1)]
        try await folders.setBack(1)
        try await folders.settle()
        #expect(try await epoch(folders, 0) == before[0])
        #expect(try await epoch(folders, 1) != before[1])
        #expect(Set(try contents(folders)).isSuperset(of: ["second", "theirs", "first f3"]))
    }

    @Test("a copy of a machine is noticed by the machine, which stops")
    func copied() async throws {
        let folders = try await withFiles(2)
        try await folders.keepState(of: 0)
        try folders.restoreState(of: 0, as: "copy")
        let copy = try await FolderReplica.open(
            folder: "\(folders.path)/copy", index: "\(folders.path)/copy.sqlite", device: SyncFolders.device(0),
            author: "A", seals: SyncFolders.seals(0), settings: .unguarded)
        // On another machine it has the same place and number.
        await #expect { try await copy.checkRoot() } throws: { ($0 as? SyncError)?.kind == .halted(.rootRestored) }
        try await copy.startOver()
        // The machine itself has told the member something in this run.
        try folders.write(0, "f1", "of the machine")
        try await folders.settle()
        try await folders.settle()
        try Data("of the copy".utf8).write(to: URL(fileURLWithPath: "\(folders.path)/copy/g"))
        try await copy.synchronize(from: SyncFolders.Others(replicas: []))
        // The copy takes itself for a machine that was set back.
        let member = SyncFolders.device(1)
        let cursor = try await folders.replicas[1].heard(of: SyncFolders.device(0))
        await #expect(throws: SyncError.self) { try await copy.announcement(since: cursor, by: member) }
        try await copy.synchronize(from: SyncFolders.Others(replicas: []))
        _ = try await folders.replicas[1].receive(try await copy.announcement(since: cursor, by: member))
        do {
            try await folders.pull(1, from: 0)
            Issue.record("The machine does not notice its copy.")
        } catch let error as SyncError { #expect(error.kind == .halted(.keyElsewhere)) }
        await #expect(throws: SyncError.self) { try await folders.synchronize(0) }
        #expect(folders.text(0, "f1") == "of the machine")
        try await copy.close()
    }

    @Test("a state of 1,024 states ago is known, and one between that was never told is not")
    func oldStates() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "portolan-told-\(UUID().uuidString)").path
        defer {
            for ending in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        let index = try FolderIndex(path: path, author: "A")
        defer { index.close() }
        let own = ReplicaID(device: DeviceID(1), epoch: 7)
        try index.begin(own, at: 5, fileSystem: 0, root: FileHandleID(1))
        try index.transact { index in
            var told: [SealedState] = []
            for number in 1...1100 as ClosedRange<UInt64> {
                index.counter += 1
                let dot = Dot(own, index.counter)
                var record = NodeRecord(id: NodeID(dot), kind: .folder)
                record.move(dot, to: NodePlace(.root, SyncName("\(number)")))
                index.store(record, isNews: true)
                index.addTold()
                told.append(try #require(index.lastTold))
            }
            #expect(told.allSatisfy { index.knows($0) })
            var other = told[1090]
            other.random ^= 1
            #expect(!index.knows(other))
            other = told[1099]
            other.sequence += 1
            #expect(!index.knows(other))
            other.epoch = 8
            #expect(index.knows(other))
            other.begun += 1
            #expect(!index.knows(other))
        }
    }

    @Test("a seal is read by its maker alone")
    func seals() {
        let state = SealedState(begun: .max, epoch: 1, sequence: 2, count: 3, random: 4)
        let seal = state.seal(by: SyncFolders.seals(0))
        #expect(SealedState(seal, by: SyncFolders.seals(0)) == state)
        #expect(SealedState(seal, by: SyncFolders.seals(1)) == nil)
        for place in 0..<ReplicaSeal.length {
            var bytes = seal.bytes
            bytes[place] ^= 1
            #expect(ReplicaSeal(bytes).flatMap { SealedState($0, by: SyncFolders.seals(0)) } == nil)
        }
        var later = state
        later.sequence += 1
        #expect(seal < later.seal(by: SyncFolders.seals(0)))
    }
}
