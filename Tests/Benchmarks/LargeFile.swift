import Foundation
import TestSupport

/// One large file, from memory to memory.
struct LargeFile {
    let portolan: String
    let options: Options
    let scp: Scp

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let size = try affordableSize()
        say("\n\(size >> 20) MiB in one file, memory-backed on both sides; \(options.rounds) rounds")
        let file = a.files + "/large"
        try Files.makeNoise(file, size: size)
        let results = try await interleave(
            [PortolanByAddress(portolan: portolan), PlainSocat(), scp], rounds: options.rounds, file: file, from: a,
            to: b, watchesMemory: true)
        try Files.remove(file)

        var table = Table(
            rows: [["", "MB/s", "s", "min", "max", "CPU s sending", "receiving", "MiB sending", "receiving"]])
        for name in ["portolan", "socat", "scp"] {
            guard let runs = results[name] else { continue }
            let seconds = runs.map(\.seconds)
            table.rows.append([
                name, number(Double(size) / seconds.median / 1e6, 0), number(seconds.median, 2),
                number(seconds.min() ?? 0, 2), number(seconds.max() ?? 0, 2),
                number(runs.map(\.processorSeconds.sender).median, 2),
                number(runs.map(\.processorSeconds.receiver).median, 2),
                number(runs.map(\.peak.sender).max() ?? 0, 1), number(runs.map(\.peak.receiver).max() ?? 0, 1),
            ])
        }
        say(table)

        guard let ours = results["portolan"] else { return [] }
        let speeds = results.mapValues { $0.map { Double(size) / $0.seconds } }
        var verdicts: [Verdict] = []
        if let socat = speeds["socat"] {
            verdicts.append(Verdict("large file: speed to socat's", speeds["portolan"] ?? [], to: socat, .atLeast(0.6)))
        }
        if let scp = speeds["scp"] {
            verdicts.append(Verdict("large file: speed to scp's", speeds["portolan"] ?? [], to: scp, .atLeast(2.2)))
        }
        let memory: [(side: String, peak: Double)] = [
            ("sender", ours.map(\.peak.sender).max() ?? 0), ("receiver", ours.map(\.peak.receiver).max() ?? 0),
        ]
        for (side, peak) in memory {
            verdicts.append(
                Verdict("large file: memory of the \(side)", value: peak, .atMost(96), digits: 1, unit: " MiB"))
        }
        return verdicts
    }

    /// The size asked for, or half of it, and so on, until source and destination fit.
    private func affordableSize() throws -> Int {
        var size = options.fileSize
        let room = try Files.room(in: options.directory)
        while size > 16 << 20, size * 2 + (512 << 20) > room { size /= 2 }
        if size < options.fileSize {
            say("\nOnly \(room >> 20) MiB are free in \(options.directory): the file is smaller than it should be.")
        }
        return size
    }
}
