import Foundation
import Testing

@testable import PortolanSyncFolder

/// The folder of this program's own files, to other programs.
@Suite struct OwnFolderTests {
    private func git(_ arguments: [String], in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "git \(arguments)")
        return String(decoding: text, as: UTF8.self)
    }

    @Test("git does not list the folder of own files, and the file for that is made again where it is missing")
    func ignored() async throws {
        let folders = try await SyncFolders(1)
        _ = try git(["init", "--quiet"], in: folders(0))
        try folders.write(0, "a", "1")
        try await folders.synchronize(0)
        #expect(try git(["status", "--porcelain"], in: folders(0)) == "?? a\n")
        try folders.remove(0, "\(ControlFolder.name)/.gitignore")
        #expect(try git(["status", "--porcelain"], in: folders(0)) == "?? \(ControlFolder.name)/\n?? a\n")
        try await folders.synchronize(0)
        #expect(try git(["status", "--porcelain"], in: folders(0)) == "?? a\n")
        #expect(folders.text(0, "\(ControlFolder.name)/.gitignore") == "*\n")
    }
}
