/// Files with several names that a walk has met and whose other names may still come.
struct LinkedFiles: Sendable {
    /// How many are remembered; one more is sent once for each of its names.
    static let maximum = 65_536

    private struct Known {
        let index: UInt32
        let size: UInt64
        let modified: FileTime
        /// How many names may still come.
        var left: UInt64
    }

    enum Finding: Hashable {
        /// The file has no other names.
        case single
        /// The first of its names; it is to be remembered.
        case first
        /// Another name of the entry with that index.
        case another(UInt32)
        /// It may have been met before, and there was no room to remember that.
        case unknown
    }

    private var known: [FileIdentity: Known] = [:]

    mutating func find(_ status: FileStatus) -> Finding {
        guard status.links > 1 else { return .single }
        guard var file = known[status.identity] else { return known.count < Self.maximum ? .first : .unknown }
        // Changed since its first name was announced: it stands for itself, as it is.
        guard file.size == status.size, file.modified == status.modified else { return .single }
        file.left -= 1
        known[status.identity] = file.left == 0 ? nil : file
        return .another(file.index)
    }

    mutating func remember(_ status: FileStatus, as index: UInt32) {
        known[status.identity] = Known(
            index: index, size: status.size, modified: status.modified, left: status.links - 1)
    }

    /// The file was left out, so later names of it are files of their own.
    mutating func forget(_ identity: FileIdentity) { known[identity] = nil }
}
