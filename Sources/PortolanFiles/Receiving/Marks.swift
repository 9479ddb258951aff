import CPortolanLinux
import Glibc

/// The attribute `user.portolan.source` on a stored item: the identity of what it was stored from, in hexadecimal.
enum SourceMark {
    static let attribute = "user.portolan.source"

    /// - Returns: whether the file system keeps it.
    static func set(
        _ identity: ItemIdentity, on root: Descriptor, by storage: any Storage
    ) throws(SystemFailure) -> Bool {
        try kept { () throws(SystemFailure) in
            try storage.setAttribute(attribute, Array(identity.description.utf8), of: root)
        }
    }

    static func isSet(_ identity: ItemIdentity, on root: Descriptor) -> Bool {
        let expected = Array(identity.description.utf8)
        return withUnsafeTemporaryAllocation(byteCount: expected.count, alignment: 1) { value in
            portolan_get_attribute(root.number, attribute, value.baseAddress, UInt64(value.count)) == expected.count
                && value.elementsEqual(expected)
        }
    }
}

/// The attribute `user.portolan.received` on a stored file: its size and modification time when it was received,
/// `SIZE SECONDS.NANOSECONDS` in decimal.
///
/// A file that still has both was not changed since.
enum ReceivedMark {
    static let attribute = "user.portolan.received"

    private static let maximumBytes = 64

    /// - Returns: whether the file system keeps it.
    static func set(
        _ size: UInt64, _ modified: FileTime, on file: Descriptor, by storage: any Storage
    ) throws(SystemFailure) -> Bool {
        try withText(size, modified) { text in
            Result { () throws(SystemFailure) in
                try kept { () throws(SystemFailure) in try storage.setAttribute(attribute, text, of: file) }
            }
        }.get()
    }

    /// Whether the file is as it was received.
    static func isTrue(of file: Descriptor) -> Bool {
        guard let status = try? file.status(), status.kind == .file else { return false }
        return matches(status.size, status.modified, on: file) == true
    }

    /// Whether the file was received with this size and time; nil where it has no mark.
    static func matches(_ size: UInt64, _ modified: FileTime, on file: Descriptor) -> Bool? {
        withUnsafeTemporaryAllocation(byteCount: maximumBytes, alignment: 1) { value in
            let count = portolan_get_attribute(file.number, attribute, value.baseAddress, UInt64(value.count))
            guard count >= 0 else { return nil }
            let found = UnsafeRawBufferPointer(rebasing: value[..<Int(count)])
            return withText(size, modified) { found.elementsEqual($0) }
        }
    }

    /// Each file gets one, so it is written without making a string of it.
    private static func withText<Result>(
        _ size: UInt64, _ modified: FileTime, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(byteCount: maximumBytes, alignment: 1) { text in
            var end = text.count
            func put(_ byte: UInt8) {
                end -= 1
                text[end] = byte
            }
            func put(_ number: UInt64) {
                var rest = number
                repeat {
                    put(UInt8(ascii: "0") + UInt8(rest % 10))
                    rest /= 10
                } while rest > 0
            }
            put(UInt64(modified.nanoseconds))
            put(UInt8(ascii: "."))
            put(modified.seconds.magnitude)
            if modified.seconds < 0 { put(UInt8(ascii: "-")) }
            put(UInt8(ascii: " "))
            put(size)
            return body(UnsafeRawBufferPointer(rebasing: text[end...]))
        }
    }
}

/// - Returns: whether an attribute could be set. A file system that has none, or no room for one more, is no failure; a
///   disk in trouble is.
private func kept(_ set: () throws(SystemFailure) -> Void) throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
        try set()
        return true
    } catch {
        if error.isTrouble { throw error }
        return false
    }
}
