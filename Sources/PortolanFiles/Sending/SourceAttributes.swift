import Glibc

/// The extended attributes of a file that travel with it, and what of them does not.
struct SourceAttributes {
    private(set) var attributes: [FileAttribute] = []
    private(set) var losses: [Omission.Reason] = []

    /// An access control list, which says more about permissions than nine bits do and is not carried.
    private static let lists: Set = ["system.posix_acl_access", "system.posix_acl_default"]
    /// XATTR_LIST_MAX and XATTR_SIZE_MAX of Linux.
    private static let maximumSystemBytes = 64 << 10

    /// Reads them in the order of their names. Trouble with one is a loss, not an error.
    init(of file: Descriptor, by storage: any ReadableStorage) {
        var weight = 0
        var isComplete = true
        for name in Self.names(of: file, by: storage, &isComplete).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if Self.lists.contains(String(decoding: name, as: UTF8.self)) { losses.append(.mode) }
            guard name.starts(with: FileAttribute.namespace.utf8) else { continue }
            let rest = name.dropFirst(FileAttribute.namespace.utf8.count)
            if rest.starts(with: FileAttribute.ownPrefix.utf8) { continue }
            guard let value = Self.value(of: name, of: file, by: storage),
                let attribute = FileAttribute(name: rest, value: value),
                attributes.count < FileAttribute.maximumCount,
                weight + attribute.weight <= FileAttribute.maximumBytes
            else {
                isComplete = false
                continue
            }
            weight += attribute.weight
            attributes.append(attribute)
        }
        if !isComplete { losses.append(.attributes) }
    }

    private static func names(
        of file: Descriptor, by storage: any ReadableStorage, _ isComplete: inout Bool
    ) -> [ArraySlice<UInt8>] {
        do throws(SystemFailure) {
            let names = try fitting { (buffer) throws(SystemFailure) in
                try storage.listAttributes(of: file, into: buffer)
            }
            return names.split(separator: 0)
        } catch {
            if error.number != ENOTSUP { isComplete = false }
            return []
        }
    }

    private static func value(
        of name: ArraySlice<UInt8>, of file: Descriptor, by storage: any ReadableStorage
    ) -> [UInt8]? {
        let name = name.map { CChar(bitPattern: $0) } + [0]
        return try? fitting { (buffer) throws(SystemFailure) in
            try storage.readAttribute(name, of: file, into: buffer)
        }
    }

    /// What a call reads that says how much that is. Most files have no attributes or a few short ones.
    private static func fitting(
        _ read: (UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
    ) throws(SystemFailure) -> [UInt8] {
        do throws(SystemFailure) {
            return try bytes(1 << 10, read)
        } catch {
            guard error.number == ERANGE else { throw error }
            return try bytes(maximumSystemBytes, read)
        }
    }

    private static func bytes(
        _ count: Int, _ read: (UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
    ) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemFailure) in
            try read(UnsafeMutableRawBufferPointer(bytes))
        }
        bytes.removeLast(count - length)
        return bytes
    }
}
