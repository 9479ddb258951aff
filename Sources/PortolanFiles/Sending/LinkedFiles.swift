import PortolanValues

/// Files with several names that a walk has met and whose other names may still come.
struct LinkedFiles: Sendable {
    /// Largest number of files of an item that may be link targets: the number that a receiver remembers. A further
    /// file is sent once for each name.
    static let maximum = 65_536
    /// Largest number of further files that are told apart, so that only real losses are reported: 16 MiB.
    private static let maximumFurther = 3 << 19

    private struct Known {
        let index: UInt32
        let size: UInt64
        let modified: FileTime
        let restriction: Restriction
        /// Number of names that may still come.
        var left: UInt64
    }

    enum Finding: Hashable {
        /// A file of its own that nothing links to.
        case single
        /// The first of its names; it is to be remembered.
        case first
        /// Another name of the entry with that index.
        case another(UInt32)
        /// Another name, as far as can be told, of a file that could not be a target, or one under which it is for
        /// others.
        case lost
    }

    private var known: [FileIdentity: Known] = [:]
    private var targets = 0
    private var further = SeenNames()

    /// - Parameters:
    ///   - restriction: of the file under this name.
    ///   - folder: the restriction of the folder that this name lies in.
    mutating func find(_ status: FileStatus, for restriction: Restriction, in folder: Restriction) -> Finding {
        guard status.links > 1 else { return .single }
        guard var file = known[status.identity] else { return targets < Self.maximum ? .first : findFurther(status) }
        // Changed since its first name was announced: it stands for itself, as it is.
        guard file.size == status.size, file.modified == status.modified else { return .single }
        file.left -= 1
        known[status.identity] = file.left == 0 ? nil : file
        // A stored file has one restriction, that of the name which was sent first.
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

    /// Forgets a file that was left out, so later names of it are files of their own.
    mutating func forget(_ identity: FileIdentity) { known[identity] = nil }
}
