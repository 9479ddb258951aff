import Foundation
import Glibc
import PortolanCrypto
import Testing

/// Secrets in the memory of the built program.
@Suite(.serialized) struct KeyMemoryTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let arguments = [
        "receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json",
    ]

    /// Memory of a waiting receiver that has opened its key.
    ///
    /// - Parameter who: option for the permitted senders.
    private func memoryOfReceiver(_ who: [String] = ["--yes"]) async throws -> MemoryImage {
        let receiver = try tool.start(arguments + who, environment: ["PORTOLAN_DEBUGGABLE": "1"])
        try await receiver.waitToSay("\"port\":")
        receiver.freeze()
        defer { receiver.kill() }
        return try MemoryImage(of: receiver.pid)
    }

    /// Pieces of a secret as bytes and as text. Eight bytes turn up by chance nowhere.
    private func traces(of secret: [UInt8]) -> [[UInt8]] {
        let digits = Array(secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8)
        var traces: [[UInt8]] = []
        for start in stride(from: 0, to: secret.count, by: 8) {
            traces.append(Array(secret[start..<start + 8]))
            traces.append(Array(digits[2 * start..<2 * start + 16]))
        }
        return traces
    }

    private func bytes(_ digits: Substring) throws -> [UInt8] {
        try stride(from: 0, to: digits.count, by: 2).map { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return try #require(UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16))
        }
    }

    private func stored(_ ending: String) throws -> String {
        let files = FileManager.default.enumerator(atPath: tool.path("home"))?.compactMap { $0 as? String } ?? []
        return try tool.read("home/" + (try #require(files.first { $0.hasSuffix(ending) })))
    }

    @Test("the device key is not in the core dump of the process that made it, nor of one that read it")
    func deviceKey() async throws {
        for start in ["first", "second"] {
            let memory = try await memoryOfReceiver()
            let seed = try bytes(try #require(try stored("device.key").split(separator: "\n").dropFirst().first))
            let key = try DeviceKey(seed: seed)
            try #require(memory.contains(key.publicKey.bytes), "the image shows nothing of the process")
            for trace in traces(of: seed) {
                #expect(!memory.contains(trace), "\(start) start: a part of the device key is in memory that is dumped")
            }
        }
    }

    @Test("a team's secrets are not in the core dump of a process that read them")
    func teamSecret() async throws {
        let name = "cartographers-of-Mallorca"
        let created = try await tool.run(["team", "create", name])
        try #require(created.code == 0, "\(created)")
        let file = try stored(".team")
        let head = try #require(file.firstMatch(of: /head ([0-9a-f]{64})/))
        let memory = try await memoryOfReceiver(["--from", "@\(name)"])
        try #require(memory.contains(Array(name.utf8)), "the image shows nothing of the team")
        for trace in traces(of: try bytes(head.1)) {
            #expect(!memory.contains(trace), "a part of the team's secret is in memory that is dumped")
        }
    }

    @Test("the program writes no core dump, and other processes of its user cannot read its memory")
    func isNotDumpable() async throws {
        // A process of root looks the same, dumpable or not.
        let launcher = tool.launcherWithoutPrivileges()
        func owner(of receiver: Tool.Running) throws -> UInt32 {
            var status = stat()
            try #require(stat("/proc/\(receiver.pid)/mem", &status) == 0)
            return status.st_uid
        }
        for (environment, expected) in [([:], 0), (["PORTOLAN_DEBUGGABLE": "1"], tool.userWithoutPrivileges)] {
            let receiver = try tool.start(arguments + ["--yes"], environment: environment, launcher: launcher)
            try await receiver.waitToSay("\"port\":")
            #expect(try owner(of: receiver) == expected)
            if environment.isEmpty {
                let limits = try String(contentsOfFile: "/proc/\(receiver.pid)/limits", encoding: .utf8)
                #expect(limits.contains(/Max core file size +0 +0 +bytes/), "\(limits)")
            }
            _ = try await receiver.stop()
        }
    }
}
