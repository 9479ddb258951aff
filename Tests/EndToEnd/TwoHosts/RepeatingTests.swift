import Foundation
import Glibc
import TestSupport
import Testing

extension OnTwoHosts {
    /// Items that are present already, sent twice at once, or held back.
    @Suite("Repeating") struct Repeating {
        @Test func repeatedFolderSendsOnlyChanges() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let trip = a.files + "/trip"
                for number in 0..<20 {
                    try Files.makeFolder("\(trip)/\(number % 4)")
                    try Files.write(noise(300_000, seed: UInt64(number)), to: "\(trip)/\(number % 4)/\(number).bin")
                }
                func sentBytes() async throws -> Int {
                    let before = a.cableBytes.sent
                    expect(try await a.send([trip, "--compress", "never"], to: "ben"), endsWith: ExitCode.done)
                    #expect(try Files.names(in: inbox) == ["trip"])
                    #expect(try Files.inventory(of: inbox + "/trip") == Files.inventory(of: trip))
                    return a.cableBytes.sent - before
                }
                #expect(try await sentBytes() > 6_000_000)
                #expect(try await sentBytes() < 100_000)
                try Files.write(noise(300_000, seed: 99), to: trip + "/3/7.bin")
                try Files.write("new", to: trip + "/2/new.txt")
                #expect(try await (300_000..<500_000).contains(sentBytes()))
            }
        }

        @Test func repeatedEmptyFolderIsStoredOnce() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                try Files.makeFolder(a.files + "/empty")
                for kept in [0, 1] {
                    let sending = try await a.send([a.files + "/empty", "--json"], to: "ben")
                    expect(sending, endsWith: ExitCode.done)
                    let settled = try #require(events("settled", in: sending.text).first)
                    #expect(settled["outcome"] as? String == "stored")
                    #expect(settled["keptEntries"] as? Int == kept, "\(sending)")
                    #expect(try Files.names(in: inbox) == ["empty"])
                    #expect(try Files.inventory(of: inbox + "/empty") == Files.inventory(of: a.files + "/empty"))
                }
            }
        }

        @Test func localChangesAtTheReceiverStay() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let trip = a.files + "/trip"
                try Files.makeFolder(trip)
                try Files.write("first", to: trip + "/note.txt")
                expect(try await a.send([trip], to: "ben"), endsWith: ExitCode.done)
                try Files.write("changed at ben's", to: inbox + "/trip/note.txt")
                try Files.write("second, longer", to: trip + "/note.txt")
                let sending = try await a.send([trip], to: "ben")
                expect(sending, endsWith: ExitCode.done)
                #expect((sending.text + sending.errorText).contains("note.txt"), "not reported\n\(sending)")
                #expect(try Files.read(inbox + "/trip/note.txt") == Array("changed at ben's".utf8))
                #expect(try Files.read(inbox + "/trip/note (2).txt") == Array("second, longer".utf8))
            }
        }

        @Test func concurrentSendingsOfOneFileSucceedOrExplain() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox)
                let file = a.files + "/photo.png"
                try Files.makeNoise(file, size: 16 << 20)
                let command = try a.portolan(["send", file, "--to", "ben", "--limit-rate", "16M"])
                let senders = [try await a.start(command), try await a.start(command)]
                var codes: [Int32] = []
                for sender in senders {
                    let sending = try await sender.finish()
                    expect(sending, endsWith: ExitCode.done, ExitCode.interrupted)
                    codes.append(sending.code)
                }
                #expect(codes.contains(ExitCode.done))
                let names = try Files.names(in: inbox)
                #expect(!names.isEmpty && Set(names).isSubset(of: ["photo.png", "photo (2).png"]), "\(names)")
                for name in names { #expect(try Files.areEqual(file, "\(inbox)/\(name)")) }
                #expect(receiver.isRunning)
            }
        }

        @Test(arguments: [true, false])
        func rateLimitIsRespected(isTheSenders: Bool) async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let limit = ["--limit-rate", "4M"]
                _ = try await b.receive(into: inbox, ["--yes"] + (isTheSenders ? [] : limit))
                try Files.makeNoise(a.files + "/large.bin", size: 12 << 20)
                let sending = try await a.send(
                    [a.files + "/large.bin"] + (isTheSenders ? limit : []), to: "ben")
                expect(sending, endsWith: ExitCode.done)
                // Three seconds less what may be sent at once; a busy machine is slower.
                #expect(sending.duration > .seconds(1.5), "\(sending)")
            }
        }
    }
}
