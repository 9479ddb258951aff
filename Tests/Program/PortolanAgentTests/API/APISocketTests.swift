import Foundation
import PortolanClient
import Testing

@testable import PortolanAgent

@Suite("Socket of the local API")
struct APISocketTests {
    @Test(
        "The socket is its owner's only, in a folder that is made for it; both lock and socket are free after the stop")
    func socketIsPrivate() async throws {
        try await withSocketFolder { parent in
            let socket = parent + "/portolan/api.sock"
            for _ in 0..<2 {
                let server = try await APIServer.start(actions: FakeAgent(), socket: socket)
                #expect(mode(parent + "/portolan") == 0o700)
                #expect(mode(socket) == 0o600)
                await server.stop()
                #expect(mode(socket) == nil)
            }
        }
    }

    @Test("Two agents do not listen at one path")
    func secondAgentIsRefused() async throws {
        try await withServer { _, client, socket in
            await #expect(throws: APISocketError.agentRuns(path: socket)) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: socket)
            }
            // Another lock file does not help.
            try FileManager.default.removeItem(atPath: socket + ".lock")
            await #expect(throws: APISocketError.agentRuns(path: socket)) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: socket)
            }
            #expect(try await client.status().receiving)
        }
    }

    @Test("The socket of an agent that was killed is replaced")
    func staleSocketIsReplaced() async throws {
        try await withSocketFolder { folder in
            let socket = folder + "/api.sock"
            try makeStaleSocket(socket)
            try #require(mode(socket) != nil)
            let server = try await APIServer.start(actions: FakeAgent(), socket: socket)
            #expect(try await AgentClient(socket: socket).status().receiving)
            await server.stop()
        }
    }

    @Test("Of several agents that find a stale socket at once, one listens")
    func oneOfSeveralAgentsListens() async throws {
        try await withSocketFolder { folder in
            let socket = folder + "/api.sock"
            try makeStaleSocket(socket)
            let servers = await withTaskGroup(of: APIServer?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try? await APIServer.start(actions: FakeAgent(), socket: socket) }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(servers.count == 1)
            #expect(try await AgentClient(socket: socket).status().receiving)
            await servers.first?.stop()
        }
    }

    @Test("A file that is no socket stays")
    func otherFile() async throws {
        try await withSocketFolder { folder in
            let socket = folder + "/api.sock"
            try Data("mine".utf8).write(to: URL(filePath: socket))
            await #expect(throws: APISocketError.notASocket(path: socket)) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: socket)
            }
            #expect(try Data(contentsOf: URL(filePath: socket)) == Data("mine".utf8))
        }
    }

    @Test("A socket and a folder of another user are not used", .enabled(if: geteuid() == 0, "needs root"))
    func foreignSocketAndFolderAreRefused() async throws {
        try await withSocketFolder { folder in
            let socket = folder + "/api.sock"
            try makeStaleSocket(socket)
            try #require(chown(socket, 65534, 65534) == 0)
            await #expect(throws: APISocketError.notOwned(path: socket, user: 65534)) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: socket)
            }
            #expect(mode(socket) != nil)
            try #require(chown(folder, 65534, 65534) == 0)
            await #expect(throws: APISocketError.notOwned(path: folder, user: 65534)) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: socket)
            }
        }
    }

    @Test("A folder that others may enter is refused, with the command that helps")
    func openFolder() async throws {
        try await withSocketFolder { folder in
            chmod(folder, 0o755)
            let error = await #expect(throws: APISocketError.folderNotPrivate(path: folder, mode: 0o755)) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: folder + "/api.sock")
            }
            #expect(error?.description.contains("chmod 700 \(folder)") == true)
        }
    }

    @Test("A path that is too long for a socket is refused with its length; the longest one works")
    func pathLength() async throws {
        try await withSocketFolder { folder in
            let longest = folder + "/" + String(repeating: "s", count: 103 - folder.utf8.count - 1)
            let server = try await APIServer.start(actions: FakeAgent(), socket: longest)
            #expect(try await AgentClient(socket: longest).status().receiving)
            await server.stop()
            await #expect(throws: AgentClientError.pathTooLong(longest + "s")) {
                _ = try await APIServer.start(actions: FakeAgent(), socket: longest + "s")
            }
            let text = AgentClientError.pathTooLong(longest + "s").description
            #expect(text.contains("104 bytes") && text.contains("103"))
        }
    }

    @Test("A socket that another process made in the meantime stays after the stop")
    func socketOfAnotherProcessStays() async throws {
        try await withSocketFolder { folder in
            let socket = folder + "/api.sock"
            let server = try await APIServer.start(actions: FakeAgent(), socket: socket)
            try FileManager.default.removeItem(atPath: socket)
            try Data("other".utf8).write(to: URL(filePath: socket))
            await server.stop()
            #expect(try Data(contentsOf: URL(filePath: socket)) == Data("other".utf8))
        }
    }

    @Test("Only the owner and root are trusted")
    func onlyOwnerAndRootAreTrusted() {
        #expect(PeerUser(id: 1000).isTrusted(by: 1000))
        #expect(PeerUser(id: 0).isTrusted(by: 1000))
        #expect(!PeerUser(id: 1001).isTrusted(by: 1000))
        #expect(!PeerUser(id: 1000).isTrusted(by: 0))
    }

    /// A socket as a killed process leaves it: no program listens there.
    private func makeStaleSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(result == 0)
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
