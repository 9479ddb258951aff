/// What is known of the names of a file's extended attributes before any of them is read.
///
/// Most files have none, and one call tells: neither their restriction nor anything that could be lost is asked for then.
enum AttributeNames {
    /// They were not listed, or not by a file system that is known to list all.
    case unknown
    /// Each with a closing NUL.
    case all([UInt8])

    /// Bytes of names that are listed at first. A file with more of them is asked as if nothing was known.
    private static let room = 512

    /// - Parameters:
    ///   - device: the one that is known to list all attributes, if the folder of the file lies on such a one. Something else may be
    ///     mounted at the file itself.
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

    /// Whether a file may have an attribute.
    func mayHold(_ attribute: String) -> Bool {
        switch self {
        case .unknown: true
        case .all(let names): names.split(separator: 0).contains { $0.elementsEqual(attribute.utf8) }
        }
    }

    var isNone: Bool { if case .all(let names) = self { names.isEmpty } else { false } }
}
