import Glibc

/// Extended attributes of a file that are sent, and the reasons why others are not.
package struct SourceAttributes {
    package private(set) var attributes: [FileAttribute] = []
    /// Each reason once.
    private(set) var losses: Set<Loss.Reason> = []

    /// Reason why some attributes could not be read, if it is not about the file, such as a disk error.
    package private(set) var trouble: SystemFailure?

    package var lacksAttributes: Bool { losses.contains(.attributes) }

    /// Access control lists, which have more permissions than the nine bits; they are not sent.
    private static let lists = ["system.posix_acl_access", "system.posix_acl_default"]
    /// Capabilities of a program, which are not sent either.
    private static let capability = "security.capability"
    /// XATTR_LIST_MAX and XATTR_SIZE_MAX of Linux.
    private static let maximumSystemBytes = 64 << 10

    /// Reads the attributes in the order of their names. Failure to read one is a loss, not an error.
    ///
    /// - Parameter maximumBytes: largest total size.
    package init(
        of file: Descriptor, by storage: any ReadableStorage, maximumBytes: Int = FileAttribute.maximumBytes
    ) {
        let names = losingOthers { (names) throws(SystemFailure) in
            try storage.listAttributes(of: file, into: names)
        }
        var weight = 0
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let value = value(of: name, of: file, by: storage),
                let attribute = FileAttribute(name: name.dropFirst(FileAttribute.namespace.utf8.count), value: value),
                attributes.count < FileAttribute.maximumCount,
                weight + attribute.weight <= maximumBytes
            else {
                losses.insert(.attributes)
                continue
            }
            weight += attribute.weight
            attributes.append(attribute)
        }
    }

    /// Attributes of a file that has none.
    init() {}

    /// Lists the names of attributes where none is carried.
    ///
    /// - Parameter list: reads all names, each with a closing NUL.
    init(notCarried list: (UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int) {
        if !losingOthers(list).isEmpty { losses.insert(.attributes) }
    }

    /// Returns the names of the attributes that can be sent. The others, except Portolan's own, are losses.
    private mutating func losingOthers(
        _ list: (UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
    ) -> [ArraySlice<UInt8>] {
        let names: [ArraySlice<UInt8>]
        do throws(SystemFailure) {
            names = try Self.fitting(list).split(separator: 0)
        } catch {
            if error.number != ENOTSUP { losses.insert(.attributes) }
            note(error)
            return []
        }
        return names.filter { name in
            if Self.lists.contains(where: { name.elementsEqual($0.utf8) }) { losses.insert(.mode) }
            if name.elementsEqual(Self.capability.utf8) { losses.insert(.attributes) }
            return name.starts(with: FileAttribute.namespace.utf8)
                && !name.dropFirst(FileAttribute.namespace.utf8.count).starts(with: FileAttribute.ownPrefix.utf8)
        }
    }

    private mutating func value(
        of name: ArraySlice<UInt8>, of file: Descriptor, by storage: any ReadableStorage
    ) -> [UInt8]? {
        let name = name.map { CChar(bitPattern: $0) } + [0]
        do throws(SystemFailure) {
            return try Self.fitting { (buffer) throws(SystemFailure) in
                try storage.readAttribute(name, of: file, into: buffer)
            }
        } catch {
            note(error)
            return nil
        }
    }

    /// Keeps a failure that is no answer about the file.
    private mutating func note(_ error: SystemFailure) {
        guard ![ENOTSUP, ENODATA, ERANGE, E2BIG, EPERM, EACCES].contains(error.number) else { return }
        trouble = trouble ?? error
    }

    /// Reads a value by a call that also returns its length. Most files have no attributes or a few short ones.
    static func fitting(
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
