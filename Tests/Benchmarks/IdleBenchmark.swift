import Foundation
import TestSupport

/// An idle receiver with 20 visible peers: wake-ups, processor time and memory.
struct IdleBenchmark {
    let portolan: String
    let options: Options

    private static let others = 20
    private static let port: UInt16 = 47217

    func run() async throws -> [Verdict] {
        let seconds = options.isQuick ? 60 : 300
        say("\na receiver with \(Self.others) peers in sight, for \(seconds) s in which nothing happens")
        // With a daemon, as on most machines, the cost of mDNS is the daemon's; without one it is the receiver's.
        let discovery: HostLink.Discovery = HostLink.obstacleToDaemons == nil ? .daemon : .none
        if let obstacle = HostLink.obstacleToDaemons { say("without a daemon for mDNS: \(obstacle)") }
        let names = (0...Self.others).map { "peer\($0)" }
        return try await HostLink.with(discovery, names: names, in: options.directory) { hosts, _ in
            var receivers: [RunningCommand] = []
            for host in hosts {
                try Files.makeFolder(host.files + "/in")
                let receive = Command([portolan, "receive", "--yes", "--into", host.files + "/in"])
                receivers.append(try await host.startServing(receive, port: Self.port))
            }
            // After this time all devices have found each other, and their first announcements are over.
            try await Task.sleep(for: .seconds(60))
            let watched = receivers[0].pid
            let seen = try await hosts[0].run(Command([portolan, "peers", "--json"]))
            let peers = seen.text.split(separator: "\n").count { $0.contains(#""event":"peer""#) }
            guard peers >= Self.others else { throw HostsError("only \(peers) peers are in sight\n\(seen)") }
            let before = ProcessTree.wakeUps(of: watched)
            var wakeUps = before
            let processor = ProcessTree.processorSeconds(of: watched)
            let start = ContinuousClock.now
            let end = start + .seconds(seconds)
            while .now < end {
                try await Task.sleep(for: .seconds(1))
                // The counters are read every second, because those of a thread vanish at its end.
                wakeUps.merge(ProcessTree.wakeUps(of: watched)) { max($0, $1) }
            }
            let time = (ContinuousClock.now - start) / .seconds(1)
            let rate = Double(wakeUps.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }) / time
            let share = (ProcessTree.processorSeconds(of: watched) - processor) / time * 100
            let memory = ProcessTree.memory(of: watched)
            for receiver in receivers { try await receiver.stop() }
            return [
                Verdict("idle: wake-ups a second", value: rate, .atMost(0.2), digits: 2, unit: ""),
                Verdict("idle: share of a processor", value: share, .atMost(0.02), digits: 3, unit: " %"),
                Verdict("idle: memory", value: memory, .atMost(16), digits: 1, unit: " MiB"),
            ]
        }
    }
}
