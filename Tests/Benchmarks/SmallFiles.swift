import TestSupport

/// Many small files in folders, from memory to memory: a first time, and again without changes.
struct SmallFiles {
    let portolan: String
    let options: Options
    let shell: SecureShell

    private var contestant: PortolanByAddress { PortolanByAddress(portolan: portolan) }

    func first(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let tree = try makeTree(on: a)
        say(
            """

            \(Self.folders * Self.filesInEach) files of 4 KiB in \(Self.folders) folders, memory-backed on both sides; \
            \(options.rounds) rounds
            Of what has arrived when a program ends, portolan, rsync --fsync and tar with sync -f have synced everything.
            """)
        let contestants: [any Contestant] = [contestant, TarSocat(), RsyncDaemon(), TarSSH(shell: shell)]
        let results = try await Measurements(
            of: contestants, rounds: options.rounds, Load(item: tree), from: a, to: b)
        say(Table.costs(contestants.map(\.name), results, size: Self.size))
        return results.verdict("small files: speed to rsync's", to: "rsync", .atLeast(1.2), by: \.pace)
            + results.verdict("small files: speed to tar | ssh's", to: "tar | ssh", .atLeast(2), by: \.pace)
    }

    func again(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let tree = try makeTree(on: a)
        say("\nThe same files once more, unchanged, where they already are; \(options.rounds) rounds")
        let contestants: [any Contestant] = [contestant, RsyncDaemon()]
        let results = try await Measurements(
            of: contestants, rounds: options.rounds, Load(item: tree, staysThere: true), from: a, to: b)
        say(Table.costs(contestants.map(\.name), results, size: Self.size))
        return results.verdict("unchanged files: time to rsync's", to: "rsync", .atMost(1), by: \.seconds)
    }

    private static let folders = 200
    private static let filesInEach = 100
    private static let size = folders * filesInEach * 4096

    private func makeTree(on a: TestHost) throws -> String {
        let tree = a.files + "/tree"
        guard try !Files.names(in: a.files).contains("tree") else { return tree }
        var random = SeededGenerator(seed: 1)
        for folder in 0..<Self.folders {
            let path = "\(tree)/folder \(folder)"
            try Files.makeFolder(path)
            for file in 0..<Self.filesInEach {
                try Files.write(noise(4096, seed: random.next()), to: "\(path)/file \(file).bin")
            }
        }
        return tree
    }
}
