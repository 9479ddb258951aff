import Foundation
import Glibc
import PortolanCrypto
import PortolanTrust
import Testing

@testable import Portolan
@testable import PortolanCommand

@Suite final class TransferRegisterTests {
    private let root = FileManager.default.temporaryDirectory.path + "/portolan-register-\(UUID())"
    private let register: TransferRegister
    private let lifetime = Duration.seconds(7 * 86400)

    init() throws {
        register = TransferRegister(try HomeDirectory(override: root, environment: [:]))
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func record(
        _ title: String = "disk.img", arguments: [String]? = ["disk.img", "--to", "b"], created: Date = .now
    ) -> TransferRecord {
        TransferRecord(
            id: .random(), created: created, target: "b", titles: [title], arguments: arguments, folder: "/tmp",
            total: 100)
    }

    private func write(_ text: String, as name: String) throws {
        let path = root + "/state/transfers/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    private func contents() throws -> TransferRegister.Contents { try register.contents(lifetime: lifetime) }

    @Test func anEmptyRegisterIsNotMade() throws {
        #expect(try contents().transfers.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    @Test func whatIsLockedRunsAndWhatIsNotCanGoOn() throws {
        let record = record()
        var lock: HeldLock? = try register.add(record)
        #expect(try contents().transfers.map(\.status) == [.waiting])
        withExtendedLifetime(lock) {}
        lock = nil
        let kept = try contents().transfers
        #expect(kept.map(\.status) == [.resumable])
        #expect(kept.map(\.id) == [record.id])
        let (taken, held) = try register.take(record.id)
        #expect(taken.arguments == record.arguments)
        #expect(throws: CommandFailure.self) { try self.register.take(record.id) }
        #expect(throws: CommandFailure.self) { try self.register.forget(record.id) }
        withExtendedLifetime(held) {}
    }

    @Test(arguments: [nil, "ben"])
    func howMuchThereWillBeIsKnownForOneReceiverOnly(member: String?) throws {
        let member = try member.map { try DeviceName($0) }
        let running = RunningTransfer(record(), in: register, lock: nil)
        let peer = RemotePeer(
            name: "ben", fingerprint: Fingerprint(of: DeviceKey.generate().publicKey), address: "127.0.0.1",
            isKnown: true, standing: .anyone)
        running.report(.connected(peer), of: member)
        running.report(.started(item: 0, representation: 0, name: "folder", bytes: nil), of: member)
        running.report(.found(item: 0, bytes: 4096, isAll: false), of: member)
        running.report(.progress(item: 0, done: 10, transferred: 10), of: member)
        running.end(isToBeKept: true)
        let kept = try #require(try contents().transfers.first)
        #expect(kept.bytes == 10)
        #expect(kept.total == (member == nil ? 4096 : nil))
    }

    @Test func whatCannotGoOnIsGoneWithItsProcess() throws {
        withExtendedLifetime(try register.add(record(arguments: nil))) {}
        withExtendedLifetime(try register.add(record(created: .now - 8 * 86400))) {}
        #expect(try contents().transfers.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/state/transfers").isEmpty)
    }

    @Test func theSameCommandGoesOnWithItsRecord() throws {
        let record = record()
        withExtendedLifetime(try register.add(record)) {}
        #expect(try register.take(arguments: ["other"], folder: "/tmp") == nil)
        #expect(try register.take(arguments: ["disk.img", "--to", "b"], folder: "/") == nil)
        let taken = try #require(try register.take(arguments: ["disk.img", "--to", "b"], folder: "/tmp"))
        #expect(taken.0.id == record.id)
        #expect(try register.take(arguments: ["disk.img", "--to", "b"], folder: "/tmp") == nil, "it runs")
        withExtendedLifetime(taken.1) {}
    }

    @Test func cancellingLeavesAMarkForWhoeverWorksOnIt() throws {
        let record = record()
        let lock = try register.add(record)
        #expect(!register.isToStop(record.id))
        #expect(try register.cancel(record.id).id == record.id)
        #expect(try register.cancel(record.id).id == record.id, "twice is once")
        #expect(register.isToStop(record.id))
        withExtendedLifetime(lock) {}
        try register.remove(record.id)
        #expect(!register.isToStop(record.id))
    }

    @Test func whoGoesOnDoesNotHearWhatTheOneBeforeWasTold() throws {
        let record = record()
        var lock: HeldLock? = try register.add(record)
        _ = try register.cancel(record.id)
        withExtendedLifetime(lock) {}
        // It was killed before it looked.
        lock = nil
        let taken = try register.take(record.id)
        #expect(!register.isToStop(record.id))
        withExtendedLifetime(taken.1) {}
    }

    @Test func howLongItIsKeptCountsFromItsLastChange() throws {
        var old = record(created: .now - 30 * 86400)
        old.changed = .now - 86400
        withExtendedLifetime(try register.add(old)) {}
        #expect(try contents().transfers.map(\.id) == [old.id])
    }

    @Test func whatNobodyWorksOnCannotBeCancelledAndCanBeForgotten() throws {
        let record = record()
        withExtendedLifetime(try register.add(record)) {}
        let failure = try #require(throws: CommandFailure.self) { try self.register.cancel(record.id) }
        #expect(failure.status == .unreachable)
        #expect(try register.forget(record.id).id == record.id)
        let unknown = try #require(throws: CommandFailure.self) { try self.register.forget(record.id) }
        #expect(unknown.status == .unreachable)
        #expect(try contents().transfers.isEmpty)
    }

    @Test func whatCannotBeReadIsPassedOverWithASentence() throws {
        withExtendedLifetime(try register.add(record("good"))) {}
        try write(#"{"version":2,"anything":true}"#, as: "newer123.json")
        try write("{", as: "damaged1.json")
        try write(#"{"version":1}"#, as: "damaged2.json")
        try write("", as: "empty123.json")
        try write("no record at all", as: "README.txt")
        try FileManager.default.createSymbolicLink(
            atPath: root + "/state/transfers/link1234.json", withDestinationPath: "/etc/passwd")
        let contents = try contents()
        #expect(contents.transfers.map(\.titles) == [["good"]])
        #expect(contents.complaints.count == 5, "\(contents.complaints)")
        #expect(contents.complaints.contains { $0.contains("newer123") && $0.contains("later version") })
        for complaint in contents.complaints { #expect(DisplayText.isHarmless(complaint)) }
        let newer = try #require(throws: CommandFailure.self) { try self.register.take(TransferID("newer123")) }
        #expect(newer.status == .badData)
    }

    @Test func aRecordUnderAnotherNameIsNotUsed() throws {
        let record = record()
        withExtendedLifetime(try register.add(record)) {}
        try FileManager.default.copyItem(
            atPath: root + "/state/transfers/\(record.id).json", toPath: root + "/state/transfers/copied12.json")
        #expect(try contents().transfers.count == 1)
        #expect(try contents().complaints.count == 1)
    }

    @Test func hostileTextIsShownSafely() throws {
        let hostile = "a\u{1B}[2J\u{202E}\n"
        var record = record(hostile)
        record.name = hostile
        let view = TransferView(record)
        #expect(DisplayText.isHarmless(view.line))
        #expect(Event.transfer(view).text.unicodeScalars.allSatisfy { !DisplayText.isHarmful($0) })
    }
}
