import Foundation
import Glibc
import TestSupport
import Testing

@testable import PortolanCommand

/// `portolan doctor` on this machine, regardless of its other findings.
@Suite struct DoctorCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// The findings, checked against the schema like all events.
    private func examine(_ arguments: [String]) async throws -> [[String: Any]] {
        let outcome = try await tool.run(["doctor", "--discovery", "off", "--json"] + arguments, home: "fresh")
        #expect(outcome.events.count == outcome.output.split(separator: "\n").count, "\(outcome)")
        let findings = outcome.events("finding")
        #expect(findings.count == outcome.events.count && !findings.isEmpty, "\(outcome)")
        let first = findings.first { $0["level"] as? String == "fail" }
        if let first { #expect(first["code"] as? Int == Int(outcome.code), "\(outcome)") }
        return findings
    }

    @Test func searchForAPeerWritesNoFiles() async throws {
        let free = try Tool.freePort()
        let refused = try await examine(["127.0.0.1:\(free)"])
        #expect(refused.contains { $0["cause"] as? String == "peer-refuses" }, "\(refused)")
        let unknown = try await examine(["nobody"])
        #expect(unknown.contains { $0["cause"] as? String == "peer-unknown" }, "\(unknown)")
        #expect(!FileManager.default.fileExists(atPath: tool.path("fresh")))
    }

    @Test func processThatHoldsThePortIsNamed() async throws {
        let full = try FullListener()
        #expect(PortHolder.find(full.port) == .program(try ownName(), process: getpid()))
        let findings = try await examine(["--port", "\(full.port)"])
        let port = try #require(findings.first { $0["probe"] as? String == "port \(full.port)" })
        #expect((port["seen"] as? String)?.contains("(process \(getpid()))") == true, "\(port)")
        withExtendedLifetime(full) {}
    }

    private func ownName() throws -> String {
        try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test func hiddenHolderOfThePortIsNamedByItsUser() throws {
        let header = "  sl  local_address rem_address st tx_queue rx_queue tr tm->when retrnsmt uid timeout inode\n"
        func line(_ port: String, _ state: String, user: uid_t) -> String {
            "   0: 00000000:\(port) 00000000:0000 \(state) 00000000:00000000 00:00000000 00000000 \(user) 0 4711 1\n"
        }
        let other = geteuid() + 12_345
        try tool.write(
            header + line("B871", "0A", user: other) + line("0016", "0A", user: geteuid())
                + line("0050", "01", user: other), to: "proc/net/tcp")
        let root = tool.path("proc")
        #expect(PortHolder.find(47217, root: root) == .user("\(other)"))
        #expect(PortHolder.find(22, root: root) == .hidden)
        // A connection is no listener.
        #expect(PortHolder.find(80, root: root) == .unknown)
        try tool.write("server\n", to: "proc/7/comm")
        try Files.makeFolder(tool.path("proc/7/fd"))
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("proc/7/fd/3"), withDestinationPath: "socket:[4711]")
        #expect(PortHolder.find(22, root: root) == .program("server", process: 7))
    }
}
