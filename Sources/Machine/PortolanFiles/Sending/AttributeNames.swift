/// Names of a file's extended attributes, listed before any attribute is read.
///
/// Most files have none. One call shows that, and no attribute is read then.
enum AttributeNames {
    /// The names were not listed, or by a file system that may not list all.
    case unknown
    /// Each with a closing NUL.
    case all([UInt8])

    /// Bytes of names that are listed at first. A file with more is treated as if the names were unknown.
    private static let room = 512

    /// - Parameters:
    ///   - device: device of the file's folder, if it is known to list all attributes. Another device may be mounted at
    ///     the file itself.
    ///   - list: reads all names, each with a closing NUL.
    init(
        of status: FileStatus, on device: UInt64?,
        _ list: (UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
    ) {
        guard status.identity.device == device else {
            self = .unknown
            return
        }
        self = withUnsafeTemporaryAllocation(byteCount: Self.room, alignment: 1) { room in
            do throws(SystemFailure) {
                return .all(Array(room[..<(try list(room))]))
            } catch {
                return .unknown
            }
        }
    }

    /// Returns true if a file may have an attribute.
    func mayHold(_ attribute: String) -> Bool {
        switch self {
        case .unknown: true
        case .all(let names): names.split(separator: 0).contains { $0.elementsEqual(attribute.utf8) }
        }
    }

    var isNone: Bool { if case .all(let names) = self { names.isEmpty } else { false } }
}
