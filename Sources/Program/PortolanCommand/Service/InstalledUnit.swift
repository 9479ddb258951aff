import Foundation
import PortolanConcurrency
import PortolanValues

/// File of the agent's unit in the folder of the user's or the machine's service manager.
struct InstalledUnit: Sendable {
    let folder: String
    /// Folders of packaged units, which have lower precedence than this file.
    let foldersOfOthers: [String]
    var path: String { folder + "/" + ServiceUnit.name }

    /// Folders in which systemd looks for units of all users.
    private static let foldersOfMachine = ["/usr/local/share", "/usr/share", "/usr/local/lib", "/usr/lib"]

    /// - Throws: `CommandFailure` if the user has no folder for units.
    init(scope: ServiceUnit.Scope, environment: [String: String]) throws {
        switch scope {
        case .machine:
            folder = "/etc/systemd/system"
            foldersOfOthers = []
        case .user:
            let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            let own = data ?? environment["HOME"].map { $0 + "/.local/share" }
            foldersOfOthers = ([own].compactMap(\.self) + Self.foldersOfMachine).map { $0 + "/systemd/user" }
            if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
                folder = configuration + "/systemd/user"
            } else if let home = environment["HOME"], home.hasPrefix("/") {
                folder = home + "/.config/systemd/user"
            } else {
                throw CommandFailure(.usage, "There is no place for a unit: HOME is not set to an absolute path.")
            }
        }
    }

    /// Text of the unit; nil if there is none.
    func text() async throws -> String? {
        try await withLookupThread { [path] () throws in
            guard access(path, F_OK) == 0 else { return nil }
            return try translating(String(contentsOfFile: path, encoding: .utf8)) { (_: any Error) in
                Self.failure("read", path, errno)
            }
        }
    }

    /// True if the unit exists.
    func exists() async -> Bool { await withLookupThread { [path] in access(path, F_OK) == 0 } }

    /// True if a packaged unit exists.
    func cameWithProgram() async -> Bool {
        await withLookupThread { [foldersOfOthers] in
            foldersOfOthers.contains { access($0 + "/" + ServiceUnit.name, F_OK) == 0 }
        }
    }

    /// True if the manager has a unit to start: this one, or a packaged one.
    func canBeStarted() async -> Bool {
        if await exists() { return true }
        return await cameWithProgram()
    }

    /// Writes the unit atomically.
    func write(_ text: String) async throws {
        try await withLookupThread { [self] () throws in
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                throw CommandFailure(
                    .cannotCreate,
                    "“\(DisplayText(path))” is no regular file, as where the unit is masked. Remove it.")
            }
            let temporary = "\(folder)/.\(ServiceUnit.name).\(getpid())"
            unlink(temporary)
            let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard file >= 0 else { throw Self.failure("write", temporary, errno) }
            let bytes = Array(text.utf8)
            let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
            let reason = errno
            close(file)
            guard isWritten, rename(temporary, path) == 0 else {
                let failure = Self.failure("write", path, isWritten ? errno : reason)
                unlink(temporary)
                throw failure
            }
        }
    }

    /// Removes the unit, and the link that starts it.
    func remove() async throws {
        try await withLookupThread { [folder, path] () throws in
            for target in ["default.target.wants", "multi-user.target.wants"] {
                unlink("\(folder)/\(target)/\(ServiceUnit.name)")
            }
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("remove", path, errno) }
        }
    }

    private static func failure(_ action: String, _ path: String, _ reason: Int32) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "Cannot \(action) “\(DisplayText(path))”: \(String(cString: strerror(reason))).")
    }
}
