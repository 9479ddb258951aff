import CPortolanLinux
import Glibc
import PortolanValues

/// The attribute `user.portolan.source` on a stored item: the identity of its source, in hexadecimal.
enum SourceMark {
    static let attribute = "user.portolan.source"

    /// - Returns: true if the file system keeps it.
    static func set(
        _ identity: ItemIdentity, on root: Descriptor, by storage: any Storage
    ) throws(SystemFailure) -> Bool {
        try storage.setMark(attribute, identity.description, of: root)
    }

    static func isSet(_ identity: ItemIdentity, on root: Descriptor) -> Bool {
        let expected = Array(identity.description.utf8)
        return withUnsafeTemporaryAllocation(byteCount: expected.count, alignment: 1) { value in
            portolan_get_attribute(root.number, attribute, value.baseAddress, UInt64(value.count)) == expected.count
                && value.elementsEqual(expected)
        }
    }
}

/// The attribute `user.portolan.received` on a stored file: its size and modification time when it was received, in
/// decimal, and its nine permission bits in three octal digits: `SIZE SECONDS.NANOSECONDS PERMISSIONS`. Optional fields
/// behind these: `t=SECONDS.NANOSECONDS`, the announced time if it could not be stored, `h=BYTES`, its holes, and
/// `s=TAG`, its sender (``SenderIdentity/tag``).
///
/// A file whose size and time still agree was not changed since, even if its permissions differ. The permissions may be
/// missing: then it is unknown which side changed them.
enum ReceivedMark {
    /// Facts in a mark besides the size and the time of the file.
    struct Details: Hashable, Sendable {
        /// Permissions at reception; nil if the mark does not have them.
        var permissions: UInt16?
        /// The time that was announced, where the file has another one because its file system could not keep that.
        var announced: FileTime?
        /// Bytes of the file that were received as holes.
        var holes: UInt64 = 0
        /// Tag of the sender, the only peer to which content of the file may be revealed; nil for none.
        var sender: UInt64?
    }

    static let attribute = "user.portolan.received"

    private static let maximumBytes = 192

    /// - Returns: true if the file system keeps it.
    static func set(
        _ size: UInt64, _ modified: FileTime, _ details: Details, on file: Descriptor, by storage: any Storage
    ) throws(SystemFailure) -> Bool {
        try withText(size, modified, details) { text in
            Result { () throws(SystemFailure) in try storage.setMark(attribute, text, of: file) }
        }.get()
    }

    /// Returns true if the file is unchanged since it was received. An empty file that was received empty is, whatever
    /// its time: a loss of power may keep a new time and not the mark of it.
    static func isTrue(of file: Descriptor) -> Bool {
        guard let status = try? file.status(), status.kind == .file else { return false }
        return matches(status.size, status.modified, on: file) == true || status.size == 0 && wasEmpty(file)
    }

    private static func wasEmpty(_ file: Descriptor) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: maximumBytes, alignment: 1) { value in
            let count = portolan_get_attribute(file.number, attribute, value.baseAddress, UInt64(value.count))
            return count > 2 && value.starts(with: "0 ".utf8)
        }
    }

    /// Returns true if the file was received with this size and time; nil if it has no mark.
    static func matches(_ size: UInt64, _ modified: FileTime, on file: Descriptor) -> Bool? {
        read(size, modified, on: file) { $0 != nil }
    }

    /// Returns the permissions of a file when it was received with this size and time; nil if the mark does not have
    /// them.
    static func permissions(_ size: UInt64, _ modified: FileTime, on file: Descriptor) -> UInt16? {
        details(size, modified, on: file)?.permissions
    }

    /// Returns the rest of the mark of a file that was received with this size and time; nil without such a mark.
    static func details(_ size: UInt64, _ modified: FileTime, on file: Descriptor) -> Details? {
        let details = read(size, modified, on: file) { rest in rest.map { Details($0) } }
        return details ?? nil
    }

    /// Reads a mark.
    ///
    /// - Parameter body: called with the text after this size and time, including the space before it; nil if the mark
    ///   has other values.
    /// - Returns: nil without a mark.
    private static func read<Result>(
        _ size: UInt64, _ modified: FileTime, on file: Descriptor, _ body: (Slice<UnsafeRawBufferPointer>?) -> Result
    ) -> Result? {
        withUnsafeTemporaryAllocation(byteCount: maximumBytes, alignment: 1) { value in
            let count = portolan_get_attribute(file.number, attribute, value.baseAddress, UInt64(value.count))
            guard count >= 0 else { return nil }
            let found = UnsafeRawBufferPointer(rebasing: value[..<Int(count)])
            return withText(size, modified, nil) { text in
                let rest = found.dropFirst(text.count)
                let isSame = found.starts(with: text) && (rest.first ?? UInt8(ascii: " ")) == UInt8(ascii: " ")
                return body(isSame ? rest : nil)
            }
        }
    }

    /// Calls `body` with the text of a mark without making a string, since every file gets a mark.
    private static func withText<Result>(
        _ size: UInt64, _ modified: FileTime, _ details: Details?, _ body: (UnsafeRawBufferPointer) -> Result
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
            if let tag = details?.sender {
                for place in 0..<16 as Range<UInt64> {
                    let digit = UInt8(tag >> (4 * place) & 15)
                    put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
                for byte in "=s ".utf8 { put(byte) }
            }
            for byte in (details?.addition ?? "").utf8.reversed() { put(byte) }
            if let permissions = details?.permissions {
                for digit in 0..<3 as Range<UInt16> {
                    put(UInt8(ascii: "0") + UInt8(permissions >> (3 * digit) & 7))
                }
                put(UInt8(ascii: " "))
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

extension ReceivedMark.Details {
    /// Parses the part after the size and the time, with the space before it.
    fileprivate init(_ rest: Slice<UnsafeRawBufferPointer>) {
        let fields = rest.dropFirst().split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard let first = fields.first, first.count == 3 else { return }
        var permissions: UInt16 = 0
        for byte in first {
            guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) else { return }
            permissions = permissions << 3 | UInt16(byte - UInt8(ascii: "0"))
        }
        for field in fields.dropFirst() {
            let text = String(decoding: field, as: UTF8.self)
            if text.hasPrefix("t="), let time = Self.time(text.dropFirst(2)) {
                announced = time
            } else if text.hasPrefix("h="), let count = UInt64(text.dropFirst(2)) {
                holes = count
            } else if text.hasPrefix("s="), let tag: UInt64 = Hexadecimal.number(text.dropFirst(2)) {
                sender = tag
            } else {
                // The field is another version's or another program's, so the meaning of the rest is unknown.
                return
            }
        }
        self.permissions = permissions
    }

    private static func time(_ text: Substring) -> FileTime? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int64(parts[0]), let nanoseconds = UInt32(parts[1]) else { return nil }
        return try? FileTime(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Text after the permissions; empty for most files.
    fileprivate var addition: String {
        (announced.map { " t=\($0.seconds).\($0.nanoseconds)" } ?? "") + (holes > 0 ? " h=\(holes)" : "")
    }
}
