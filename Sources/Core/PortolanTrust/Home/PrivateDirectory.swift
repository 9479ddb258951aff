import Glibc
import PortolanCrypto

/// An open directory that only its owner can enter, with small files that must not be lost or half-written.
///
/// Every file is checked through its open descriptor, so it cannot be exchanged between the check and the use.
package struct PrivateDirectory: ~Copyable {
    package let path: String
    let descriptor: Int32

    /// Opens the directory, and makes it (and its parents) with mode 0700 if it is missing.
    package init(path: String) throws(StoreError) {
        self.path = path
        var opened = Self.openDirectory(path)
        if opened < 0, errno == ENOENT {
            try Self.make(path)
            opened = Self.openDirectory(path)
        }
        descriptor = try Self.checked(opened, path)
    }

    /// Opens the directory, or returns `nil` if there is none, without creating it.
    package init?(existing path: String) throws(StoreError) {
        let opened = Self.openDirectory(path)
        if opened < 0, errno == ENOENT { return nil }
        self.path = path
        descriptor = try Self.checked(opened, path)
    }

    /// Checks that an opened file is a directory that only its owner can enter.
    private static func checked(_ opened: Int32, _ path: String) throws(StoreError) -> Int32 {
        guard opened >= 0 else {
            if errno == ENOTDIR { throw StoreError(.wrongKind(expected: "a directory"), path: path) }
            throw StoreError(.system(action: "open", code: errno), path: path)
        }
        do {
            try Self.check(opened, path: path, kind: S_IFDIR, expected: "a directory")
        } catch {
            close(opened)
            throw error
        }
        return opened
    }

    deinit { close(descriptor) }

    /// Reads a private file that holds no secret; `nil` if there is none.
    package func read(_ name: String, limit: Int) throws(StoreError) -> [UInt8]? {
        try readSecret(name, limit: limit).map { $0.withUnsafeBytes { Array($0) } }
    }

    /// Reads a private file that can be made again: one that is too large counts as missing.
    package func readHints(_ name: String, limit: Int) throws(StoreError) -> [UInt8]? {
        do throws(StoreError) {
            return try read(name, limit: limit)
        } catch {
            switch error.kind {
            case .tooLarge, .damaged: return nil
            default: throw error
            }
        }
    }

    /// Reads a private file into guarded memory; `nil` if there is none.
    package func readSecret(_ name: String, limit: Int) throws(StoreError) -> SecretBytes? {
        // Without O_NONBLOCK a FIFO in the file's place would block; without O_NOFOLLOW a link would be followed.
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw StoreError(.wrongKind(expected: "a regular file"), path: path(of: name)) }
            throw failure("open", name)
        }
        defer { close(file) }
        try Self.check(file, path: path(of: name), kind: S_IFREG, expected: "a regular file")
        return try readAll(file, name, limit: limit)
    }

    /// Creates a file unless it exists; returns true if it did. Of two processes racing, one wins.
    package func create(_ name: String, _ bytes: [UInt8]) throws(StoreError) -> Bool {
        try create(name, .joined([.open(bytes)]))
    }

    /// Creates a file that holds a secret, as the method for bytes does.
    package func create(_ name: String, _ bytes: SecretBytes) throws(StoreError) -> Bool {
        let temporary = try writeTemporary(for: name, bytes)
        defer { unlinkat(descriptor, temporary, 0) }
        // A hard link never replaces a file, so a key that was created meanwhile stays.
        guard linkat(descriptor, temporary, descriptor, name, 0) == 0 else {
            if errno == EEXIST { return false }
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw failure("create", name) }
            return try createWithoutLink(name, from: temporary)
        }
        try synchronize(name)
        return true
    }

    /// Creates a file on a file system without hard links, as those of cards and sticks. A lock keeps other processes
    /// of this program from creating it meanwhile.
    func createWithoutLink(_ name: String, from temporary: String) throws(StoreError) -> Bool {
        guard let lock = try hold(".creating", patience: .seconds(10)) else {
            throw StoreError(.busy, path: path(of: name))
        }
        defer { withExtendedLifetime(lock) {} }
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
        guard errno == ENOENT, renameat(descriptor, temporary, descriptor, name) == 0 else {
            throw failure("create", name)
        }
        try synchronize(name)
        return true
    }

    /// Replaces a file in one step: after a power cut the old or the new one exists, complete.
    package func replace(_ name: String, with bytes: [UInt8]) throws(StoreError) {
        try replace(name, with: .joined([.open(bytes)]))
    }

    /// Replaces a file that holds a secret, as the method for bytes does.
    package func replace(_ name: String, with bytes: SecretBytes) throws(StoreError) {
        let temporary = try writeTemporary(for: name, bytes)
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let error = failure("replace", name)
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        try synchronize(name)
    }

    /// Removes a file durably; returns true if it existed.
    package func remove(_ name: String) throws(StoreError) -> Bool {
        guard unlinkat(descriptor, name, 0) == 0 else {
            if errno == ENOENT { return false }
            throw failure("remove", name)
        }
        try synchronize(name)
        return true
    }

    /// Runs `body` with a lock that excludes other processes and other threads of this one.
    package func withLock<Result>(
        _ name: String, patience: Duration = .seconds(10),
        _ body: (borrowing PrivateDirectory) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard let lock = try hold(name, patience: patience) else { throw StoreError(.busy, path: path(of: name)) }
        defer { withExtendedLifetime(lock) {} }
        return try body(self)
    }

    package func path(of name: String) -> String { path + "/" + name }
}

extension PrivateDirectory {
    private static func openDirectory(_ path: String) -> Int32 {
        open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    private static func make(_ path: String) throws(StoreError) {
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        if !parent.isEmpty, access(String(parent), F_OK) != 0, errno == ENOENT { try make(String(parent)) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(.system(action: "create", code: errno), path: path)
        }
    }

    /// Checks owner, kind and mode of an open file: a file that others could have written or read is not trusted.
    package static func check(_ descriptor: Int32, path: String, kind: mode_t, expected: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StoreError(.system(action: "look at", code: errno), path: path)
        }
        guard status.st_mode & S_IFMT == kind else { throw StoreError(.wrongKind(expected: expected), path: path) }
        guard status.st_uid == geteuid() else { throw StoreError(.foreignOwner(owner: status.st_uid), path: path) }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreError(
                .tooOpen(mode: status.st_mode & 0o7777), path: path,
                remedy: remedyWithoutModes(descriptor, mode: status.st_mode))
        }
    }

    /// Advice for file systems on which no mode can be set; nil on others.
    private static func remedyWithoutModes(_ descriptor: Int32, mode: mode_t) -> String? {
        // File systems without modes, such as those of cards and sticks, reject every mode except the one that they
        // show.
        guard fchmod(descriptor, mode & 0o700) != 0, errno == EPERM || errno == ENOTSUP else {
            fchmod(descriptor, mode & 0o7777)
            return nil
        }
        return
            "That is refused here, for this file system keeps no modes: mount it for yourself alone, with the options "
            + "uid=\(geteuid()),umask=077, or use a directory on another one."
    }

    /// Reads a file into memory of its size. Files are replaced as a whole, so one whose size changes meanwhile is
    /// damaged.
    private func readAll(_ file: Int32, _ name: String, limit: Int) throws(StoreError) -> SecretBytes {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("look at", name) }
        guard status.st_size <= limit else { throw StoreError(.tooLarge(limit: limit), path: path(of: name)) }
        var outcome: Int?
        let contents = SecretBytes.guarded(count: Int(status.st_size)) { place in
            outcome = Self.fill(place, from: file)
        }
        guard let outcome else { throw failure("read", name) }
        var next: UInt8 = 0
        guard outcome == contents.count, Glibc.read(file, &next, 1) == 0 else {
            throw StoreError(.damaged(reason: "it was written to while it was read"), path: path(of: name))
        }
        return contents
    }

    /// Reads until the memory is full or the file ends.
    ///
    /// - Returns: bytes read; nil with `errno` set if reading failed.
    private static func fill(_ place: UnsafeMutableRawBufferPointer, from file: Int32) -> Int? {
        var filled = 0
        while filled < place.count {
            let count = Glibc.read(file, place.baseAddress.map { $0 + filled }, place.count - filled)
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                return nil
            }
        }
        return filled
    }

    private func writeTemporary(for name: String, _ bytes: SecretBytes) throws(StoreError) -> String {
        let temporary = Self.temporaryName(for: name)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("create a file beside", name) }
        do throws(StoreError) {
            // The process's umask may remove bits of our mode; it never adds any. A file system without modes shows one
            // mode for all of its files.
            if fchmod(file, 0o600) != 0 {
                guard errno == EPERM || errno == ENOTSUP else { throw failure("set the mode of", name) }
                try Self.check(file, path: path(of: name), kind: S_IFREG, expected: "a regular file")
            }
            guard bytes.withUnsafeBytes({ Self.write($0, to: file) }), fsync(file) == 0 else {
                throw failure("write", name)
            }
        } catch {
            close(file)
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        close(file)
        return temporary
    }

    /// Writes all of `bytes`; returns false with `errno` set if that failed.
    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let left = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(file, left.baseAddress, left.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func temporaryName(for name: String) -> String {
        ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Returns the name of the file for which `temporaryName(for:)` made a name; `nil` for any other name.
    static func target(ofTemporary name: String) -> String? {
        guard name.hasPrefix("."), let last = name.lastIndex(of: "."), last != name.startIndex else { return nil }
        return String(name[name.index(after: name.startIndex)..<last])
    }

    /// Flushes the directory, so that a new entry survives a power cut.
    private func synchronize(_ name: String) throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw failure("write", name) }
    }

    func failure(_ action: String, _ name: String) -> StoreError {
        StoreError(.system(action: action, code: errno), path: path(of: name))
    }
}
