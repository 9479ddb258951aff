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

    /// Sends the files again that are there already; without `--quick` also a million.
    func again(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let tree = try makeTree(on: a)
        say("\nThe same files once more, unchanged, where they already are; \(options.rounds) rounds")
        let verdicts = try await again(tree, count: Self.folders * Self.filesInEach, from: a, to: b)
        guard !options.isQuick else { return verdicts }
        let count = 1_000_000
        say("\n\(count) unchanged files of 0 and 16 bytes, half of them in one folder; \(options.rounds) rounds")
        // Three copies, and the marks of one, which a file system in memory counts as well.
        guard try Files.freeNames(in: a.files) > count * 5 else {
            say("left out: the file system has too few free inodes")
            return verdicts
        }
        let many = a.files + "/many"
        try Self.makeMany(count, in: many)
        let others = try await again(many, count: count, from: a, to: b)
        for (host, names) in [(a, ["many"]), (b, ["in-portolan/many", "in-rsync/many"])] {
            try await host.require(["rm", "-rf"] + names.map { "\(host.files)/\($0)" }, within: .seconds(300))
        }
        return verdicts + others
    }

    private func again(_ tree: String, count: Int, from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        // Files that changed in the last minute are sampled as well, and those of an unchanged tree are older.
        try await a.require(["find", tree, "-exec", "touch", "-d", "2026-01-01", "{}", "+"], within: .seconds(300))
        let contestants: [any Contestant] = [contestant, RsyncDaemon()]
        let results = try await Measurements(
            of: contestants, rounds: options.rounds, Load(item: tree, staysThere: true, isAmongOthers: true), from: a,
            to: b)
        say(Table.times(contestants.map { ($0.name, results.seconds(of: $0.name)) }))
        return results.verdict(
            "\(count) unchanged files: time to rsync's", to: "rsync", .atMost(0.7), by: \.seconds)
    }

    /// Makes very many files, half of them in one folder.
    static func makeMany(_ count: Int, in tree: String) throws {
        for folder in 0...500 {
            let path = "\(tree)/\(folder)"
            try Files.makeFolder(path)
            for file in 0..<(folder == 0 ? count / 2 : count / 1000) {
                try Files.create("\(path)/\(file)", with: file.isMultiple(of: 10) ? noise(16, seed: UInt64(file)) : [])
            }
        }
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
