import PortolanValues

/// Files with several names that a walk has found and whose other names may still follow.
struct LinkedFiles: Sendable {
    /// Most files of an item that may be link targets: the number that a receiver keeps. A further file is sent once
    /// for each name.
    static let maximum = 65_536
    /// Most further files that are distinguished, so that only real losses are reported: 16 MiB.
    private static let maximumFurther = 3 << 19

    private struct Known {
        let index: UInt32
        let size: UInt64
        let modified: FileTime
        let restriction: Restriction
        /// Number of names that may still follow.
        var left: UInt64
    }

    enum Finding: Hashable {
        /// File without other names in the item.
        case single
        /// First name of the file; it is kept as a link target.
        case first
        /// Another name of the entry with that index.
        case another(UInt32)
        /// Another name of a file that could not be a link target, or a name with another restriction.
        case lost
    }

    private var known: [FileIdentity: Known] = [:]
    private var targets = 0
    private var further = SeenNames()

    /// - Parameters:
    ///   - restriction: restriction of the file under this name.
    ///   - folder: restriction of this name's folder.
    mutating func find(_ status: FileStatus, for restriction: Restriction, in folder: Restriction) -> Finding {
        guard status.links > 1 else { return .single }
        guard var file = known[status.identity] else { return targets < Self.maximum ? .first : findFurther(status) }
        // The file has changed since its first name was announced, so it is sent as a separate file.
        guard file.size == status.size, file.modified == status.modified else { return .single }
        file.left -= 1
        known[status.identity] = file.left == 0 ? nil : file
        // A stored file has one restriction, that of the name that was sent first.
        return folder.and(file.restriction) == restriction ? .another(file.index) : .lost
    }

    private mutating func findFurther(_ status: FileStatus) -> Finding {
        guard further.count < Self.maximumFurther else { return .lost }
        let isNew = withUnsafeBytes(of: status.identity) { further.insert($0) }
        return isNew ? .single : .lost
    }

    mutating func remember(_ status: FileStatus, for restriction: Restriction, as index: UInt32) {
        targets += 1
        known[status.identity] = Known(
            index: index, size: status.size, modified: status.modified, restriction: restriction,
            left: status.links - 1)
    }

    /// Forgets a file that was left out, so that later names of it count as separate files.
    mutating func forget(_ identity: FileIdentity) { known[identity] = nil }
}
