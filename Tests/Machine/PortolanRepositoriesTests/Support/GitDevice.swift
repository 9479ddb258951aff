import Foundation
import PortolanFiles
import PortolanRepositories
import Testing

/// A work tree with a repository on one of several devices. What members of a folder would carry is copied by
/// ``carry(to:)``.
final class GitDevice {
    let name: String
    let path: String
    private let world: TestWorld

    /// - Parameter name: name of the device.
    init(_ name: String, in world: TestWorld) {
        self.world = world
        self.name = name
        path = "\(world.path)/\(name)"
        mkdir(path, 0o755)
    }

    // MARK: Programs

    private static func run(_ words: [String], in path: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_EDITOR": "true", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@b",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Runs git, which must succeed.
    @discardableResult
    func git(_ words: String..., at location: SourceLocation = #_sourceLocation) throws -> String {
        let end = try Self.run(["git"] + words, in: path)
        #expect(end.status == 0, "\(name): git \(words) says \(end.text)", sourceLocation: location)
        return end.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs git, which may fail.
    @discardableResult
    func tryGit(_ words: [String]) throws -> Bool { try Self.run(["git"] + words, in: path).status == 0 }

    func write(_ text: String, to file: String) throws {
        try text.write(toFile: "\(path)/\(file)", atomically: true, encoding: .utf8)
    }

    func has(_ file: String) -> Bool { access("\(path)/\(file)", F_OK) == 0 }

    /// Writes a file and commits it.
    func commit(_ text: String, to file: String = "file") throws {
        try write(text, to: file)
        try git("add", "-A")
        try git("commit", "-q", "-m", text)
    }

    /// Files with differences, as `git status` tells them.
    func status() throws -> String { try git("status", "--porcelain") }

    /// Names and values of references, without those that show what other devices have.
    func references() throws -> [String] {
        try git("for-each-ref", "--format=%(objectname) %(refname)").split(separator: "\n").map(String.init)
            .filter { !$0.contains("refs/portolan/") && !$0.hasSuffix("refs/stash") }
    }

    func isSound(at location: SourceLocation = #_sourceLocation) throws {
        let check = try Self.run(["git", "fsck", "--full", "--strict", "--no-dangling"], in: path)
        #expect(check.status == 0 && check.text.isEmpty, "\(name): \(check.text)", sourceLocation: location)
    }

    // MARK: Exchange

    @discardableResult
    func exchange() throws -> RepositoryOutcome {
        let above = try KernelStorage().openFolder(path: path)
        return try RepositoryExchange.run(in: above, of: name, owner: name, storage: KernelStorage())
    }

    /// Copies what the device has told, and the files of its work tree, as a folder that is kept alike would.
    ///
    /// - Parameter files: true if the files of the work tree become those of this device.
    func carry(to other: GitDevice, files: Bool = true) throws {
        let target = "\(other.path)/.git/portolan"
        if has(".git/portolan") {
            _ = try Self.run(["mkdir", "-p", target], in: path)
            _ = try Self.run(["cp", "-rT", ".git/portolan", target], in: path)
        }
        guard files else { return }
        let end = try Self.run(
            ["rsync", "-a", "--checksum", "--delete", "--exclude=/.git", "\(path)/", "\(other.path)/"], in: path)
        #expect(end.status == 0, "\(end.text)")
    }

    /// Exchanges, carries to another device, and lets that take it.
    @discardableResult
    func send(to other: GitDevice, files: Bool = true) throws -> RepositoryOutcome {
        try exchange()
        try carry(to: other, files: files)
        return try other.exchange()
    }
}

/// A folder for devices, removed with its last reference.
final class TestWorld {
    let path: String

    init() throws {
        let name = "portolan-git-\(UInt64.random(in: 0 ... .max))"
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
