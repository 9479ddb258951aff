import Foundation
import TestSupport

/// Edits of a large file in a folder that was sent before, and new names: time, and bytes on the cable in both
/// directions.
struct ChangedFiles {
    let portolan: String
    let options: Options

    /// Change of the file.
    private struct Edit: Sendable {
        let name: String
        /// Limit of the bytes on the cable, in MB.
        let most: Double
        let change: @Sendable (inout Data) -> Void
    }

    private static let edits: [Edit] = [
        Edit(name: "1 byte inserted", most: 0.064) { $0.insert(7, at: $0.count / 2) },
        Edit(name: "8 bytes overwritten", most: 0.064) { data in
            for place in 0..<8 { data[data.count / 3 + place] ^= 0x55 }
        },
        Edit(name: "3 MB appended", most: 3.2) { $0 += noise(3_000_000, seed: 99) },
        Edit(name: "100 places overwritten", most: 1.2) { data in
            var random = SeededGenerator(seed: 7)
            for _ in 0..<100 { data[Int(random.next() % UInt64(data.count))] ^= 0x55 }
        },
    ]

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let size = try options.affordable(options.isQuick ? 256 << 20 : 1 << 30)
        say("\nA file of \(size >> 20) MiB in a folder, changed after it was sent, memory-backed on both sides")
        let folder = a.files + "/changed"
        let file = folder + "/file"
        try Files.makeFolder(folder)
        try Files.makeNoise(file, size: size)
        var contestants: [any Contestant] = [PortolanByAddress(portolan: portolan)]
        if HostLink.missing(RsyncDaemon().needs) == nil { contestants.append(RsyncDaemon()) }
        let load = Load(item: folder, staysThere: true)
        for contestant in contestants {
            try await contestant.prepare(from: a, to: b)
            _ = try await contestant.carry(load, from: a, to: b)
        }
        var data = try Data(contentsOf: URL(fileURLWithPath: file))
        var verdicts: [Verdict] = []
        for edit in Self.edits {
            edit.change(&data)
            try data.write(to: URL(fileURLWithPath: file))
            var seconds: [Double] = []
            for contestant in contestants {
                let (time, verdict) = try await carry(load, by: contestant, as: edit.name, edit.most, from: a, to: b)
                seconds.append(time)
                if let verdict { verdicts.append(verdict) }
            }
            guard seconds.count == 2 else { continue }
            verdicts.append(
                Verdict(
                    "changed file: \(edit.name), time to rsync's", [seconds[0]], to: [seconds[1]], .atMost(1)))
        }
        try FileManager.default.moveItem(atPath: file, toPath: folder + "/other")
        let renamed = Load(item: folder, staysThere: true, isAmongOthers: true)
        for contestant in contestants {
            let (_, verdict) = try await carry(renamed, by: contestant, as: "renamed", 2, from: a, to: b)
            if let verdict { verdicts.append(verdict) }
        }
        try Files.remove(folder)
        return try await verdicts + runOfMany(contestants, from: a, to: b)
    }

    /// A subfolder of many small files, and the whole folder, get other names.
    private func runOfMany(
        _ contestants: [any Contestant], from a: TestHost, to b: TestHost
    ) async throws -> [Verdict] {
        let count = options.isQuick ? 2000 : 20_000
        say("\n\(count) files of 4 KiB in a folder, which gets another name after they were sent")
        let (first, second) = (a.files + "/many", a.files + "/many renamed")
        try Files.makeFolder(first + "/before")
        for number in 0..<count {
            try Files.write(noise(4096, seed: UInt64(number) + 1), to: "\(first)/before/file \(number).bin")
        }
        for contestant in contestants {
            let load = Load(item: first, staysThere: true, isAmongOthers: true)
            _ = try await contestant.carry(load, from: a, to: b)
        }
        var verdicts: [Verdict] = []
        let steps = [
            (name: "subfolder renamed", from: first + "/before", to: first + "/after", item: first),
            (name: "whole folder renamed", from: first, to: second, item: second),
        ]
        for step in steps {
            try FileManager.default.moveItem(atPath: step.from, toPath: step.to)
            let load = Load(item: step.item, staysThere: true, isAmongOthers: true)
            for contestant in contestants {
                let (_, verdict) = try await carry(load, by: contestant, as: step.name, 2, from: a, to: b)
                if let verdict { verdicts.append(verdict) }
            }
        }
        try Files.remove(second)
        return verdicts
    }

    /// - Parameter most: limit of the bytes on the cable, in MB, for our own.
    private func carry(
        _ load: Load, by contestant: any Contestant, as name: String, _ most: Double, from a: TestHost,
        to b: TestHost
    ) async throws -> (seconds: Double, Verdict?) {
        let before = try await carriedBytes(b)
        let seconds = try await contestant.carry(load, from: a, to: b).seconds
        let megabytes = Double(try await carriedBytes(b) - before) / 1e6
        say("\(name): \(contestant.name) \(number(seconds, 2)) s, \(number(megabytes, 3)) MB")
        guard contestant.name == Measurements.ours else { return (seconds, nil) }
        return (
            seconds, Verdict("changed file: \(name)", value: megabytes, .atMost(most), digits: 3, unit: " MB")
        )
    }

    /// Bytes that the cable has carried to and from a host.
    private func carriedBytes(_ host: TestHost) async throws -> Int {
        let text = try await host.run(["cat", "/proc/net/dev"]).text
        guard let line = text.split(separator: "\n").first(where: { $0.contains(TestHost.interface + ":") }) else {
            throw HostsError("no counters of \(TestHost.interface)")
        }
        let numbers = line.split(separator: ":")[1].split(separator: " ").compactMap { Int($0) }
        guard numbers.count >= 9 else { throw HostsError("no counters in: \(line)") }
        return numbers[0] + numbers[8]
    }
}
