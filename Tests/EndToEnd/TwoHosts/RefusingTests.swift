import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Sends that must fail, each with its own exit code.
    @Suite("Refusing") struct Refusing {
        @Test func withoutATerminalAndWithoutYesTheReceiverDeclines() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let receiver = try await b.receive(into: b.files + "/inbox", [])
                expect(try await a.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.declined)
                #expect(try Files.names(in: b.files + "/inbox").isEmpty)
                #expect(receiver.isRunning)
            }
        }

        @Test(arguments: [("y\n", ExitCode.done, 1), ("n\n", ExitCode.declined, 0)])
        func receiverAsksOnATerminalAndFollowsTheAnswer(
            answer: String, code: Int32, count: Int
        ) async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox, [], input: .terminal)
                let sender = try await a.start(a.portolan(["send", "--text", "hello", "--to", "ben"]))
                let fingerprint = try await a.fingerprint()
                // The question names the sender and its key.
                try await receiver.waitToSay("ada") { $0.contains("ada") && $0.contains(fingerprint) }
                receiver.type(answer)
                expect(try await sender.finish(), endsWith: code)
                #expect(try Files.names(in: inbox).count == count)
            }
        }

        @Test func outputDuringAQuestionIsPrintedAboveTheRedrawnQuestion() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let receiver = try await b.receive(into: b.files + "/inbox", [], input: .terminal)
                let sender = try await a.start(a.portolan(["send", "--text", "hello", "--to", "ben"]))
                try await receiver.waitToSay("[y/n/?] ")
                let question = try #require(receiver.output.split(separator: "\r\n").last)
                #expect(question.hasPrefix("Take ") && question.hasSuffix("[y/n/?] "), "\(receiver.output)")
                receiver.type("n")
                try await receiver.waitToSay("what was typed") { $0.hasSuffix("[y/n/?] n") }
                let noise = "printf 'GET / HTTP/1.0\\r\\n\\r\\n' >/dev/tcp/\(b.address)/\(TestHost.defaultPort)"
                try await a.require(["bash", "-c", noise])
                // The line erases the question that was displayed in its place.
                try await receiver.waitToSay("the question after the remark") { said in
                    guard let remark = said.range(of: "\r\u{1B}[Kportolan: A connection from \(a.address)") else {
                        return false
                    }
                    let after = said[remark.upperBound...]
                    return after.contains("\r\n\r\u{1B}[KOffered by ") && after.hasSuffix("\r\n" + question)
                }
                // Input before the question was redrawn is wiped, and is no part of the answer.
                receiver.type("y\n")
                expect(try await sender.finish(), endsWith: ExitCode.done)
            }
        }

        @Test func answerToAnEndedOfferIsReported() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox, [], input: .terminal)
                let sender = try await a.start(a.portolan(["send", "--text", "hello", "--to", "ben"]))
                try await receiver.waitToSay("[y/n/?] ")
                receiver.type("y")
                sender.kill()
                try await receiver.waitToSay("The offer of “ada” is over")
                _ = try await sender.finish()
                #expect(try Files.names(in: inbox).isEmpty)
            }
        }

        @Test func receiverWithoutAnImportableFormTakesNothing() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let receiver = try await b.receive(into: b.files + "/inbox", ["--yes", "--accept", "public.image"])
                expect(try await a.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.nothingInCommon)
                #expect(try Files.names(in: b.files + "/inbox").isEmpty)
                #expect(receiver.isRunning)
            }
        }

        @Test(arguments: ["10.77.0.2:47217", "10.77.0.99:47217", "nobody"])
        func missingPeerIsReportedSoon(peer: String) async throws {
            try await HostPair.with(.none) { a, _, _ in
                try await a.configure("timeouts: { find: 2 }\n")
                let sending = try await a.send(["--text", "hello"], to: peer)
                expect(sending, endsWith: ExitCode.unreachable)
            }
        }

        @Test func differentKeyUnderAKnownNameIsNotTrusted() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let named = { (home: String) in ["--yes", "--name", "ben", "--home", b.directory + home] }
                let first = try await b.receive(into: b.files + "/one", named("/one"))
                expect(try await a.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.done)
                try await first.stop()

                let second = try await b.receive(into: b.files + "/two", named("/two"))
                let sending = try await a.send(["--text", "secret"], to: "ben")
                expect(sending, endsWith: ExitCode.notTrusted)
                #expect(try Files.names(in: b.files + "/two").isEmpty)
                // Selected by its key, it is another device with that name, and is listed under the name with a number.
                let start = try await b.fingerprint(["--home", b.directory + "/two"]).prefix(9)
                #expect(sending.errorText.contains("--to \(start)"), "\(sending)")
                for name in [String(start), "ben (2)"] {
                    expect(try await a.send(["--text", "hello"], to: name), endsWith: ExitCode.done)
                }
                try await second.stop()

                // The first one is as welcome as before.
                _ = try await b.receive(into: b.files + "/one", named("/one"))
                expect(try await a.send(["--text", "again"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: b.files + "/one").count == 2)
                #expect(try Files.visibleNames(in: b.files + "/two").count == 2)
            }
        }

        @Test(arguments: [("y\n", ExitCode.done, 2), ("n\n", ExitCode.declined, 1)])
        func receiverAsksAboutANamesake(
            answer: String, code: Int32, count: Int
        ) async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let first = try await b.receive(into: inbox)
                expect(try await a.send(["--text", "hello"], to: "ben"), endsWith: ExitCode.done)
                try await first.stop()

                let receiver = try await b.receive(into: inbox, [], input: .terminal)
                let home = ["--home", a.directory + "/other"]
                expect(try await a.run(a.portolan(["id", "--name", "ada"] + home)), endsWith: ExitCode.done)
                let sender = try await a.start(a.portolan(["send", "--text", "hello", "--to", "ben"] + home))
                let fingerprints = [try await a.fingerprint(), try await a.fingerprint(home)]
                try await receiver.waitToSay("ada (2)") { said in
                    said.contains("ada (2)") && fingerprints.allSatisfy { said.contains($0) }
                }
                receiver.type(answer)
                expect(try await sender.finish(), endsWith: code)
                #expect(try Files.visibleNames(in: inbox).count == count)
            }
        }

        @Test func fullDiskIsReportedToTheSenderAndBlocksNobody() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                try await b.mountDisk(at: inbox, size: 8 << 20)
                let receiver = try await b.receive(into: inbox)
                try Files.makeNoise(a.files + "/large", size: 64 << 20)
                expect(try await a.send([a.files + "/large"], to: "ben"), endsWith: ExitCode.cannotWrite)
                let seen = b.outside(inbox)
                #expect(try Files.visibleNames(in: seen).isEmpty)
                try await eventually("the partial is gone") { try Files.names(in: seen).isEmpty }
                expect(try await a.send(["--text", "small"], to: "ben"), endsWith: ExitCode.done)
                #expect(receiver.isRunning)
            }
        }

        @Test(arguments: [[], ["--limit-rate", "30M"]])
        func itemThatDoesNotFitDoesNotAffectTheNext(limit: [String]) async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                try await b.mountDisk(at: inbox, size: 8 << 20)
                let receiver = try await b.receive(into: inbox)
                let trip = a.files + "/trip"
                try Files.makeFolder(trip)
                for number in 0..<20 { try Files.makeNoise("\(trip)/\(number)", size: 100_000) }
                // There is no room for this file, but for the following ones.
                try Files.makeNoise(trip + "/large", size: 12 << 20)
                try Files.write("after it", to: a.files + "/after")
                let sending = try await a.send([trip, a.files + "/after", "--compress", "never"] + limit, to: "ben")
                expect(sending, endsWith: ExitCode.cannotWrite)
                #expect(try Files.visibleNames(in: b.outside(inbox)) == ["after"])
                #expect(receiver.isRunning)
            }
        }
    }
}
