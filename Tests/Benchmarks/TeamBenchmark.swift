import Foundation
import TestSupport

/// Pairing of two devices, and one file to a team of five compared with five concurrent sends, on six hosts at one
/// switch.
struct TeamBenchmark {
    let portolan: String
    let options: Options

    private static let members = ["ben", "cid", "dot", "eve", "fay"]
    private static let port: UInt16 = 47217

    func run() async throws -> [Verdict] {
        try await HostLink.with(.none, names: ["ada"] + Self.members, in: options.directory) { hosts, _ in
            let (ada, others) = (hosts[0], Array(hosts[1...]))
            var verdicts = [try await pair(ada, others[0])]
            try await makeTeam(of: ada, others)
            verdicts += try await send(from: ada, to: others)
            return verdicts
        }
    }

    /// Time of the command that enters the code, from its start to its end. The waiting device is new to mDNS.
    private func pair(_ ada: TestHost, _ ben: TestHost) async throws -> Verdict {
        say("\npairing, from the second person's Enter to both knowing each other; \(options.shortRounds) rounds")
        var seconds: [Double] = []
        for _ in 0..<options.shortRounds {
            let waiting = try await ada.start([portolan, "pair", "--quiet"])
            let code = try await firstLine(of: waiting)
            let entering = try await ben.run(Command([portolan, "pair", "-"], input: .bytes(Array("\(code)\n".utf8))))
            let waited = try await waiting.finish()
            guard entering.code == 0, waited.code == 0 else { throw HostsError("\(entering)\n\(waited)") }
            seconds.append(entering.duration / .seconds(1))
        }
        say(Table.times([("portolan pair", seconds)]))
        return Verdict("pairing: slowest", value: seconds.max() ?? 0, .atMost(2), digits: 2, unit: " s")
    }

    private func makeTeam(of ada: TestHost, _ others: [TestHost]) async throws {
        try await ada.require([portolan, "team", "create", "acme"])
        let inviting = try await ada.start([portolan, "team", "invite", "--quiet", "--uses", "\(others.count)"])
        let code = try await firstLine(of: inviting)
        for host in others {
            let joined = try await host.run(
                Command([portolan, "team", "join", "-"], input: .bytes(Array("\(code)\n".utf8))))
            guard joined.code == 0 else { throw HostsError("\(joined)") }
        }
        _ = try await inviting.finish()
    }

    private func send(from ada: TestHost, to others: [TestHost]) async throws -> [Verdict] {
        let size = options.fileSize / 4
        say(
            "\n\(size >> 20) MiB to a team of five, and to five names and five addresses at once; \(options.rounds) rounds"
        )
        let file = ada.files + "/file"
        try await ada.require(["sh", "-c", "head -c \(size) /dev/urandom >\(file)"])
        var receivers: [RunningCommand] = []
        for host in others {
            try Files.makeFolder(host.files + "/in")
            let receive = Command([portolan, "receive", "--yes", "--into", host.files + "/in"])
            receivers.append(try await host.startServing(receive, port: Self.port))
        }
        let contestants = [
            ("portolan send --to @acme", [portolan, "send", file, "--to", "@acme"]),
            ("five portolan send at once, by name", atOnce(file, to: others.map(\.name))),
            ("five portolan send at once, by address", atOnce(file, to: others.map { "\($0.address):\(Self.port)" })),
        ]
        var seconds: [[Double]] = contestants.map { _ in [] }
        for round in 0...options.rounds {
            for (number, (_, command)) in contestants.enumerated() {
                let outcome = try await ada.run(command, within: .seconds(300))
                guard outcome.code == 0 else { throw HostsError("\(outcome)") }
                for host in others {
                    try await host.require([
                        "sh", "-c", "cmp \(file) \(host.files)/in/file && rm -r \(host.files)/in/*",
                    ])
                }
                if round > 0 { seconds[number].append(outcome.duration / .seconds(1)) }
            }
        }
        say(Table.times(zip(contestants, seconds).map { ($0.0, $1) }))
        return [
            Verdict("to a team of five: time to that of five sends at once", seconds[0], to: seconds[1], .atMost(1))
        ]
    }

    private func atOnce(_ file: String, to places: [String]) -> [String] {
        let each = places.map { "\(portolan) send \(file) --to \($0) & p=\"$p $!\"" }
        return ["sh", "-c", (each + ["for i in $p; do wait $i || exit 1; done"]).joined(separator: "\n")]
    }

    private func firstLine(of command: RunningCommand) async throws -> Substring {
        let deadline = ContinuousClock.now + .seconds(20)
        while .now < deadline {
            let output = command.output
            if let end = output.firstIndex(of: "\n") { return output[..<end] }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw HostsError("printed nothing: \(command.command)\n\(command.errors)")
    }
}
