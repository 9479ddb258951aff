import Foundation
import Glibc
import TestSupport

/// `portolan receive --yes` on the loopback interface of this machine, reached by its address only.
final class VictimProcess {
    let port: UInt16
    private let process: Process
    private let portolan: String
    private let folder: URL

    init(portolan: String) async throws {
        self.portolan = portolan
        folder = FileManager.default.temporaryDirectory.appending(path: "portolan-crowd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: portolan)
        process.arguments = [
            "receive", "--yes", "--json", "--into", folder.appending(path: "in").path, "--interface", "lo",
            "--discovery", "off",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        process.environment = Self.environment(folder.appending(path: "home"))
        try process.run()
        self.process = process
        guard let port = Self.port(in: output.fileHandleForReading) else {
            throw HostsError("portolan receive does not say where it listens")
        }
        self.port = port
        // The output is read to its end, because a full pipe would block the program.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    private static func environment(_ home: URL) -> [String: String] {
        ["PORTOLAN_HOME": home.path, "PATH": "/usr/bin:/bin"]
    }

    /// Port in the first event that has one.
    private static func port(in output: FileHandle) -> UInt16? {
        var said = Data()
        while let more = try? output.read(upToCount: 1), !more.isEmpty {
            guard more != Data("\n".utf8) else {
                let event = try? JSONSerialization.jsonObject(with: said) as? [String: Any]
                if let port = event?["port"] as? Int { return UInt16(port) }
                said = Data()
                continue
            }
            said += more
        }
        return nil
    }

    /// Sends 1 KiB of text to the receiver, by a separate process.
    ///
    /// - Returns: the time in seconds; nil if the text did not arrive.
    func sendHonestly(as name: String) throws -> Double? {
        let sender = Process()
        sender.executableURL = URL(fileURLWithPath: portolan)
        sender.arguments = [
            "send", "--quiet", "--text", String(repeating: "x", count: 1024), "--to", "127.0.0.1:\(port)",
        ]
        sender.environment = Self.environment(folder.appending(path: name))
        sender.standardOutput = FileHandle.nullDevice
        sender.standardError = FileHandle.nullDevice
        sender.standardInput = FileHandle.nullDevice
        let start = ContinuousClock.now
        try sender.run()
        sender.waitUntilExit()
        return sender.terminationStatus == 0 ? (ContinuousClock.now - start) / .seconds(1) : nil
    }

    /// Proportional share of the machine's memory at present, in MiB.
    var memory: Double { ProcessTree.memory(of: process.processIdentifier) }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
