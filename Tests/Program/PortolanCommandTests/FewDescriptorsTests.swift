import Foundation
import Glibc
import Testing

/// The built program with a low limit of open files and connections.
@Suite(.serialized) struct FewDescriptorsTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Makes a silent connection.
    private func connectSilently(to port: UInt16) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(descriptor >= 0 && connected == 0, "no connection: \(String(cString: strerror(errno)))")
        return descriptor
    }

    @Test("a receiver with 64 descriptors and 60 silent connections takes an item")
    func silentConnections() async throws {
        let arguments = ["receive", "--yes", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json"]
        let receiver = try tool.start(
            arguments, home: "receiver", launcher: ["/bin/sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh"])
        let port = try await receiver.port()
        var silent: [CInt] = []
        defer { for descriptor in silent { close(descriptor) } }
        for round in 1...3 {
            for _ in 0..<60 { silent.append(try connectSilently(to: port)) }
            // A folder uses lanes, which take more descriptors than a text.
            for number in 0..<20 { try tool.write("words \(number)", to: "round \(round)/\(number).txt") }
            let sent = try await tool.run(["send", "round \(round)", "--to", "127.0.0.1:\(port)"])
            #expect(sent.code == 0, "round \(round): \(sent)\n\(receiver.errors)")
            #expect(try tool.names(in: "inbox/round \(round)").count == 20)
        }
        _ = try await receiver.stop()
    }

    @Test("the limit on descriptors is raised as far as it may be")
    func raisedLimit() async throws {
        let receiver = try tool.start(
            ["receive", "--yes", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json"],
            launcher: ["/bin/sh", "-c", "ulimit -Sn 100 && ulimit -Hn 512 && exec \"$@\"", "sh"])
        try await receiver.waitToSay("\"port\":")
        let limits = try String(contentsOfFile: "/proc/\(receiver.pid)/limits", encoding: .utf8)
        #expect(limits.contains(/Max open files +512 +512/), "\(limits)")
        _ = try await receiver.stop()
    }
}
