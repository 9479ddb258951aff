import Foundation
import TestSupport

/// A large, incompressible file, from memory to memory.
struct LargeFile {
    let portolan: String
    let options: Options
    let shell: SecureShell

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let size = try options.affordable(options.fileSize)
        say("\n\(size >> 20) MiB in one file, memory-backed on both sides; \(options.rounds) rounds")
        let file = a.files + "/large"
        try Files.makeNoise(file, size: size)
        let contestants: [any Contestant] = [
            PortolanByAddress(portolan: portolan), PlainSocat(), TarSSH(shell: shell), Scp(shell: shell),
        ]
        let results = try await Measurements(
            of: contestants, rounds: options.rounds, Load(item: file, watchesMemory: true), from: a, to: b)
        try Files.remove(file)
        say(Table.costs(contestants.map(\.name), results, size: size))

        var verdicts = results.verdict("large file: speed to socat's", to: "socat", .atLeast(0.9), by: \.pace)
        verdicts += results.verdict("large file: speed to tar | ssh's", to: "tar | ssh", .atLeast(2.2), by: \.pace)
        verdicts += results.verdict("large file: speed to scp's", to: "scp", .atLeast(3.5), by: \.pace)
        verdicts += results.verdict(
            "large file: processor time of both sides to scp's", to: "scp", .atMost(0.35), by: \.allProcessorSeconds)
        guard let ours = results[Measurements.ours] else { return verdicts }
        return verdicts + ours.memoryVerdicts("large file")
    }
}

extension [Measurement] {
    /// Limits on the memory of each side.
    func memoryVerdicts(_ what: String) -> [Verdict] {
        [("sender", map(\.peak.sender).max() ?? 0), ("receiver", map(\.peak.receiver).max() ?? 0)].map { side, peak in
            Verdict("\(what): memory of the \(side)", value: peak, .atMost(96), digits: 1, unit: " MiB")
        }
    }
}
