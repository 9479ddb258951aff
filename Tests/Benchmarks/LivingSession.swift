import Foundation
import Portolan
import PortolanTrust
import TestSupport

/// Sends and fetches of 1 KiB in a session that both sides keep open, between this process and one that receives and
/// shares, over loopback.
struct LivingSession {
    let portolan: String
    let options: Options

    /// Number of rounds before the first measured one.
    private static let warmUp = 20

    func run() async throws -> [Verdict] {
        let rounds = options.shortRounds * 10
        say("\n1 KiB in a session that both sides keep, two processes, over loopback; \(rounds) rounds")
        let memory = try await measure(below: options.directory, rounds: rounds)
        let disk = try await measure(below: FileManager.default.temporaryDirectory.path, rounds: rounds)
        say(
            Table.times([
                ("a send, received into \(options.directory)", memory.sends),
                ("a list and a fetch, into \(options.directory)", memory.fetches),
                ("a send, received into \(FileManager.default.temporaryDirectory.path)", disk.sends),
                ("a list and a fetch, into \(FileManager.default.temporaryDirectory.path)", disk.fetches),
            ]))
        return [
            verdict("living session: offer to receipt of 1 KiB", memory.sends, 2),
            verdict("living session: get of 1 KiB", memory.fetches, 3),
        ]
    }

    private func verdict(_ what: String, _ seconds: [Double], _ limit: Double) -> Verdict {
        Verdict(what, value: seconds.median * 1000, .atMost(limit), digits: 2, unit: " ms")
    }

    /// - Parameter directory: folder of both homes and of the stored items.
    private func measure(below directory: String, rounds: Int) async throws -> (sends: [Double], fetches: [Double]) {
        let root = URL(fileURLWithPath: directory).appending(path: "portolan-living-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let text = String(repeating: "See you at five. ", count: 61).prefix(1024).description
        try Data(text.utf8).write(to: root.appending(path: "shared.txt"))
        let (receiver, port) = try await receive(below: root)
        defer {
            receiver.terminate()
            receiver.waitUntilExit()
        }

        var configuration = Node.Configuration(
            home: try HomeDirectory(override: root.appending(path: "sender").path, environment: [:]))
        configuration.discovery = .off
        configuration.interfaces = ["lo"]
        configuration.idleTime = .seconds(60)
        let node = try Node(blocking: configuration)
        let peer = try await node.find("127.0.0.1:\(port)")
        let clock = ContinuousClock()
        let folder = root.appending(path: "got").path
        var (sends, fetches): ([Double], [Double]) = ([], [])
        for round in 0..<(Self.warmUp + rounds) {
            let sending = try await clock.measure {
                guard try await node.send([.text(text)], to: peer).allSatisfy(\.isStored) else {
                    throw HostsError("1 KiB was not stored")
                }
            }
            var got: ReceivedItem?
            let fetching = try await clock.measure {
                got = try await node.fetch(from: peer, into: folder) { items in
                    guard let first = items.first else { throw HostsError("nothing is shared") }
                    return first
                }
            }
            // The item is removed, since content that exists already is not sent again.
            if let got { try FileManager.default.removeItem(atPath: got.path) }
            guard round >= Self.warmUp else { continue }
            sends.append(sending / .seconds(1))
            fetches.append(fetching / .seconds(1))
        }
        await node.close()
        return (sends, fetches)
    }

    /// Starts to receive and to share.
    private func receive(below root: URL) async throws -> (Process, port: Int) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: portolan)
        process.arguments = [
            "receive", "--yes", "--json", "--home", root.appending(path: "receiver").path, "--into",
            root.appending(path: "in").path, "--share", root.appending(path: "shared.txt").path, "--interface", "lo",
            "--discovery", "off",
        ]
        let log = root.appending(path: "log")
        try Data().write(to: log)
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = ContinuousClock.now + .seconds(20)
        while .now < deadline {
            let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            for line in lines {
                let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                if let port = event?["port"] as? Int { return (process, port) }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        process.terminate()
        throw HostsError("portolan receive does not listen")
    }
}
