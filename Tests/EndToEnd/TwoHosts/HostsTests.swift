import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Tests of the simulated hosts, on which the other suites rely.
    @Suite("The hosts") struct Hosts {
        @Test func hostsReachOnlyEachOther() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let listener = try await b.start(["ip", "-o", "address", "show"])
                let addresses = try await listener.finish().outputLines
                #expect(addresses.allSatisfy { $0.contains(" lo ") || $0.contains(" \(TestHost.interface) ") })
                let way = try await a.run(["ip", "route", "get", b.address])
                #expect(way.text.contains("dev \(TestHost.interface)"), "\(way)")
                let out = try await a.run(["ip", "route", "get", "192.0.2.1"])
                #expect(out.code != 0, "\(out)")
            }
        }

        @Test func unpluggedHostIsUnreachableOnASwitch() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "cleo", "dora"]) { hosts, link in
                for host in hosts { try await expect(host, reaches: hosts) }
                try await link.cut(hosts[3])
                try await expect(hosts[0], reaches: Array(hosts[...2]))
                #expect(try await !hosts[0].reaches(hosts[3]))
                try await link.join(hosts[3])
                try await eventually("dora is there again") { try await hosts[0].reaches(hosts[3]) }
            }
        }

        @Test func haveNamesProcessesAndARunFolderOfTheirOwn() async throws {
            try await HostPair.with(.none) { a, b, _ in
                #expect(try await a.run(["uname", "-n"]).text == "ada\n")
                #expect(try await b.run(["uname", "-n"]).text == "ben\n")
                try await a.require(["touch", "/run/mark"])
                #expect(try await b.run(["ls", "/run/mark"]).code != 0)
                #expect(FileManager.default.fileExists(atPath: a.outside("/run/mark")))
                #expect(!FileManager.default.fileExists(atPath: "/run/mark"))
            }
        }

        @Test func loseEachOtherWhileTheCableIsOut() async throws {
            try await HostPair.with(.none) { a, b, pair in
                #expect(try await a.reaches(b))
                try await pair.cut()
                #expect(try await !a.reaches(b))
                try await pair.join()
                #expect(try await a.reaches(b))
            }
        }

        @Test(.disabled(if: HostLink.missing(["tc"]) != nil, "there is no tc"))
        func hostsCountTrafficAndCanHaveASlowCable() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let sinking = "TCP-LISTEN:4711,reuseaddr"
                guard HostLink.missing(["socat"]) == nil else { return print("skipped: there is no socat") }
                let size = 2 << 20
                try await a.limitRate(megabits: 20)
                let sink = try await b.start(["socat", "-u", sinking, "OPEN:/dev/null"])
                try await eventually("somebody listens") { b.listeningPorts.contains(4711) }
                let (sent, received) = (a.cableBytes.sent, b.cableBytes.received)
                try Files.makeNoise(a.files + "/noise", size: size)
                let sending = try await a.run(["socat", "-u", "FILE:\(a.files)/noise", "TCP:\(b.address):4711"])
                #expect(sending.code == 0, "\(sending)")
                let sinkingEnd = try await sink.finish()
                #expect(sinkingEnd.duration > .milliseconds(500), "16 megabits of 20 a second")
                for count in [a.cableBytes.sent - sent, b.cableBytes.received - received] {
                    #expect((size..<size * 5 / 4).contains(count), "\(count)")
                }
                try await a.limitRate(megabits: nil)
            }
        }

        @Test(.disabled(if: HostLink.missing(["nft"]) != nil, "there is no nft"))
        func cableCanLoseAllPackets() async throws {
            try await HostPair.with(.none) { a, b, _ in
                #expect(try await a.reaches(b))
                try await b.lose(percent: 100)
                #expect(try await !a.reaches(b))
                try await b.lose(percent: nil)
                #expect(try await a.reaches(b))
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDistance != nil, HostLink.commentOnDistance))
        func longCableDelaysFramesInOrderAndHasLimitedRoom() async throws {
            let delay = Duration.milliseconds(100)
            var distance = Distance(delay: delay)
            distance.room = 1000
            try await HostPair.with(.none, distance: distance) { a, b, _ in
                // Multicast needs no answer about an address before it.
                let line = "for _ in {1..20}; do printf %1400s >/dev/udp/224.0.0.77/9; done"
                try await a.require(["bash", "-c", line])
                let answer = try await a.run(["bash", "-c", "exec 3<>/dev/tcp/\(b.address)/9"])
                #expect(answer.errorText.contains("refused"), "\(answer)")
                #expect(answer.duration >= delay * 2)
                #expect(a.cableBytes.sent > 20 * 1400)
                // Both hosts also send some short frames of their own.
                #expect(b.cableBytes.received < 10 * 1400, "frames larger than the room came")
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDistance != nil, HostLink.commentOnDistance))
        func longCableLosesAShareOfTheFrames() async throws {
            guard HostLink.missing(["socat"]) == nil else { return print("skipped: there is no socat") }
            let distance = Distance(delay: .milliseconds(1), lossPercent: 5)
            try await HostPair.with(.none, distance: distance) { a, b, _ in
                let size = 1 << 20
                try Files.makeNoise(a.files + "/noise", size: size)
                let listening = ["socat", "-u", "TCP-LISTEN:4711", "CREATE:\(b.files)/noise"]
                let sink = try await b.start(listening)
                try await eventually("somebody listens") { b.listeningPorts.contains(4711) }
                try await a.require(["socat", "-u", "FILE:\(a.files)/noise", "TCP:\(b.address):4711"])
                #expect(try await sink.finish().code == 0)
                #expect(try Files.areEqual(a.files + "/noise", b.files + "/noise"))
                let lost = a.cableBytes.sent - b.cableBytes.received
                #expect((size / 50..<size / 5).contains(lost), "\(lost) of \(a.cableBytes.sent) bytes lost")
            }
        }

        @Test func hostsEndWithTheirProcessesWhenATestThrows() async throws {
            struct Stop: Error {}
            var left: RunningCommand?
            var folder = ""
            await #expect(throws: Stop.self) {
                try await HostPair.with(.none) { a, _, _ in
                    folder = a.directory
                    left = try await a.start(["sh", "-c", "trap '' TERM HUP; sleep 1000 & sleep 1000"])
                    throw Stop()
                }
            }
            let outcome = try await #require(left).finish()
            #expect(outcome.ending == .signal(9))
            #expect(!FileManager.default.fileExists(atPath: folder))
        }

        @Test func giveACommandItsInputATerminalAndBackItsOutputsAndCode() async throws {
            try await HostPair.with(.none) { a, _, _ in
                let echo = try await a.run(
                    Command(["sh", "-c", "cat; echo oops >&2; exit 7"], input: .bytes(Array("hello".utf8))))
                #expect(echo.text == "hello" && echo.errorText == "oops\n" && echo.code == 7)

                let reading = "test -t 0 && test -t 1 && read x </dev/tty && echo got $x"
                let reader = try await a.start(Command(["sh", "-c", reading], input: .terminal))
                reader.type("word\n")
                #expect(try await reader.finish().code == 0)
                try await eventually("the terminal shows the answer") { reader.output.contains("got word") }

                await #expect(throws: HostsError.self) {
                    try await a.run(["sleep", "100"], within: .milliseconds(100))
                }
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDaemons != nil, HostLink.commentOnDaemons))
        func hostsFindServicesThroughTheirDaemons() async throws {
            guard HostLink.missing(["avahi-browse", "avahi-publish-service"]) == nil else { return }
            try await HostPair.with(.daemon) { a, b, _ in
                let publisher = try await b.start(["avahi-publish-service", "probe", "_probe._tcp", "4711"])
                try await publisher.waitToSay("Established")
                let found = try await a.run(["avahi-browse", "-rpt", "_probe._tcp"])
                #expect(found.text.contains("ben.local"), "\(found)")
                try await b.stopDaemon(politely: false)
                try await b.startDaemon()
                try await b.stopBus()
                try await b.startDaemon()
            }
        }
    }
}

extension TestHost {
    /// True if the other host answers.
    func reaches(_ other: TestHost) async throws -> Bool {
        try await require(["ip", "neighbour", "flush", "dev", TestHost.interface])
        // The port has no listener: a refusal counts as an answer.
        let answer = try await run(["timeout", "1", "bash", "-c", "exec 3<>/dev/tcp/\(other.address)/9"])
        return answer.errorText.contains("refused")
    }
}

/// Expects that a host reaches all of these except itself.
func expect(
    _ host: TestHost, reaches hosts: [TestHost], sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    for other in hosts where other !== host {
        try await eventually("\(host.name) reaches \(other.name)", sourceLocation: sourceLocation) {
            try await host.reaches(other)
        }
    }
}
