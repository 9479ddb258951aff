import Glibc
import Testing

@testable import PortolanFiles

/// Temporary folder, removed with its contents at the end of the test.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter parent: `/dev/shm` for tests that make many files and need no disk.
    init(in parent: String = "/tmp") {
        var template = Array("\(parent)/portolan-files-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder in \(parent)") }
        path = String(cString: made)
    }

    deinit {
        let folder = open(path, O_RDONLY | O_DIRECTORY)
        if folder >= 0 { Removal.empty(Descriptor(owning: folder), features: .detected) }
        rmdir(path)
    }

    /// Makes a folder in memory, if the machine has a file system for that.
    static func inMemory() -> TemporaryFolder {
        TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func folder(_ name: String, mode: mode_t = 0o755) -> String {
        #expect(mkdir(self(name), 0o700) == 0)
        #expect(chmod(self(name), mode) == 0)
        return self(name)
    }

    @discardableResult
    func file(_ name: String, _ content: String = "", mode: mode_t = 0o644) -> String {
        let file = open(self(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        #expect(file >= 0)
        #expect(write(file, content, content.utf8.count) == content.utf8.count)
        #expect(fchmod(file, mode) == 0)
        close(file)
        return self(name)
    }

    func link(_ name: String, to target: String) { #expect(symlink(target, self(name)) == 0) }

    func inbox(
        _ name: String = "inbox", features: KernelFeatures = .detected, storage: (any Storage)? = nil
    ) throws -> Inbox {
        try Inbox(path: self(name), createIfMissing: true, features: features, storage: storage)
    }
}

/// Names in a folder, with hidden ones.
func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

func content(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
    return bytes
}

func status(of path: String) -> FileStatus? {
    var status = stat()
    return lstat(path, &status) == 0 ? FileStatus(status) : nil
}

/// Describes all entries below a folder, one line each: path, kind, permissions, modification time, content or target.
func snapshot(of path: String, below prefix: String = "") -> [String] {
    names(in: path).flatMap { name -> [String] in
        let full = "\(path)/\(name)"
        let shown = prefix + name
        guard let status = status(of: full) else { return ["\(shown) vanished"] }
        let facts =
            "\(shown) \(status.kind) \(String(status.mode, radix: 8)) \(status.modified.seconds).\(status.modified.nanoseconds)"
        switch status.kind {
        case .folder: return [facts] + snapshot(of: full, below: shown + "/")
        case .symbolicLink:
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlink(full, &target, target.count)
            return [
                facts + " -> " + String(decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
            ]
        default:
            return [
                facts + " \(content(of: full).map { $0.count < 200 ? "\($0)" : "\($0.count) \($0.hashValue)" } ?? "")"
            ]
        }
    }
}
