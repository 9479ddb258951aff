import Foundation
import Glibc
import TestSupport
import Testing

extension OnTwoHosts {
    /// Transfers that something breaks in the middle.
    @Suite("Interruptions") struct Interruptions {
        /// More than crosses the cable before the interruption, yet it takes no room at the sender.
        private static let size = 32 << 30

        /// Starts to send something large from a to b and comes back while it is on its way.
        private func startLarge(from a: TestHost, into inbox: String) async throws -> RunningCommand {
            let file = a.files + "/large.bin"
            try Files.makeHollow(file, size: Self.size)
            let sender = try await a.start(a.portolan(["send", file, "--to", "ben"]))
            try await eventually("the transfer is on its way") {
                guard sender.isRunning else { throw HostsError("\(sender.outcome.map { "\($0)" } ?? "")") }
                return Files.size(of: inbox) > 4 << 20
            }
            return sender
        }

        /// Nothing of the broken transfer is to be seen, now or later, and its room is given back.
        private func expectNothing(in inbox: String, within limit: Duration) async throws {
            #expect(try Files.visibleNames(in: inbox).isEmpty)
            try await eventually("the partial is gone", within: limit) { try Files.names(in: inbox).isEmpty }
        }

        @Test func aCablePulledInTheMiddleEndsTheSenderAndTheNextSendingSucceeds() async throws {
            try await HostPair.with(.none) { a, b, pair in
                let inbox = b.files + "/inbox"
                for host in [a, b] { try await host.configure("timeouts: { silence: 4 }\n") }
                let receiver = try await b.receive(into: inbox)
                let sender = try await startLarge(from: a, into: inbox)
                try await pair.cut()
                let sending = try await sender.finish(within: .seconds(15))
                expect(sending, endsWith: ExitCode.interrupted, ExitCode.io)
                try await expectNothing(in: inbox, within: .seconds(15))
                #expect(receiver.isRunning)

                try await pair.join()
                expect(try await a.send(["--text", "again"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.names(in: inbox).count == 1)
            }
        }

        @Test func aKilledSenderLeavesNothingBehindAndTheReceiverServesTheNext() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox)
                let sender = try await startLarge(from: a, into: inbox)
                sender.kill()
                _ = try await sender.finish()
                try await expectNothing(in: inbox, within: .seconds(5))
                expect(try await a.send(["--text", "again"], to: "ben"), endsWith: ExitCode.done)
                #expect(receiver.isRunning)
            }
        }

        @Test func anInterruptedSenderSaysSoAndLeavesNothingBehind() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let sender = try await startLarge(from: a, into: inbox)
                sender.signal(SIGINT)
                let sending = try await sender.finish(within: .seconds(5))
                #expect([ExitCode.interrupted, 130].contains(sending.code), "\(sending)")
                try await expectNothing(in: inbox, within: .seconds(5))
            }
        }

        @Test func aKilledReceiverEndsTheSenderShowsNothingHalfwrittenAndStartsAgain() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox)
                let sender = try await startLarge(from: a, into: inbox)
                receiver.kill()
                let sending = try await sender.finish(within: .seconds(10))
                expect(sending, endsWith: ExitCode.interrupted, ExitCode.io)
                #expect(try Files.visibleNames(in: inbox).isEmpty)

                _ = try await b.receive(into: inbox)
                expect(try await a.send(["--text", "again"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: inbox).count == 1)
            }
        }
    }
}
