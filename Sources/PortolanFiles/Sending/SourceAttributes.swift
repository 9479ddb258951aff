import CPortolanLinux
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
    init(of file: Descriptor) {
        var weight = 0
        var isComplete = true
        for name in Self.names(of: file, &isComplete).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if Self.lists.contains(String(decoding: name, as: UTF8.self)) { losses.append(.mode) }
            guard name.starts(with: FileAttribute.namespace.utf8) else { continue }
            let rest = name.dropFirst(FileAttribute.namespace.utf8.count)
            if rest.starts(with: FileAttribute.ownPrefix.utf8) { continue }
            guard let value = Self.value(of: name, of: file),
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

    private static func names(of file: Descriptor, _ isComplete: inout Bool) -> [ArraySlice<UInt8>] {
        // Most files have none or a few short ones.
        for size in [1 << 10, maximumSystemBytes] {
            var names = [UInt8](repeating: 0, count: size)
            let length = portolan_list_attributes(file.number, &names, UInt64(size))
            if length >= 0 { return names[..<Int(length)].split(separator: 0) }
            if errno == ENOTSUP { return [] }
            if errno != ERANGE { break }
        }
        isComplete = false
        return []
    }

    private static func value(of name: ArraySlice<UInt8>, of file: Descriptor) -> [UInt8]? {
        let text = name.map { CChar(bitPattern: $0) } + [0]
        for size in [1 << 10, maximumSystemBytes] {
            var value = [UInt8](repeating: 0, count: size)
            let length = portolan_get_attribute(file.number, text, &value, UInt64(size))
            if length >= 0 { return Array(value[..<Int(length)]) }
            if errno != ERANGE { return nil }
        }
        return nil
    }
}
