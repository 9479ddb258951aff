import Foundation
import Glibc
import TestSupport
import Testing

/// The built program, with outputs that are no terminal, as a service manager's journal or a script reads them.
final class Program: Sendable {
    let folder: URL
    private let process: Process
    private let streams: [URL]

    /// - Parameter arguments: arguments of the program, which runs in its own folder that also contains its state.
    init(_ arguments: [String], in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try BuiltProduct.path("portolan"))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = [
            "PORTOLAN_HOME": folder.appending(path: "home").path, "HOME": folder.path, "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
        ]
        process.standardInput = FileHandle.nullDevice
        streams = ["output", "errors"].map { folder.appending(path: $0) }
        for stream in streams { try Data().write(to: stream) }
        process.standardOutput = try FileHandle(forWritingTo: streams[0])
        process.standardError = try FileHandle(forWritingTo: streams[1])
        try process.run()
        self.process = process
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// All that it has printed, on both streams.
    var printed: String { streams.map { (try? String(contentsOf: $0, encoding: .utf8)) ?? "not UTF-8\u{1B}" }.joined() }

    /// Waits until it has printed `text` so many times.
    func waitToSay(_ text: String, times count: Int = 1) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while printed.components(separatedBy: text).count <= count {
            try #require(process.isRunning && .now < deadline, "it did not say “\(text)” \(count) times: \(printed)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits for its end.
    func finish() async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while process.isRunning {
            try #require(.now < deadline, "it did not end: \(printed)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func stop() async throws {
        process.terminate()
        try await finish()
    }
}
