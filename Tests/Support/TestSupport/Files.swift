import CTestSupport
import Foundation
import Glibc

/// Returns random-looking bytes, equal for equal seeds.
public func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8 * 8)
    bytes.withUnsafeMutableBytes { buffer in
        for start in stride(from: 0, to: count, by: 8) {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            buffer.storeBytes(of: state.littleEndian, toByteOffset: start, as: UInt64.self)
        }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}

/// Helpers for files and folders.
public enum Files {
    public static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    public static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    public static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    public static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Makes a sparse file of `size` zero bytes.
    public static func makeHollow(_ path: String, size: Int) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw HostsError("cannot make \(path)", status: -errno) }
        defer { close(file) }
        guard ftruncate(file, off_t(size)) == 0 else { throw HostsError("cannot size \(path)", status: -errno) }
    }

    /// Makes a file of `size` random-looking bytes.
    public static func makeNoise(_ path: String, size: Int) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw HostsError("cannot make \(path)", status: -errno) }
        defer { close(file) }
        var left = size
        var seed: UInt64 = 1
        while left > 0 {
            let piece = noise(min(left, 4 << 20), seed: seed)
            guard Glibc.write(file, piece, piece.count) == piece.count else {
                throw HostsError("cannot write \(path)", status: -errno)
            }
            left -= piece.count
            seed += 1
        }
    }

    /// Creates a file; faster than `write(_:to:)` for very many files.
    public static func create(_ path: String, with bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw HostsError("cannot make \(path)", status: -errno) }
        defer { close(file) }
        guard bytes.isEmpty || Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw HostsError("cannot write \(path)", status: -errno)
        }
    }

    /// Writes bytes into an existing file.
    public static func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw HostsError("cannot open \(path)", status: -errno) }
        defer { close(file) }
        guard pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw HostsError("cannot write \(path)", status: -errno)
        }
    }

    public static func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
    }

    /// Returns the free bytes on the file system of a folder.
    public static func room(in folder: String) throws -> Int {
        var information = statvfs()
        guard statvfs(folder, &information) == 0 else { throw HostsError("cannot look at \(folder)", status: -errno) }
        return Int(information.f_bavail) * Int(information.f_frsize)
    }

    /// Returns the number of files that can be created on the file system of a folder.
    public static func freeNames(in folder: String) throws -> Int {
        var information = statvfs()
        guard statvfs(folder, &information) == 0 else { throw HostsError("cannot look at \(folder)", status: -errno) }
        return Int(information.f_favail)
    }

    /// True if two files have equal bytes. Common holes are not read.
    public static func areEqual(_ one: String, _ other: String) throws -> Bool {
        let files = [open(one, O_RDONLY | O_CLOEXEC), open(other, O_RDONLY | O_CLOEXEC)]
        defer { for file in files where file >= 0 { close(file) } }
        guard files.allSatisfy({ $0 >= 0 }) else { throw HostsError("cannot compare \(one) with \(other)") }
        let size = lseek(files[0], 0, SEEK_END)
        guard size >= 0, size == lseek(files[1], 0, SEEK_END) else { return false }
        let length = 1 << 20
        let buffers = files.map { _ in UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16) }
        defer { for buffer in buffers { buffer.deallocate() } }
        var offset: off_t = 0
        while offset < size {
            // From here on at least one of the files has data.
            offset = files.map { nextData(in: $0, from: offset) ?? size }.min() ?? size
            guard offset < size else { break }
            let counts = zip(files, buffers).map { pread($0, $1, length, offset) }
            guard counts[0] > 0, counts[0] == counts[1], memcmp(buffers[0], buffers[1], counts[0]) == 0 else {
                return false
            }
            offset += off_t(counts[0])
        }
        return true
    }

    /// Returns the first offset from `offset` on at which a file has data, as far as its file system knows; nil if only
    /// a hole is left.
    private static func nextData(in file: Int32, from offset: off_t) -> off_t? {
        let place = lseek(file, offset, portolan_seek_data)
        return place >= 0 ? place : errno == ENXIO ? nil : offset
    }

    /// Returns the names in a folder, with hidden ones, in order.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// Returns the visible names in a folder.
    public static func visibleNames(in folder: String) throws -> [String] {
        try names(in: folder).filter { !$0.hasPrefix(".") }
    }

    /// Returns the size of all files below a folder, with hidden ones; files that vanish meanwhile are skipped.
    public static func size(of folder: String) -> Int {
        guard let all = FileManager.default.enumerator(atPath: folder) else { return 0 }
        var total = 0
        while let path = all.nextObject() as? String {
            var information = stat()
            if lstat("\(folder)/\(path)", &information) == 0, information.st_mode & S_IFMT == S_IFREG {
                total += Int(information.st_size)
            }
        }
        return total
    }

    /// Describes each file, folder and link below (and with) `root` in one line, in order: path, kind, permissions,
    /// modification time and content, which must all survive a transfer.
    public static func inventory(of root: String) throws -> [String] {
        let below = try FileManager.default.subpathsOfDirectory(atPath: root).sorted().map { "/" + $0 }
        return try ([""] + below).map { path in
            let full = root + path
            var information = stat()
            guard lstat(full, &information) == 0 else { throw HostsError("cannot look at \(full)", status: -errno) }
            let permissions = String(information.st_mode & 0o777, radix: 8)
            let modified = "\(information.st_mtim.tv_sec).\(information.st_mtim.tv_nsec)"
            switch information.st_mode & S_IFMT {
            case S_IFDIR: return "\(path)/ folder \(permissions) \(modified)"
            case S_IFLNK:
                return "\(path) -> \(try FileManager.default.destinationOfSymbolicLink(atPath: full))"
            default:
                let bytes = try read(full)
                var hash: UInt64 = 0xcbf2_9ce4_8422_2325
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                return "\(path) file \(permissions) \(modified) \(bytes.count) \(String(hash, radix: 16))"
            }
        }
    }
}
