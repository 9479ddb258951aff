import Glibc
import PortolanFiles

/// A move of a stored item into a folder of another file system: a copy there, out of sight until it is whole, which then gets a free
/// name.
struct FarMove: Sendable {
    /// Absolute path of the item.
    let source: String
    let name: FileName
    /// Absolute path of the folder.
    let folder: String
    let stop: CopyStop

    /// Whether two folders are on different file systems. False for one that cannot be looked at.
    static func isNeeded(from folder: String, to other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(folder, &one) == 0 && stat(other, &two) == 0 && one.st_dev != two.st_dev
    }

    /// Copies the item. It is durable when this returns, and the source is still there. Blocks.
    ///
    /// - Returns: its name in the folder.
    /// - Throws: ``CopyError``, `FileError`. Nothing is left in the folder then.
    func copy() throws -> FileName {
        // Named as what is half received, so that what a process that is killed leaves is removed as that is.
        let workspace = "\(folder)/\(FileName.partialPrefix)\(UInt64.random(in: .min ... .max))"
        guard mkdir(workspace, 0o700) == 0 else { throw CopyError.last("write to", folder) }
        defer { removeTree(workspace) }
        let lock = open(workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw CopyError.last("write to", folder) }
        defer { close(lock) }
        try TreeCopy(source: source, destination: "\(workspace)/\(name.text)", reserve: 0, stop: stop).make()
        return try PlacedItem(name, in: workspace).move(to: Inbox(path: folder, createIfMissing: false))
    }
}
