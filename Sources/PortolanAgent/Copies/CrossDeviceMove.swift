import Glibc
import PortolanFiles

/// Move of a stored item to a folder on another file system: a hidden copy there, which gets a free name when it is
/// complete.
struct CrossDeviceMove: Sendable {
    /// Absolute path of the item.
    let source: String
    let name: FileName
    /// Absolute path of the folder.
    let folder: String
    let stop: StopRequest

    /// True if two folders are on different file systems. False for one whose status cannot be read.
    static func isNeeded(from folder: String, to other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(folder, &one) == 0 && stat(other, &two) == 0 && one.st_dev != two.st_dev
    }

    /// Copies the item durably, and keeps the source. Blocks.
    ///
    /// - Returns: its name in the folder.
    /// - Throws: `FileError`. The incomplete copy is removed then.
    func copy() throws -> FileName {
        // The name is that of a partial item, so that leftovers of a killed process are removed like partials.
        let workspace = "\(folder)/\(FileName.partialPrefix)\(UInt64.random(in: .min ... .max))"
        guard mkdir(workspace, 0o700) == 0 else { throw FileError.last(storing: folder) }
        defer { removeTree(workspace) }
        let lock = open(workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw FileError.last(storing: folder) }
        defer { close(lock) }
        try TreeCopy(into: workspace, reserve: 0, stop: stop).make(of: source, named: name.text)
        return try PlacedItem(name, in: workspace).move(to: Inbox(path: folder, createIfMissing: false))
    }
}
