import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Streams of unknown size, with or without an end: from standard input, to standard output.
    @Suite("Streams") struct Streams {
        /// `portolan` with arguments, for a line of a shell.
        private func portolan(_ arguments: String) throws -> String {
            "'\(try BuiltProduct.path("portolan"))' \(arguments)"
        }

        private func shell(_ line: String) -> Command { Command(["bash", "-o", "pipefail", "-c", line]) }

        /// A receiver of one item, whose standard output another command reads.
        private func receive(on b: TestHost, into reader: String) async throws -> RunningCommand {
            let receiver = try await b.start(shell("\(portolan("receive --once --yes --output -")) | \(reader)"))
            try await eventually("the receiver listens") { b.listeningPorts.contains(TestHost.defaultPort) }
            return receiver
        }

        @Test func tarAtBothEndsCarriesAFolderWhole() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let (trip, arrived) = (a.files + "/trip", b.files + "/arrived")
                try Files.makeFolder(trip + "/photos/empty")
                try Files.write(noise(5_000_001, seed: 1), to: trip + "/photos/1.jpg")
                try Files.write("#!/bin/sh\n", to: trip + "/run")
                try Files.makeFolder(arrived)
                let receiver = try await receive(on: b, into: "tar -C '\(arrived)' -xf -")
                let send = try portolan("send - --to ben --type public.tar-archive")
                expect(try await a.run(shell("tar -C '\(trip)' -cf - . | \(send)")), endsWith: ExitCode.done)
                expect(try await receiver.finish(), endsWith: ExitCode.done)
                #expect(try Files.names(in: arrived + "/photos") == ["1.jpg", "empty"])
                #expect(try Files.areEqual(trip + "/photos/1.jpg", arrived + "/photos/1.jpg"))
                #expect(try Files.areEqual(trip + "/run", arrived + "/run"))
            }
        }

        @Test func brokenStreamFailsAtAReceiverThatWritesIt() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let receiver = try await receive(on: b, into: "wc -c")
                let sender = try await startEndless(from: a)
                try await sender.stop(SIGKILL)
                let receiving = try await receiver.finish()
                #expect([ExitCode.io, ExitCode.interrupted].contains(receiving.code), "\(receiving)")
                #expect(!receiving.errorText.isEmpty)
            }
        }

        @Test func brokenStreamIsNotStored() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox)
                let sender = try await startEndless(from: a)
                try await sender.stop(SIGKILL)
                expect(try await a.send(["--text", "after it"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: inbox).count == 1)
                #expect(receiver.isRunning)
            }
        }

        @Test func closedReaderEndsTheSender() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let receiver = try await receive(on: b, into: "head -c 100000 | wc -c")
                let sender = try await a.start(
                    a.portolan(["send", "-", "--to", "ben", "--type", "public.data"], input: .file("/dev/zero")))
                let sending = try await sender.finish()
                #expect(sending.code != 0, "\(sending)")
                expect(sending, endsWith: sending.code)
                let receiving = try await receiver.finish()
                #expect(receiving.code != 0, "\(receiving)")
                #expect(receiving.text.contains("100000"), "\(receiving)")
            }
        }

        @Test func closedOutputIsAFailure() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let receiver = try await b.start(shell("\(portolan("receive --yes --output -")) >&-"))
                try await eventually("the receiver listens") { b.listeningPorts.contains(TestHost.defaultPort) }
                expect(try await a.send(["--text", "x"], to: "ben"), endsWith: ExitCode.cannotWrite)
                expect(try await receiver.finish(), endsWith: ExitCode.io)
            }
        }

        @Test func slowReaderStopsTheSender() async throws {
            try await HostPair.with(.none) { a, b, _ in
                _ = try await receive(on: b, into: "sleep 1000")
                let arguments = ["send", "-", "--to", "ben", "--type", "public.data", "--compress", "never"]
                let sender = try await a.start(a.portolan(arguments, input: .file("/dev/zero")))
                var last = -1
                try await eventually("nothing goes on") {
                    let now = a.cableBytes.sent
                    // Signs of life are allowed.
                    if now > 1 << 16, now - last < 20_000 { return true }
                    last = now
                    try await Task.sleep(for: .seconds(1))
                    return false
                }
                #expect(sender.isRunning)
                #expect(a.cableBytes.sent < 256 << 20)
            }
        }

        /// Starts to send an endless stream, and returns when it is under way.
        private func startEndless(from a: TestHost) async throws -> RunningCommand {
            let before = a.cableBytes.sent
            let arguments = ["send", "-", "--to", "ben", "--type", "public.data", "--limit-rate", "20M"]
            let sender = try await a.start(
                a.portolan(arguments + ["--compress", "never"], input: .file("/dev/zero")))
            try await eventually("the stream is on its way") { a.cableBytes.sent > before + (5 << 20) }
            return sender
        }
    }
}
