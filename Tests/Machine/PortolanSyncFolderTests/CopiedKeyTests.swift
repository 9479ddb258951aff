import Foundation
import PortolanSyncPlan
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Two machines with one key, and a member that meets both.
@Suite struct CopiedKeyTests {
    /// A member (device 1), a machine (device 0), and a copy of that one with the same key.
    private final class Copied: Sendable {
        let folders: SyncFolders
        private let opened: Mutex<FolderReplica>
        var copy: FolderReplica { opened.withLock(\.self) }
        private static let key = SyncFolders.device(0)
        private static let member = SyncFolders.device(1)

        init() async throws {
            folders = try await SyncFolders(2)
            for name in ["f1", "f2", "gone"] { try folders.write(0, name, "first \(name)") }
            try await folders.settle()
            try await folders.settle()
            try await folders.keepState(of: 0)
            try folders.restoreState(of: 0, as: "copy")
            let copy = try await Self.open(folders)
            try await copy.startOver()
            opened = Mutex(copy)
        }

        private static func open(_ folders: SyncFolders) async throws -> FolderReplica {
            let replica = try await FolderReplica.open(
                folder: "\(folders.path)/copy", index: "\(folders.path)/copy.sqlite", device: key,
                author: "A", seals: SyncFolders.seals(0), settings: .unguarded)
            replica.setMembers([key, member])
            return replica
        }

        /// Ends the processes of both machines, and starts them again.
        func restart() async throws {
            try await folders.restart(0)
            try await copy.close()
            let new = try await Self.open(folders)
            opened.withLock { $0 = new }
        }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folders.path)/copy/\(name)"))
        }

        func text(_ name: String) -> String? {
            FileManager.default.contents(atPath: "\(folders.path)/copy/\(name)").map {
                String(decoding: $0, as: UTF8.self)
            }
        }

        /// Lets a machine with the key and the member exchange their changes once, in both directions.
        func meet(_ machine: FolderReplica) async throws {
            let other = folders.replicas[1]
            _ = try await machine.synchronize(from: SyncFolders.Others(replicas: [other]))
            try await exchange(from: machine, of: Self.key, to: other, of: Self.member)
            _ = try await other.synchronize(from: SyncFolders.Others(replicas: [machine]))
            try await exchange(from: other, of: Self.member, to: machine, of: Self.key)
            _ = try await machine.synchronize(from: SyncFolders.Others(replicas: [other]))
        }

        private func exchange(
            from: FolderReplica, of teller: DeviceID, to: FolderReplica, of hearer: DeviceID
        ) async throws {
            for _ in 0..<3 {
                do {
                    let cursor = try await to.heard(of: teller)
                    let news = try await from.announcement(since: cursor, by: hearer)
                    guard try await to.mayTake(news) else { return }
                    let heard = try await to.receive(news).acknowledged
                    try await from.acknowledge(heard, by: hearer)
                    return
                } catch let error as SyncError where error.kind == .epochEnded {
                    // A machine that takes itself for one that was set back begins an epoch, and is asked again.
                    for one in [from, to] { _ = try await one.synchronize(from: SyncFolders.Others(replicas: [])) }
                }
            }
        }

        /// Lets both machines change something and meet the member, until the first of them stops.
        ///
        /// - Returns: true if it is the machine, false if it is the copy.
        func meetUntilStopped() async throws -> Bool {
            for number in 0..<6 {
                for isMachine in [true, false] {
                    let machine = isMachine ? folders.replicas[0] : copy
                    if isMachine {
                        try folders.write(0, "machine \(number)", "m\(number)")
                    } else {
                        try write("copy \(number)", "c\(number)")
                    }
                    do { try await meet(machine) } catch let error as SyncError {
                        #expect(error.kind == .halted(.keyElsewhere))
                        return isMachine
                    }
                }
            }
            throw CocoaError(.featureUnsupported)
        }

        /// Passes the stop of a machine to the member, and by it to the other machine.
        func pass(from stopped: FolderReplica, to other: FolderReplica) async throws {
            let member = folders.replicas[1]
            try await member.keep(stop: try #require(stopped.stop), of: Self.key)
            let told = try #require(try await member.stops()[Self.key])
            await #expect { try await other.heed(told, by: Self.member) } throws: {
                ($0 as? SyncError)?.kind == .halted(.keyElsewhere)
            }
        }
    }

    private func isStopped(_ replica: FolderReplica) async -> Bool {
        do {
            _ = try await replica.synchronize(from: SyncFolders.Others(replicas: []))
            return false
        } catch { return (error as? SyncError)?.kind == .halted(.keyElsewhere) }
    }

    @Test(
        "both machines stop, by way of the member, also after restarts of all three; the folder's repair does not help")
    func bothStop() async throws {
        let all = try await Copied()
        let isMachine = try await all.meetUntilStopped()
        let (first, second) = isMachine ? (all.folders.replicas[0], all.copy) : (all.copy, all.folders.replicas[0])
        #expect(second.stop == nil)
        try await all.folders.restart(1)
        try await all.pass(from: first, to: second)
        #expect(first.stop == second.stop)
        try await all.restart()
        for replica in [all.folders.replicas[0], all.copy] {
            #expect(replica.stop != nil)
            #expect(await isStopped(replica))
            await #expect(throws: SyncError.self) { try await replica.announcement(since: nil) }
            await #expect(throws: SyncError.self) { try await replica.startOver() }
            #expect(await isStopped(replica))
        }
        try await all.copy.close()
    }

    @Test("machines that run for a short time each, by turns, are noticed, too")
    func byTurns() async throws {
        let all = try await Copied()
        for number in 0..<6 {
            for isMachine in [true, false] {
                try await all.restart()
                let machine = isMachine ? all.folders.replicas[0] : all.copy
                if isMachine {
                    try all.folders.write(0, "machine \(number)", "m")
                } else {
                    try all.write("copy \(number)", "c")
                }
                do { try await all.meet(machine) } catch let error as SyncError {
                    #expect(error.kind == .halted(.keyElsewhere))
                    return try await all.copy.close()
                }
            }
        }
        Issue.record("No machine has noticed the other.")
    }

    @Test("a machine that keeps the key goes on, no file vanishes or swaps, and the other one stands still")
    func keepsKey() async throws {
        let all = try await Copied()
        let isMachine = try await all.meetUntilStopped()
        let (first, second) = isMachine ? (all.folders.replicas[0], all.copy) : (all.copy, all.folders.replicas[0])
        try await all.pass(from: first, to: second)
        let keeper = all.folders.replicas[0]
        let before = Set(try all.folders.listing(0)).union(try all.folders.listing(1))
        let epoch = try await keeper.replica()
        try await keeper.keepKey()
        #expect(keeper.stop == nil)
        #expect(try await keeper.replica() != epoch)
        // The member's knowledge of the stop, and of the other machine, stops it no more.
        let told = try #require(try await all.folders.replicas[1].stops()[SyncFolders.device(0)])
        try await keeper.heed(told, by: SyncFolders.device(1))
        try await all.folders.settle()
        try await all.folders.settle()
        try all.folders.write(1, "news", "of the member")
        try await all.folders.settle()
        #expect(all.folders.text(0, "news") == "of the member")
        let files = Set(try all.folders.common())
        #expect(files.isSuperset(of: before.filter { !$0.hasSuffix("/") }), "\(before.subtracting(files))")
        #expect(await isStopped(all.copy))
        #expect(all.text("f1") == "first f1")
        // The decision lasts over a restart, and is made once.
        try await all.folders.restart(0)
        #expect(all.folders.replicas[0].stop == nil)
        #expect(!(await isStopped(all.folders.replicas[0])))
        try await all.copy.close()
    }

    @Test("a stop is kept over new epochs of its keeper, and an answer of before it is not merged")
    func memberStops() async throws {
        let all = try await Copied()
        let isMachine = try await all.meetUntilStopped()
        let (first, second) = isMachine ? (all.folders.replicas[0], all.copy) : (all.copy, all.folders.replicas[0])
        let member = all.folders.replicas[1]
        let news = try await second.announcement(since: nil)
        #expect(try await member.mayTake(news))
        try await member.keep(stop: try #require(first.stop), of: SyncFolders.device(0))
        #expect(try await !member.mayTake(news))
        var unsealed = news
        unsealed.cursor.seal = nil
        #expect(try await !member.mayTake(unsealed))
        _ = try await member.exclusively { try $0.beginEpoch() }
        #expect(try await member.stops()[SyncFolders.device(0)] == first.stop)
        // An older one does not replace it.
        let older = SealedState.stop(at: 1).seal(by: SyncFolders.seals(0))
        try await member.keep(stop: older, of: SyncFolders.device(0))
        #expect(try await member.stops()[SyncFolders.device(0)] == first.stop)
        try await all.copy.close()
    }

    @Test("a member that meets a machine only through others knows when it goes on, whose own key that was before, too")
    func goesOnElsewhere() async throws {
        let folders = try await SyncFolders(3)
        let key = SyncFolders.device(0)
        try folders.write(0, "f", "text")
        try await folders.settle()
        let stop = SealedState.stop(at: 5_000_000_000_000_000_000).seal(by: SyncFolders.seals(0))
        for number in [1, 2] { try await folders.replicas[number].keep(stop: stop, of: key) }
        await #expect(throws: SyncError.self) { try await folders.replicas[0].heed(stop, by: SyncFolders.device(1)) }
        #expect(try await folders.replicas[2].stopped() == [key])
        #expect(try await folders.replicas[0].stopped().isEmpty)
        // The second member begins an epoch, as a copy with a new key does: the stop stays known.
        _ = try await folders.replicas[2].exclusively { try $0.beginEpoch() }
        #expect(try await folders.replicas[2].stopped() == [key])
        try await folders.replicas[0].keepKey()
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(try await folders.replicas[1].stopped().isEmpty)
        try await folders.synchronize(2)
        try await folders.pull(2, from: 1)
        #expect(try await folders.replicas[2].stopped().isEmpty)
        #expect(try await folders.replicas[2].heard(of: key) == nil)
    }

    // MARK: What a hostile member can do

    @Test("a forged stop, a seal in its place, and an old stop have no effect")
    func forged() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "f", "text")
        try await folders.settle()
        let (replica, member) = (folders.replicas[0], SyncFolders.device(1))
        let cursor = try #require(try await folders.replicas[1].heard(of: SyncFolders.device(0)))
        let epoch = try await replica.replica()
        var forged = SealedState.stop(at: .max - 1).seal(by: SyncFolders.seals(1)).bytes
        try await replica.heed(try #require(ReplicaSeal(forged)), by: member)
        #expect(replica.takeDoubted() == [member])
        forged = try #require(cursor.seal).bytes
        try await replica.heed(try #require(ReplicaSeal(forged)), by: member)
        #expect(replica.takeDoubted() == [member])
        // A real one from before the epoch began.
        try await replica.heed(SealedState.stop(at: 1).seal(by: SyncFolders.seals(0)), by: member)
        try await replica.check(
            ChangeCursor(cursor.replica, 1, seal: SealedState.stop(at: 1).seal(by: SyncFolders.seals(0))), by: member)
        #expect(replica.takeDoubted().isEmpty && replica.stop == nil)
        #expect(!(await isStopped(replica)))
        #expect(try await replica.replica() == epoch)
    }

    @Test("a real stop counts in either field, also from a member that was told by another one")
    func passedOn() async throws {
        let folders = try await SyncFolders(3)
        try folders.write(0, "f", "text")
        try await folders.settle()
        let stop = SealedState.stop(at: .max - 1).seal(by: SyncFolders.seals(0))
        try await folders.replicas[1].keep(stop: stop, of: SyncFolders.device(0))
        try folders.write(1, "g", "news")
        try await folders.synchronize(1)
        try await folders.pull(2, from: 1)
        try await folders.synchronize(2)
        do {
            try await folders.pull(0, from: 2)
            Issue.record("The stop has not come.")
        } catch let error as SyncError { #expect(error.kind == .halted(.keyElsewhere)) }
        #expect(folders.replicas[0].stop == stop)
    }

    @Test(
        "a machine that was set back once is stopped by no replay of its seals, in any order, in one run of its program"
    )
    func replays() async throws {
        let folders = try await SyncFolders(2)
        let (member, key) = (SyncFolders.device(1), SyncFolders.device(0))
        var heard: [ChangeCursor] = []
        func collect() async throws {
            if let cursor = try await folders.replicas[1].heard(of: key), !heard.contains(cursor) {
                heard.append(cursor)
            }
        }
        func work(_ text: String) async throws {
            for number in 0..<3 {
                try folders.write(0, "f", "\(text) \(number)")
                try await folders.settle()
                try await collect()
            }
        }
        try await work("before")
        try await folders.keepState(of: 0)
        try await work("lost")
        // The lost machine had begun an epoch of its own, too.
        _ = try await folders.replicas[0].exclusively { try $0.beginEpoch() }
        try await work("lost later")
        try await folders.setBack(0)
        let replica = folders.replicas[0]
        // Seals from before come first, as if the member had heard them in this run.
        for cursor in heard + heard.reversed() + heard.shuffled() {
            do { try await replica.check(cursor, by: member) } catch let error as SyncError {
                #expect(error.kind == .epochEnded)
            }
            #expect(replica.stop == nil)
        }
        try await work("after")
        for cursor in heard + heard.shuffled() {
            do { try await replica.check(cursor, by: member) } catch let error as SyncError {
                #expect(error.kind == .epochEnded)
            }
            if let seal = cursor.seal { try await replica.heed(seal, by: member) }
            var news = try await folders.replicas[1].announcement(since: nil)
            news.seals[key] = cursor.seal
            do { _ = try await replica.receive(news) } catch let error as SyncError {
                #expect(error.kind == .epochEnded)
            }
            try await folders.settle()
            #expect(replica.stop == nil)
        }
        #expect(heard.count >= 9)
        try await folders.settle()
    }

    @Test("an epoch shows its maker alone by which state it was begun")
    func epochs() {
        let state = SealedState(begun: 1, epoch: 2, sequence: 3, count: 4, random: 5)
        var other = state
        other.random += 1
        for _ in 0..<100 {
            let epoch = SyncFolders.seals(0).epoch(after: state)
            #expect(epoch != 0 && SyncFolders.seals(0).isEpoch(epoch, after: state))
            #expect(!SyncFolders.seals(0).isEpoch(epoch, after: other))
            #expect(!SyncFolders.seals(1).isEpoch(epoch, after: state))
        }
        #expect(SyncFolders.seals(0).epoch(after: state) != SyncFolders.seals(0).epoch(after: state))
    }
}
