import Foundation
import Glibc
import TestSupport
import Testing

extension OnTwoHosts {
    /// Machines that get another address or another time, or sleep, while their programs run.
    @Suite("Moving") struct Moving {
        private static let newAddress = "10.77.0.77"

        @Test(arguments: HostLink.discoveries)
        func aReceiverIsFoundAtItsNewAddress(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                let receiver = try await b.receive(into: b.files + "/inbox")
                let watcher = try await a.start(a.portolan(["peers", "--watch", "--json"]))
                try await watcher.waitToSay(b.address)
                expect(try await a.send(["--text", "before"], to: "ben"), endsWith: ExitCode.done)
                try await b.move(to: Self.newAddress)
                // A watch that began before reports the new address, and a send that begins now finds it.
                try await watcher.waitToSay(Self.newAddress)
                expect(try await a.send(["--text", "after"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: b.files + "/inbox").count == 2)
                #expect(receiver.isRunning && watcher.isRunning)
            }
        }

        @Test func transferContinuesAtTheReceiversNewAddress() async throws {
            try await HostPair.with(.none) { a, b, _ in
                for host in [a, b] { try await host.configure("timeouts: { find: 10, silence: 4 }\n") }
                let transfer = try await LargeTransfer.start(from: a, to: b)
                try await b.move(to: Self.newAddress)
                transfer.goOn()
                try await transfer.sender.waitToSay(#""retrying""#)
                try await transfer.expectToEndWell(transfer.sender)
                #expect(transfer.receiver.isRunning)
            }
        }

        @Test(arguments: [true, false])
        func suspendedMachineContinuesItsTransfer(isSender: Bool) async throws {
            try await HostPair.with(.none) { a, b, _ in
                for host in [a, b] {
                    try await host.configure("timeouts: { find: 10, silence: 4 }\n")
                    try host.setClock(by: 0)
                }
                let transfer = try await LargeTransfer.start(from: a, to: b)
                let sleeper = isSender ? transfer.sender : transfer.receiver
                sleeper.signal(SIGSTOP)
                if !isSender { transfer.goOn() }
                // The clock has moved on by hours when the process continues.
                try (isSender ? a : b).setClock(by: 8 * 3600)
                if isSender {
                    try await transfer.receiver.waitToSay("Nothing was heard")
                } else {
                    try await transfer.sender.waitToSay(#""retrying""#)
                }
                sleeper.signal(SIGCONT)
                // The system of a receiver that sleeps takes in as much as its buffers hold.
                try await transfer.expectToEndWell(transfer.sender, lost: LargeTransfer.size)
                #expect(transfer.receiver.isRunning)
            }
        }

        @Test("a transfer goes on while clocks are set, and the next one begins", arguments: [8 * 3600, -48 * 3600])
        func clocksAreSet(by seconds: Int64) async throws {
            try await HostPair.with(.none) { a, b, _ in
                for host in [a, b] {
                    try await host.configure("timeouts: { find: 10, silence: 100 }\n")
                    try host.setClock(by: 0)
                }
                let transfer = try await LargeTransfer.start(from: a, to: b)
                for (host, program) in [(a, transfer.sender), (b, transfer.receiver)] {
                    program.signal(SIGSTOP)
                    let before = try await Self.time(of: host)
                    try host.setClock(by: seconds)
                    #expect(program.isRunning)
                    program.signal(SIGCONT)
                    #expect(abs(try await Self.time(of: host) - before) > abs(seconds) - 3600)
                }
                let sending = try await transfer.sender.finish()
                expect(sending, endsWith: ExitCode.done)
                #expect(!sending.text.contains(#""retrying""#))
                #expect(try Files.areEqual(transfer.file, transfer.inbox + "/large.bin"))
                // The clocks of the hosts differ by now.
                try b.setClock(by: 0)
                expect(try await a.send(["--text", "after"], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: transfer.inbox).count == 2)
                #expect(transfer.receiver.isRunning)
            }
        }

        /// Seconds of the wall clock that programs on a host see.
        private static func time(of host: TestHost) async throws -> Int64 {
            let text = try await host.run(["date", "+%s"]).text.trimmingCharacters(in: .whitespacesAndNewlines)
            return try #require(Int64(text))
        }
    }
}

extension TestHost {
    /// Takes this host off the network and puts it back with other addresses, of both kinds.
    fileprivate func move(to address: String) async throws {
        let device = ["dev", Self.interface]
        try await require(["ip", "link", "set"] + device + ["down"])
        try await require(["ip", "address", "flush"] + device)
        // The address of IPv6 follows from this one.
        try await require(["ip", "link", "set"] + device + ["address", "02:00:00:00:00:77"])
        try await require(["ip", "address", "add", address + "/24"] + device)
        try await require(["ip", "link", "set"] + device + ["up"])
        try await require(["ip", "route", "replace", "224.0.0.0/4"] + device)
    }
}
