import Foundation
import Glibc
import TestSupport
import Testing

extension OnTwoHosts {
    /// Transfers that are interrupted in the middle, and their outcomes.
    @Suite("Interruptions") struct Interruptions {
        @Test func aCablePulledAndPutBackIsAllTheSameToARunningTransfer() async throws {
            try await HostPair.with(.none) { a, b, pair in
                for host in [a, b] { try await host.configure("timeouts: { find: 10, silence: 4 }\n") }
                let transfer = try await LargeTransfer.start(from: a, to: b)
                try await pair.cut()
                transfer.goOn()
                try await transfer.sender.waitToSay(#""retrying""#)
                try await pair.join()
                try await transfer.expectToEndWell(transfer.sender)
                #expect(transfer.receiver.isRunning)
            }
        }

        @Test func aReceiverKilledAndStartedAgainIsAllTheSameToARunningTransfer() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let transfer = try await LargeTransfer.start(from: a, to: b)
                try await transfer.receiver.stop(SIGKILL)
                transfer.goOn()
                #expect(try Files.visibleNames(in: transfer.inbox).isEmpty)
                _ = try await b.receive(into: transfer.inbox)
                try await transfer.expectToEndWell(transfer.sender)
            }
        }

        @Test func killedSenderResumesWithTheSameCommand() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let transfer = try await LargeTransfer.start(from: a, to: b)
                try await transfer.sender.stop(SIGKILL)
                #expect(try Files.visibleNames(in: transfer.inbox).isEmpty)
                expect(try await a.send(["--text", "meanwhile"], to: "ben"), endsWith: ExitCode.done)
                let note = try #require(try Files.visibleNames(in: transfer.inbox).first)
                try Files.remove("\(transfer.inbox)/\(note)")
                try await transfer.expectToEndWell(a.start(transfer.command))
            }
        }

        @Test func interruptedTransferIsListedAndResumed() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let transfer = try await LargeTransfer.start(from: a, to: b)
                #expect(try await a.transfers().map { $0["status"] as? String } == ["running"])
                transfer.sender.signal(SIGINT)
                transfer.goOn()
                expect(try await transfer.sender.finish(), endsWith: ExitCode.interrupted)
                #expect(try Files.visibleNames(in: transfer.inbox).isEmpty)
                #expect(try await a.transfers().map { $0["status"] as? String } == ["resumable"])
                try await transfer.expectToEndWell(a.start(a.portolan(["resume", "--json"])))
                #expect(try await a.transfers().isEmpty)
            }
        }

        @Test func cancelledTransferEndsAndIsNotListed() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let transfer = try await LargeTransfer.start(from: a, to: b)
                let id = try #require(try await a.transfers().first?["id"] as? String)
                expect(try await a.run(a.portolan(["transfers", "cancel", id])), endsWith: ExitCode.done)
                transfer.goOn()
                expect(try await transfer.sender.finish(), endsWith: ExitCode.interrupted)
                #expect(try await a.transfers().isEmpty)
                #expect(try Files.visibleNames(in: transfer.inbox).isEmpty)
            }
        }

        @Test(arguments: [1, 2000])
        func itemStoppedByTheReceiverDoesNotAffectTheNext(files: Int) async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox)
                let trip = a.files + "/trip"
                try Files.makeFolder(trip)
                for number in 0..<files { try Files.makeNoise("\(trip)/\(number)", size: (16 << 20) / files) }
                try Files.write("after it", to: a.files + "/after")
                let arguments = ["send", trip, a.files + "/after", "--to", "ben", "--limit-rate", "512K"]
                let sender = try await a.start(a.portolan(arguments + ["--compress", "never"]))
                var id: String?
                try await eventually("something has come") {
                    id = try await b.transfers().first?["id"] as? String
                    return id != nil
                }
                expect(try await b.run(b.portolan(["transfers", "cancel", #require(id)])), endsWith: ExitCode.done)
                expect(try await sender.finish(), endsWith: ExitCode.io)
                #expect(try Files.names(in: inbox) == ["after"])
                #expect(try await b.transfers().isEmpty)
                #expect(receiver.isRunning)
            }
        }

        @Test func withoutTryingAgainAPulledCableEndsTheSenderAndTheNextSendingSucceeds() async throws {
            try await HostPair.with(.none) { a, b, pair in
                for host in [a, b] { try await host.configure("timeouts: { find: 10, silence: 4 }\n") }
                let transfer = try await LargeTransfer.start(from: a, to: b, ["--retry", "0"])
                try await pair.cut()
                transfer.goOn()
                let sending = try await transfer.sender.finish()
                expect(sending, endsWith: ExitCode.interrupted, ExitCode.io)
                #expect(try Files.visibleNames(in: transfer.inbox).isEmpty)
                #expect(transfer.receiver.isRunning)

                try await pair.join()
                expect(try await a.send(["--text", "again"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: transfer.inbox).count == 1)
            }
        }

        @Test func replacedSourceBeginsAgain() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let transfer = try await LargeTransfer.start(from: a, to: b)
                try await transfer.sender.stop(SIGKILL)
                try Files.remove(transfer.file)
                try Files.write(noise(LargeTransfer.size - 4097, seed: 77), to: transfer.file)
                let again = try await a.start(transfer.command)
                expect(try await again.finish(within: .seconds(120)), endsWith: ExitCode.done)
                #expect(try Files.names(in: transfer.inbox) == ["large.bin"])
                #expect(try Files.areEqual(transfer.file, transfer.inbox + "/large.bin"))
            }
        }

        @Test func damagedPartialIsRepaired() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let transfer = try await LargeTransfer.start(from: a, to: b)
                try await transfer.sender.stop(SIGKILL)
                let partial = try #require(
                    try Files.names(in: transfer.inbox).first { $0.hasPrefix(".portolan-partial-") })
                // Within the first part that was sent.
                try Files.overwrite("\(transfer.inbox)/\(partial)/item", at: 1 << 20, with: noise(5000, seed: 78))
                try await transfer.expectToEndWell(a.start(transfer.command))
            }
        }
    }
}

/// A file whose sender is stopped in the middle of it, so that the test can interrupt it, and what the test expects
/// afterwards.
struct LargeTransfer {
    static let size = 32 << 20

    let file: String
    let inbox: String
    let command: Command
    let sender: RunningCommand
    let receiver: RunningCommand
    private let a: TestHost
    private let sentBefore: Int

    /// Starts to send, and stops the sender by a signal when it has sent a quarter of the file.
    ///
    /// - Throws: `HostsError` if the sender ends before that, or does not come so far.
    static func start(from a: TestHost, to b: TestHost, _ arguments: [String] = []) async throws -> LargeTransfer {
        let inbox = b.files + "/inbox"
        let receiver = try await b.receive(into: inbox)
        let file = a.files + "/large.bin"
        try Files.makeNoise(file, size: size)
        let sentBefore = a.cableBytes.sent
        let command = try a.portolan(["send", file, "--to", "ben", "--json", "--limit-rate", "10M"] + arguments)
        // The program starts stopped, since on a busy machine the call that starts it may return late.
        let stopped = Command(["sh", "-c", #"kill -STOP $$; exec "$@""#, "sh"] + command.arguments)
        let sender = try await a.start(stopped)
        let hasBegun = await withCheckedContinuation { continuation in
            // A thread gets processor time sooner than a task, whose threads other tests may keep busy.
            Thread.detachNewThread {
                let deadline = ContinuousClock.now + .seconds(120)
                while sender.isRunning, .now < deadline, a.cableBytes.sent <= sentBefore + size / 4 {
                    sender.signal(SIGCONT)
                    usleep(5000)
                }
                sender.signal(SIGSTOP)
                continuation.resume(returning: a.cableBytes.sent > sentBefore + size / 4)
            }
        }
        guard hasBegun, sender.isRunning else {
            sender.kill()
            let sending = try await sender.finish()
            throw HostsError("The file is not on its way: \(sending)")
        }
        return LargeTransfer(
            file: file, inbox: inbox, command: command, sender: sender, receiver: receiver, a: a,
            sentBefore: sentBefore)
    }

    /// Has the stopped sender continue.
    func goOn() { sender.signal(SIGCONT) }

    /// Expects that the command that resumes the transfer ends with 0, that the inbox contains the file and nothing
    /// else, and that little was sent twice.
    ///
    /// - Parameter lost: the most that was in flight: a few megabytes of queues.
    func expectToEndWell(
        _ command: RunningCommand, lost: Int = size / 4, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let ending = try await command.finish()
        expect(ending, endsWith: ExitCode.done, sourceLocation: sourceLocation)
        let kept = jsonObjects(ending.text).first { $0["event"] as? String == "resumed" }?["kept"] as? Int
        #expect((kept ?? 0) > 0, "nothing was kept\n\(ending)", sourceLocation: sourceLocation)
        #expect(try Files.names(in: inbox) == ["large.bin"], sourceLocation: sourceLocation)
        #expect(try Files.areEqual(file, inbox + "/large.bin"), sourceLocation: sourceLocation)
        let sent = a.cableBytes.sent - sentBefore
        #expect(sent < Self.size + lost, "much was sent twice", sourceLocation: sourceLocation)
    }
}

extension TestHost {
    /// Returns the list of `portolan transfers`.
    func transfers() async throws -> [[String: Any]] {
        let listing = try await run(portolan(["transfers", "--json"]))
        expect(listing, endsWith: ExitCode.done)
        return events("transfer", in: listing.text)
    }
}
