import Foundation
import Glibc
import TestSupport

/// A transfer during which the sender and the receiver are killed in turn, at random moments, and restarted with the
/// same command: the received content is equal, and few bytes are sent twice.
struct Kills {
    let portolan: String
    let options: Options

    private static let megabits = 1000

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        if let missing = HostLink.missing(TestHost.cableTools) {
            say("\nKills: left out, no '\(missing)' here (Config/setup --benchmark installs it)")
            return []
        }
        let size = try options.affordable(options.fileSize)
        let seed = options.seed ?? .random(in: 1...9999)
        say(
            "\n\(size >> 20) MiB on a link of 1 Gbit/s, killed \(options.kills) times; seed \(seed) (--seed \(seed))")
        let file = a.files + "/large"
        try Files.makeNoise(file, size: size)
        for host in [a, b] { try await host.limitRate(megabits: Self.megabits) }
        var transfer = Transfer(
            portolan: PortolanByAddress(portolan: portolan), file: file, size: size, a: a, b: b,
            random: SeededGenerator(seed: seed))
        let end = try await transfer.run(kills: options.kills, linkBytesPerSecond: Self.megabits * 125_000)
        for host in [a, b] { try await host.limitRate(megabits: nil) }
        try Files.remove(file)
        try await b.require(["rm", "-rf", transfer.inbox])

        let sent = Double(end.sent) / Double(size)
        let answered = Double(end.answered) / Double(size)
        say(
            """
            killed \(end.kills) times, the sender started \(end.sendersStarted) times; \(number(end.seconds, 1)) s; \
            a put \(number(sent, 3)) times the size on the cable, b \(number(answered, 3)) times
            """)
        let what = "killed \(options.kills) times: bytes sent in total to the size"
        if let trouble = end.trouble { return [Verdict(what, missed: trouble, .atMost(1.1))] }
        return [
            Verdict(
                "killed: times before the transfer was over", value: Double(end.kills), .atLeast(Double(options.kills)),
                digits: 0, unit: ""),
            Verdict(what, value: sent + answered, .atMost(1.1), digits: 3, unit: ""),
        ]
    }

    private struct End {
        var kills = 0
        var sendersStarted = 0
        var sent = 0
        var answered = 0
        var seconds = 0.0
        var trouble: String?
    }

    private struct Transfer {
        let portolan: PortolanByAddress
        let file: String
        let size: Int
        let a: TestHost
        let b: TestHost
        var random: SeededGenerator
        private var end = End()

        init(
            portolan: PortolanByAddress, file: String, size: Int, a: TestHost, b: TestHost, random: SeededGenerator
        ) {
            (self.portolan, self.file, self.size, self.a, self.b, self.random) = (portolan, file, size, a, b, random)
        }

        var inbox: String { b.files + "/in" }

        mutating func run(kills: Int, linkBytesPerSecond: Int) async throws -> End {
            try Files.makeFolder(inbox)
            let start = ContinuousClock.now
            let before = a.cableBytes
            var receiver = try await portolan.receiver(on: b, into: inbox)
            var sender = try await startSender()
            // With this interval all kills fall into the transfer, if no byte is sent twice.
            let longestMillisecondsBetween = 2 * size / linkBytesPerSecond * 1000 / kills
            let patience = start + .seconds(120 + 6 * kills)
            while end.trouble == nil {
                if end.kills < kills {
                    let isKilled = try await waitForBytes(sender)
                    let wait = Duration.milliseconds(Int.random(in: 0...longestMillisecondsBetween, using: &random))
                    try await Task.sleep(for: isKilled ? wait : .zero)
                }
                if let ended = sender.outcome {
                    if ended.code == 0 { break }
                    if end.sendersStarted > 4 * kills + 10 {
                        say("\(ended)")
                        end.trouble = "ends again and again"
                    }
                    sender = try await startSender()
                } else if end.kills < kills {
                    end.kills += 1
                    if end.kills.isMultiple(of: 2) {
                        try await receiver.stop(SIGKILL)
                        receiver = try await portolan.receiver(on: b, into: inbox)
                    } else {
                        try await sender.stop(SIGKILL)
                        sender = try await startSender()
                    }
                } else {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let now = a.cableBytes
                (end.sent, end.answered) = (now.sent - before.sent, now.received - before.received)
                if end.sent > 3 * size { end.trouble = "sends what was there again" }
                if .now > patience { end.trouble = "not over after \((ContinuousClock.now - start) / .seconds(1)) s" }
            }
            end.seconds = (ContinuousClock.now - start) / .seconds(1)
            try await sender.stop(SIGKILL)
            try await receiver.stop()
            if end.trouble == nil { end.trouble = try troubleWithWhatArrived() }
            return end
        }

        private mutating func startSender() async throws -> RunningCommand {
            end.sendersStarted += 1
            return try await a.start(portolan.sender(of: file, to: b, into: inbox))
        }

        /// Waits until payload flows again, for at most some seconds.
        ///
        /// - Returns: false when the sender has ended meanwhile.
        private func waitForBytes(_ sender: RunningCommand) async throws -> Bool {
            let before = a.cableBytes.sent
            let deadline = ContinuousClock.now + .seconds(5)
            while .now < deadline, sender.isRunning {
                if a.cableBytes.sent > before + (256 << 10) { return true }
                try await Task.sleep(for: .milliseconds(5))
            }
            return sender.isRunning
        }

        private func troubleWithWhatArrived() throws -> String? {
            let names = try Files.names(in: inbox)
            let parts = names.count { $0 != "large" }
            guard parts == 0, names.count == 1 else { return "left \(parts) other names" }
            return try Files.areEqual(file, inbox + "/large") ? nil : "changed on the way"
        }
    }
}
