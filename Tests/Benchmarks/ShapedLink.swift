import Foundation
import TestSupport

/// A realistic link between two machines: of 1 Gbit/s, or with packet loss.
struct ShapedLink {
    let portolan: String
    let options: Options
    let shell: SecureShell

    private static let megabits = 1000
    /// Payload rate of the link: frames of 1500 bytes with 52 of IPv4 and TCP with time stamps, and 14 of Ethernet.
    private static let payloadRate = Double(megabits) * 1e6 / 8 * 1448 / 1514

    private var contestant: PortolanByAddress { PortolanByAddress(portolan: portolan) }
    private var rounds: Int { max(1, options.rounds / 2) }

    /// True if links can be shaped on this machine.
    private func canShape(_ what: String) -> Bool {
        guard let missing = HostLink.missing(TestHost.cableTools) else { return true }
        say("\n\(what): left out, no '\(missing)' here (Config/setup --benchmark installs it)")
        return false
    }

    /// Compressible text, on a link that is slower than the processor.
    func log(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        guard canShape("text on a link of 1 Gbit/s") else { return [] }
        let size = options.fileSize / 4
        let file = a.files + "/server.log"
        try LogText.write(to: file, size: size)
        let share = try await gzippedShare(of: file, size: size, on: a)
        say("\n\(size >> 20) MiB of text, of which gzip -1 makes \(number(share * 100, 1)) %, on a link of 1 Gbit/s")
        guard 0.40...0.46 ~= share else { throw HostsError("the text is not as logs are") }
        let contestants: [any Contestant] = [contestant, Scp(shell: shell)]
        let results = try await onAGigabit(a, b) {
            try await Measurements(
                of: contestants, rounds: rounds, Load(item: file), warmsUp: false, from: a, to: b)
        }
        try Files.remove(file)
        say(Table.costs(contestants.map(\.name), results, size: size))
        return results.verdict("text at 1 Gbit/s: speed to scp's", to: "scp", .atLeast(2), by: \.pace)
    }

    private func gzippedShare(of file: String, size: Int, on host: TestHost) async throws -> Double {
        // The content is uniform, so a sample suffices.
        let sample = 64 << 20
        let counting = try await host.run(["sh", "-c", "head -c \(sample) \(file) | gzip -1 | wc -c"])
        let count = Double(counting.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        return count / Double(min(sample, size))
    }

    /// Incompressible content, on a link that is the bottleneck.
    func gigabit(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        guard canShape("a link of 1 Gbit/s") else { return [] }
        let size = try options.affordable(options.fileSize)
        say("\n\(size >> 20) MiB that cannot be compressed, on a link of 1 Gbit/s; payload rate 1448/1514 of that")
        let file = a.files + "/large"
        try Files.makeNoise(file, size: size)
        let contestants: [any Contestant] = [contestant, PlainSocat()]
        let results = try await onAGigabit(a, b) {
            try await Measurements(
                of: contestants, rounds: rounds, Load(item: file), warmsUp: false, from: a, to: b)
        }
        try Files.remove(file)
        say(Table.costs(contestants.map(\.name), results, size: size))
        let shares = ["socat", Measurements.ours].map { name in
            results.seconds(of: name).map { Double(size) / $0 / Self.payloadRate }
        }
        if !shares[0].isEmpty { say("socat has \(number(shares[0].median, 3)) of the link's payload rate") }
        let what = "1 Gbit/s: share of the link's payload rate"
        guard !shares[1].isEmpty else { return [Verdict(what, missed: "failed", .atLeast(0.97))] }
        return [Verdict(what, value: shares[1].median, .atLeast(0.97), digits: 3, unit: "")]
    }

    private func onAGigabit<Result>(
        _ a: TestHost, _ b: TestHost, _ body: () async throws -> Result
    ) async throws -> Result {
        for host in [a, b] { try await host.limitRate(megabits: Self.megabits) }
        let result = try await body()
        for host in [a, b] { try await host.limitRate(megabits: nil) }
        return result
    }

    /// Loss of one packet in a hundred in each direction.
    func loss(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        guard canShape("a link that loses packets") else { return [] }
        let size = options.fileSize / 4
        say("\n\(size >> 20) MiB on a link that loses 1 % of the packets each way; \(options.rounds) rounds")
        let file = a.files + "/large"
        try Files.makeNoise(file, size: size)
        let contestants: [any Contestant] = [contestant, PlainSocat()]
        for host in [a, b] { try await host.lose(percent: 1) }
        let results = try await Measurements(
            of: contestants, rounds: options.rounds, Load(item: file), from: a, to: b)
        for host in [a, b] { try await host.lose(percent: nil) }
        try Files.remove(file)
        say(Table.costs(contestants.map(\.name), results, size: size))
        return results.verdict("1 % loss: speed to socat's", to: "socat", .atLeast(0.9), by: \.pace)
    }
}
