import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Remains of a process that dies, at any moment.
@Suite(.aside) struct CrashTests {
    let temporary = TemporaryFolder()

    @Test(arguments: 1...8) func aKilledReceiverLeavesNothingVisible(afterStep step: Int) throws {
        let inbox = try temporary.inbox()
        let child = try ChildProcess(task: "\(step)", folder: inbox.path, output: temporary("output"))
        #expect(child.wait() & 0x7F == SIGKILL)
        let left = names(in: inbox.path)
        #expect(left.count == 1 && left.allSatisfy { $0.hasPrefix(FileName.partialPrefix) }, "\(left)")
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(600)) == 0)
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .zero) == 1)
        #expect(names(in: inbox.path).isEmpty)
    }

    @Test func anItemIsEitherWholeOrNotThereWheneverTheReceiverDies() throws {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        let inbox = try temporary.inbox()
        for _ in 0..<4 {
            let child = try ChildProcess(task: "publish for ever", folder: inbox.path, output: temporary("output"))
            let before = names(in: inbox.path).count
            #expect(eventually { names(in: inbox.path).count > before + 2 })
            usleep(UInt32.random(in: 0...30_000, using: &generator))
            child.kill()
            child.wait()
            for item in names(in: inbox.path) where !item.hasPrefix(FileName.partialPrefix) {
                for index in 1...3 {
                    let expected = Array(String(repeating: "\(index)", count: 100_000).utf8)
                    #expect(content(of: "\(inbox.path)/\(item)/\(index)") == expected, "seed \(seed): \(item)/\(index)")
                }
            }
            try inbox.removeExpiredPartials(leftoversOlderThan: .zero)
            #expect(names(in: inbox.path).allSatisfy { !$0.hasPrefix(".") })
        }
    }

    /// Items that the killed receivers receive.
    static let shipment: Shipment = {
        var shipment = Shipment.tree()
        shipment.entries[1].kind = .file(Shipment.noise(6 << 20, 1))
        return shipment
    }()

    @Test func aReceiverKilledAgainAndAgainStoresTheItemInTheEnd() throws {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        let inbox = try temporary.inbox()
        var kills = 0
        for round in 0..<60 where names(in: inbox.path).allSatisfy({ $0.hasPrefix(FileName.partialPrefix) }) {
            let child = try ChildProcess(task: "receive", folder: inbox.path, output: temporary("output"))
            // The last process is not killed.
            if round < 12 {
                _ = eventually { names(in: inbox.path).count > 0 }
                usleep(UInt32.random(in: 0...60_000, using: &generator))
                child.kill()
                kills += 1
            }
            child.wait()
        }
        // A receiver that was killed between the last two steps has stored the item and left an empty partial.
        try inbox.removeExpiredPartials(leftoversOlderThan: .zero)
        let output = String(decoding: content(of: temporary("output")) ?? [], as: UTF8.self)
        #expect(snapshot(of: inbox.path) == Self.shipment.expected(as: "tree"), "seed \(seed): \(output)")
        #expect(kills > 0)
    }

    @Test func theLockOfALivingReceiverHoldsInOtherProcesses() throws {
        let inbox = try temporary.inbox()
        let child = try ChildProcess(task: "hold a partial", folder: inbox.path, output: temporary("output"))
        #expect(
            eventually {
                names(in: inbox.path).first.map { content(of: "\(inbox.path)/\($0)/item/ready")?.count == 4 } ?? false
            })
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(-1)) == 0)
        #expect(names(in: inbox.path).count == 1)
        child.kill()
        child.wait()
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(-1)) == 1)
    }

    @Test func missingPermissionsAreReported() throws {
        temporary.folder("passage", mode: 0o711)
        temporary.folder("passage/tree")
        temporary.file("passage/tree/readable", "x")
        temporary.file("passage/tree/secret", "x", mode: 0o000)
        temporary.folder("passage/tree/closed")
        temporary.file("passage/tree/closed/inner", "x")
        #expect(chmod(temporary("passage/tree/closed"), 0o000) == 0)
        temporary.folder("not ours", mode: 0o555)
        #expect(chmod(temporary.path, 0o755) == 0)
        let child = try ChildProcess(task: "without privileges", folder: temporary.path, output: temporary("output"))
        let status = child.wait()
        #expect(status == 0, "\(String(decoding: content(of: temporary("output")) ?? [], as: UTF8.self))")
        #expect(chmod(temporary("passage/tree/closed"), 0o700) == 0)
    }
}
