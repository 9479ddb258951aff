import Foundation

/// Private folder of the agent's state, with the checks before SQLite opens a file in it.
struct StateFolder: Sendable {
    static let databaseName = "agent.sqlite"

    let path: String
    var database: String { "\(path)/\(Self.databaseName)" }
    /// File that exists after damage was found at run time: the next opening reads the whole database.
    private var damageMark: String { "\(database)-damaged" }
    /// File that exists until a new database has its tables: only then it may be empty.
    private var creationMark: String { "\(database)-new" }

    /// Creates the folder with mode 0700 if it is missing.
    ///
    /// - Throws: ``AgentStateError`` if it is open to others, belongs to another user, or is on a network file system.
    ///
    /// - Parameter mounts: content of `/proc/self/mountinfo`; nil reads it.
    init(path: String, mounts: String? = nil) throws(AgentStateError) {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            guard errno == ENOENT else { throw .system("make", path: path) }
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch { throw .system("make", path: path, code: ENOENT) }
        }
        try Self.check(path, kind: S_IFDIR, expected: "a folder")
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system("examine", path: path) }
        let mounts = mounts ?? (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        if let name = Self.networkFileSystem(device: UInt64(status.st_dev), mounts: mounts) {
            throw AgentStateError(.networkFileSystem(name: name), path: path)
        }
        guard access(path, W_OK) == 0 else { throw .system("write to", path: path) }
    }

    /// Returns the name of the file system with this device number if it is a network one.
    ///
    /// - Parameter mounts: content of `/proc/self/mountinfo`.
    static func networkFileSystem(device: UInt64, mounts: String) -> String? {
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        let minor = device & 0xff | device >> 12 & 0xffff_ff00
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2] == "\(major):\(minor)", let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            let type = String(fields[dash + 1])
            return networkFileSystems.contains(type) ? type : nil
        }
        return nil
    }

    private static let networkFileSystems: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.rclone",
        "fuse.glusterfs", "fuse.ceph",
    ]

    static func check(_ path: String, kind: mode_t, expected: String) throws(AgentStateError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system("examine", path: path) }
        guard status.st_mode & S_IFMT == kind else { throw AgentStateError(.wrongKind(expected: expected), path: path) }
        guard status.st_uid == geteuid() else {
            throw AgentStateError(.foreignOwner(owner: status.st_uid), path: path)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw AgentStateError(.tooOpen(mode: status.st_mode & 0o7777), path: path)
        }
    }

    // MARK: - The database file

    /// Creates an empty database file with mode 0600, unless it exists. SQLite gives its other files the same mode.
    func makeDatabase() throws(AgentStateError) {
        if access(database, F_OK) != 0 { close(open(creationMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
        let file = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if file >= 0 {
            close(file)
        } else if errno != EEXIST {
            throw .system("make", path: database)
        }
        try Self.check(database, kind: S_IFREG, expected: "a regular file")
        guard access(database, W_OK) == 0 else { throw .system("write to", path: database) }
    }

    /// Returns damage that is visible before SQLite opens the file: no SQLite header, or a log without a database.
    func visibleDamage() throws(AgentStateError) -> String? {
        let file = open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .system("open", path: database) }
            return access("\(database)-wal", F_OK) == 0 ? "its log is there, but not the file" : nil
        }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(file, &header, header.count)
        guard count >= 0 else { throw .system("read", path: database) }
        guard count > 0 else { return access(creationMark, F_OK) == 0 ? nil : "it is empty" }
        return header.starts(with: Array("SQLite format 3\0".utf8)) && count == header.count
            ? nil : "it is not a database"
    }

    /// Renames the database and its log to a name with the date, so that no data is lost.
    ///
    /// The log is renamed after the database: after a crash between the two, the next opening renames it.
    ///
    /// - Returns: the new path.
    func setAside(at date: Date) throws(AgentStateError) -> String {
        let stamp =
            date.ISO8601Format(.iso8601(timeZone: .gmt, dateTimeSeparator: .standard))
            .filter { $0.isNumber || $0 == "T" } + "Z"
        var name = "\(database).damaged-\(stamp)"
        var number = 1
        while ["", "-wal", "-shm"].contains(where: { access(name + $0, F_OK) == 0 }) {
            number += 1
            name = "\(database).damaged-\(stamp)-\(number)"
        }
        for suffix in ["", "-shm", "-wal"] where rename(database + suffix, name + suffix) != 0 && errno != ENOENT {
            throw .system("move", path: database + suffix)
        }
        unlink(damageMark)
        synchronize()
        return name
    }

    func markDamage() { close(open(damageMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }

    var isMarkedDamaged: Bool { access(damageMark, F_OK) == 0 }

    func removeDamageMark() { unlink(damageMark) }

    func removeCreationMark() { unlink(creationMark) }

    /// Flushes new and renamed files.
    func synchronize() {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
