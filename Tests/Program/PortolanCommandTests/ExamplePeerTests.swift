import Foundation
import TestSupport
import Testing

/// The example in Python, a second implementation of the protocol, with the built program on the loopback interface.
@Suite(.serialized) struct ExamplePeerTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private static let script = URL(filePath: #filePath).appending(path: "../../../../Protocol/example/peer.py")
        .standardizedFileURL.path

    /// The first Python with the modules that the example needs.
    private static let python: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let others = path.split(separator: ":").map { "\($0)/python3" }
        return (["/usr/bin/python3"] + others).first(where: canRunTheExample)
    }()

    private static let missing = "there is no python3 that can import cryptography"

    private static func canRunTheExample(_ python: String) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: python) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", "import cryptography, ctypes; ctypes.CDLL('libzstd.so.1')"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Launcher that starts the example instead of the tool, whose path it drops. It creates a missing key.
    ///
    /// - Parameters:
    ///   - key: name of the key's file.
    ///   - setting: shell command to run first.
    private func launcher(_ python: String, _ key: String, _ setting: String) -> [String] {
        let line = "\(setting); shift; [ -e \(key) ] || head -c 32 /dev/urandom > \(key); exec \"$0\" -B \"$@\" \(key)"
        return ["/bin/sh", "-c", line, python]
    }

    private func startPeer(
        _ arguments: [String], _ python: String, key: String = "key", after setting: String = ":"
    ) throws -> Tool.Running {
        try tool.start([Self.script] + arguments, launcher: launcher(python, key, setting))
    }

    private func startReceivingPeer(
        _ python: String, after setting: String = ":"
    ) async throws -> (receiver: Tool.Running, address: String) {
        try FileManager.default.createDirectory(atPath: tool.path("inbox"), withIntermediateDirectories: true)
        let receiver = try startPeer(["receive", "127.0.0.1:0", "inbox"], python, after: setting)
        try await receiver.waitToSay("\n")
        let said = try #require(receiver.output.firstMatch(of: /listening on (127\.0\.0\.1:[0-9]+)\n/))
        return (receiver, String(said.1))
    }

    /// Makes the files to send in each direction, and returns their names.
    private func makeFiles() throws -> [String] {
        let lines = String(repeating: "The same line, again and again.\n", count: (3 << 20) / 32)
        try tool.write(lines, to: "text.txt")
        try Files.write(noise(3 << 20, seed: 7), to: tool.path("noise"))
        try tool.write("", to: "empty")
        return ["text.txt", "noise", "empty"]
    }

    @Test func exampleStoresReceivedItems() async throws {
        guard let python = Self.python else { return print("skipped: \(Self.missing)") }
        for name in try makeFiles() {
            let (receiver, address) = try await startReceivingPeer(python)
            let sent = try await tool.run(["send", name, "--to", address, "--compress", "zstd", "--json"])
            #expect(sent.code == 0, "\(name): \(sent)")
            let received = try await receiver.finish()
            #expect(received.code == 0, "\(name): \(received)")
            #expect(received.output.contains("stored as '\(name)'"), "\(received)")
            let isTheSame = try Files.read(tool.path("inbox/\(name)")) == Files.read(tool.path(name))
            #expect(isTheSame, "\(name) is not what was sent")
        }
        #expect(try tool.names(in: "inbox") == ["empty", "noise", "text.txt"])
    }

    @Test func itemsFromTheExampleAreStored() async throws {
        guard let python = Self.python else { return print("skipped: \(Self.missing)") }
        let names = try makeFiles()
        let (receiver, address) = try await tool.receive()
        for name in names {
            let sent = try await startPeer(["send", address, name], python).finish()
            #expect(sent.code == 0, "\(name): \(sent)")
            #expect(sent.output.contains("stored as '\(name)'"), "\(sent)")
            let isTheSame = try Files.read(tool.path("inbox/\(name)")) == Files.read(tool.path(name))
            #expect(isTheSame, "\(name) is not what was sent")
        }
        let ended = try await receiver.stop()
        #expect(ended.code == 0, "\(ended)")
        #expect(ended.events("stored").count == names.count)
    }

    @Test func exampleReportsADecline() async throws {
        guard let python = Self.python else { return print("skipped: \(Self.missing)") }
        let (receiver, address) = try await tool.receive([])
        try tool.write("hello", to: "hello.txt")
        let sent = try await startPeer(["send", address, "hello.txt"], python).finish()
        #expect(sent.code == 1, "\(sent)")
        #expect(sent.errors.contains("peer.py: declined: not_wanted"), "\(sent)")
        let ended = try await receiver.stop()
        #expect(ended.code == 0, "\(ended)")
        #expect(try tool.names(in: "inbox").isEmpty)
    }

    /// The receiver reads nothing more of the file, and closes; the sender is writing then.
    @Test func exampleReportsTheFailureOfAReceiverThatEndsTheSession() async throws {
        guard let python = Self.python else { return print("skipped: \(Self.missing)") }
        try tool.makeLarge("large")
        let (receiver, address) = try await startReceivingPeer(python, after: "ulimit -f 1000")
        let sent = try await startPeer(["send", address, "large"], python, key: "other-key").finish()
        #expect(sent.code == 1, "\(sent)")
        #expect(sent.errors.contains("peer.py: not stored: cannot_write"), "\(sent)")
        let received = try await receiver.finish()
        #expect(received.code == 1, "\(received)")
        #expect(try tool.names(in: "inbox").isEmpty)
    }

    /// The Close behind the receipt says only that something failed.
    @Test func failureOfAReceiverThatEndsTheSessionIsReported() async throws {
        guard let python = Self.python else { return print("skipped: \(Self.missing)") }
        try tool.makeLarge("large")
        let (receiver, address) = try await startReceivingPeer(python, after: "ulimit -f 1000")
        let sent = try await tool.run(["send", "large", "--to", address, "--json"])
        #expect(sent.code == 73, "\(sent)")
        #expect(sent.events("settled").first?["outcome"] as? String == "failed", "\(sent)")
        #expect(sent.events("error").isEmpty, "\(sent)")
        #expect(try await receiver.finish().code == 1)
    }

    @Test func theExampleDeclinesAFolder() async throws {
        guard let python = Self.python else { return print("skipped: \(Self.missing)") }
        let (receiver, address) = try await startReceivingPeer(python)
        try tool.write("hello", to: "folder/hello.txt")
        let sent = try await tool.run(["send", "folder", "--to", address, "--json"])
        #expect(sent.code == 81, "\(sent)")
        let received = try await receiver.finish()
        #expect(received.code == 1, "\(received)")
        #expect(try tool.names(in: "inbox").isEmpty)
    }
}
