import TestSupport

/// Two hosts with a round trip of 10 ms: a short file, whose time is round trips, and a large one with packet loss.
struct FarHosts {
    let portolan: String
    let options: Options

    private static let roundTrip = 10
    private static let largeSize = 64 << 20

    func run() async throws -> [Verdict] {
        if let obstacle = HostLink.obstacleToDistance {
            say("\nHosts far from each other: left out, \(obstacle)")
            return []
        }
        let seed = options.seed ?? UInt64.random(in: 0..<1 << 32)
        return try await short(seed: seed) + large(seed: seed)
    }

    private func short(seed: UInt64) async throws -> [Verdict] {
        let others = SocatTLS()
        let contestants: [any Contestant] = [PortolanByAddress(portolan: portolan), others]
        say(
            """

            A file of 1 KiB, from process start to receipt, with a round trip of \(Self.roundTrip) ms; \
            \(options.shortRounds) rounds
            """)
        let results = try await measure(contestants, size: 1 << 10, rounds: options.shortRounds, loss: 0, seed: seed)
        say(Table.times(contestants.map { ($0.name, results.seconds(of: $0.name)) }))
        let what = "1 KiB at \(Self.roundTrip) ms: time to that of \(others.name)"
        return results.verdict(what, to: others.name, .atMost(1.4), by: \.seconds)
    }

    private func large(seed: UInt64) async throws -> [Verdict] {
        let socat = PlainSocat()
        let contestants: [any Contestant] = [PortolanByAddress(portolan: portolan), socat]
        say(
            """

            \(Self.largeSize >> 20) MiB with a round trip of \(Self.roundTrip) ms and a loss of 1 % of the packets each \
            way, --seed \(seed); \(options.rounds) rounds
            """)
        let results = try await measure(
            contestants, size: Self.largeSize, rounds: options.rounds, loss: 1, seed: seed)
        say(Table.costs(contestants.map(\.name), results, size: Self.largeSize))
        let (ours, others) = (results.seconds(of: Measurements.ours), results.seconds(of: socat.name))
        let what = "\(Self.largeSize >> 20) MiB at \(Self.roundTrip) ms with 1 % loss"
        guard !ours.isEmpty else { return [Verdict(what, missed: "failed", .atMost(10), digits: 1, unit: " s")] }
        if !others.isEmpty { say("portolan takes \(number(ours.median / others.median, 2)) of socat's time") }
        let range = "\(number(ours.min() ?? 0, 1))-\(number(ours.max() ?? 0, 1))"
        return [Verdict(what, value: ours.median, .atMost(10), range: range, digits: 1, unit: " s")]
    }

    private func measure(
        _ contestants: [any Contestant], size: Int, rounds: Int, loss: Double, seed: UInt64
    ) async throws -> Measurements {
        let distance = Distance(delay: .milliseconds(Self.roundTrip) / 2, lossPercent: loss, seed: seed)
        return try await HostPair.with(
            .none, in: options.directory, congestionControl: "cubic", distance: distance
        ) { a, b, _ in
            let file = a.files + "/file"
            try Files.makeNoise(file, size: size)
            // A round of socat with losses takes most of a minute, and nothing of it is in a cache.
            return try await Measurements(
                of: contestants, rounds: rounds, Load(item: file), warmsUp: loss == 0, from: a, to: b)
        }
    }
}
