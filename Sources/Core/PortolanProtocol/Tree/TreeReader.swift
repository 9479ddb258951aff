import PortolanCrypto
import PortolanValues

/// Reads the elements of one tree record in place. Contents are slices of the record; a name is valid until the next
/// element is read. Memory is allocated only for a name and for the restriction of an entry.
///
/// ```swift
/// var reader = try TreeReader(plaintext)
/// while let element = try reader.next() { … tree.take(element, lane: lane) … }
/// ```
///
/// It checks each element by itself; `IncomingTree` checks whether the element is allowed.
package struct TreeReader {
    /// Bytes before the first element: the number of the transfer.
    package static let headerLength = 4

    /// The transfer that all elements belong to.
    package let transfer: UInt32
    private let record: UnsafeRawBufferPointer
    private var position = Self.headerLength
    private var context = EntryContext()
    private let names = NameMemory()

    /// - Parameter plaintext: whole plaintext of the record.
    package init(_ plaintext: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            plaintext.count > Self.headerLength, .malformed, "A tree record is too short to hold anything.")
        transfer = UInt32(bigEndian: plaintext.loadUnaligned(as: UInt32.self))
        record = plaintext
    }

    /// Reads the next element, or returns nil at the end of the record. After an error nothing more can be read.
    package mutating func next() throws(ProtocolViolation) -> TreeElement? {
        guard position < record.count else { return nil }
        let head = record[position]
        guard let kind = TreeElementKind(rawValue: head & TreeElementHead.kind), kind.isEntry || head == kind.rawValue
        else {
            throw ProtocolViolation(.malformed, "An element of a kind that this version does not know.")
        }
        position += 1
        switch kind {
        case .file, .folder, .symbolicLink, .hardLink: return .entry(try entry(kind, head))
        case .content:
            let entry: UInt32 = try number()
            let length: UInt32 = try number()
            return .content(entry: entry, try bytes(Int(length)))
        case .hole: return try hole()
        case .copy: return .copy(try copy())
        case .fileEnd: return .fileEnd(try fileEnd())
        case .builtEnd: return .fileEnd(try builtEnd())
        case .mark: return .mark
        }
    }

    // MARK: Elements

    private mutating func entry(_ kind: TreeElementKind, _ head: UInt8) throws(ProtocolViolation) -> TreeEntryElement {
        let flags: UInt8 = try number()
        try ProtocolViolation.check(
            flags & ~Self.flags(of: kind) == 0, .malformed, "An entry has flags that it cannot have.")
        try ProtocolViolation.check(
            context.index != nil || head & TreeElementHead.full == TreeElementHead.full, .malformed,
            "The first entry of a record refers to one before it.")
        let (index, parent) = try place(head)
        let permissions = try permissions(kind, head)
        let modified = try modified(head)
        let name = try name(of: index)
        context.append(kind, index, in: parent, permissions, modified)
        var attributes: TreeAttributes?
        var restriction: Restriction?
        let description: TreeEntryElement.Kind
        switch kind {
        case .file:
            let size = try size(flags)
            if flags & TreeEntryFlags.attributes != 0 { attributes = try self.attributes() }
            if flags & TreeEntryFlags.restriction != 0 { restriction = try self.restriction(of: index) }
            description = .file(
                TreeEntryElement.File(
                    size: size, isLinkTarget: flags & TreeEntryFlags.linkTarget != 0,
                    content: flags & TreeEntryFlags.content != 0 ? try content(size) : nil))
        case .folder:
            if flags & TreeEntryFlags.attributes != 0 { attributes = try self.attributes() }
            if flags & TreeEntryFlags.restriction != 0 { restriction = try self.restriction(of: index) }
            description = .folder
        case .symbolicLink:
            let length = Int(try number() as UInt16)
            guard length > 0 else { throw ProtocolViolation(.malformed, "A symbolic link has no target.") }
            guard length <= Limits.path else { throw ProtocolViolation(.limit, "A link's target of \(length) bytes.") }
            description = .symbolicLink(target: try bytes(length))
        default: description = .hardLink(to: try number())
        }
        return TreeEntryElement(
            index: index, parent: parent, name: name, kind: description, permissions: permissions, modified: modified,
            attributes: attributes, restriction: restriction)
    }

    private mutating func place(_ head: UInt8) throws(ProtocolViolation) -> (index: UInt32, parent: UInt32) {
        if head & TreeElementHead.place != 0 { return (try number(), try number()) }
        guard let index = context.nextIndex else {
            throw ProtocolViolation(.malformed, "An entry has a number beyond the last one.")
        }
        return (index, context.folder)
    }

    private mutating func permissions(
        _ kind: TreeElementKind, _ head: UInt8
    ) throws(ProtocolViolation) -> UInt16 {
        guard head & TreeElementHead.permissions != 0 else {
            if let permissions = context.permissions(of: kind) { return permissions }
            throw ProtocolViolation(.malformed, "The first entry of its kind in a record has no permissions.")
        }
        let permissions: UInt16 = try number()
        try ProtocolViolation.check(permissions <= 0o777, .malformed, "An entry has permissions that it cannot have.")
        return permissions
    }

    private mutating func modified(_ head: UInt8) throws(ProtocolViolation) -> Timestamp {
        guard let before = context.modified, let form = TimeForm(rawValue: head >> TreeElementHead.timeShift),
            form != .absolute
        else {
            let seconds: UInt64 = try number()
            let nanoseconds: UInt32 = try number()
            return try Self.valid { () throws(InvalidValue) in
                try Timestamp(seconds: Int64(bitPattern: seconds), nanoseconds: nanoseconds)
            }
        }
        guard form != .same else { return before }
        guard let modified = form.time(Varint.unzigzag(try varint()), after: before) else {
            throw ProtocolViolation(.malformed, "An entry has a time that no number of seconds can say.")
        }
        return modified
    }

    private mutating func name(of index: UInt32) throws(ProtocolViolation) -> UnsafeRawBufferPointer {
        let shared = Int(try number() as UInt8)
        let rest = try bytes(Int(try number() as UInt8))
        try ProtocolViolation.check(
            shared <= names.count && shared + rest.count <= Limits.name, .malformed,
            "A name shares more with the one before than that has, or is too long.")
        names.set(shared: shared, rest)
        let name = names.name
        try ProtocolViolation.check(
            name.isEmpty == (index == 0), .malformed,
            index == 0 ? "The root of a transfer has a name of its own." : "An entry has no name.")
        return name
    }

    private static func flags(of kind: TreeElementKind) -> UInt8 {
        switch kind {
        case .file:
            TreeEntryFlags.sizeKnown | TreeEntryFlags.content | TreeEntryFlags.linkTarget | TreeEntryFlags.attributes
                | TreeEntryFlags.restriction
        case .folder: TreeEntryFlags.attributes | TreeEntryFlags.restriction
        default: 0
        }
    }

    private mutating func size(_ flags: UInt8) throws(ProtocolViolation) -> UInt64? {
        guard flags & TreeEntryFlags.sizeKnown != 0 else {
            try ProtocolViolation.check(
                flags & TreeEntryFlags.content == 0, .malformed, "A file of unknown size has content.")
            return nil
        }
        let size = try varint()
        try Self.valid { () throws(InvalidValue) in try InvalidValue.checkSize(size, "A file") }
        return size
    }

    private mutating func content(_ size: UInt64?) throws(ProtocolViolation) -> UnsafeRawBufferPointer {
        try bytes(Int(clamping: size ?? 0))
    }

    private mutating func attributes() throws(ProtocolViolation) -> TreeAttributes {
        let start = position
        let count = Int(try number() as UInt8)
        guard count > 0 else { throw ProtocolViolation(.malformed, "An entry has attributes, and none is there.") }
        guard count <= Limits.attributes else { throw ProtocolViolation(.limit, "An entry with \(count) attributes.") }
        var total = 0
        for index in 0..<count {
            let earlier = TreeAttributes(checked: slice(start..<position))
            let name = try bytes(Int(try number() as UInt8))
            try ProtocolViolation.check(
                !name.isEmpty && !name.contains(0), .malformed, "An attribute has no proper name.")
            try ProtocolViolation.check(
                index == 0 || !earlier.contains(where: { $0.name.elementsEqual(name) }), .malformed,
                "An entry has one attribute twice.")
            let value = try bytes(Int(try number() as UInt16))
            total += name.count + value.count
        }
        try ProtocolViolation.check(
            total <= Limits.attributeBytes, .limit, "An entry with \(total) bytes of attributes.")
        return TreeAttributes(checked: slice(start..<position))
    }

    private mutating func restriction(of index: UInt32) throws(ProtocolViolation) -> Restriction {
        try ProtocolViolation.check(
            index > 0, .malformed, "The root is restricted by its entry, not by its representation.")
        return try TreeRestriction.read { count throws(ProtocolViolation) in try bytes(count) }
    }

    private mutating func hole() throws(ProtocolViolation) -> TreeElement {
        let entry: UInt32 = try number()
        let offset: UInt64 = try number()
        let length: UInt64 = try number()
        guard length > 0 else { throw ProtocolViolation(.malformed, "A hole is empty.") }
        let (end, overflow) = offset.addingReportingOverflow(length)
        try ProtocolViolation.check(!overflow && end <= Limits.size, .limit, "A hole reaches further than any file.")
        return .hole(entry: entry, offset: offset, length: length)
    }

    private mutating func copy() throws(ProtocolViolation) -> CopyElement {
        let entry: UInt32 = try number()
        let offset: UInt64 = try number()
        let length: UInt64 = try number()
        let base: UInt64 = try number()
        guard length > 0 else { throw ProtocolViolation(.malformed, "A copy is empty.") }
        try ProtocolViolation.check(
            length <= Limits.size && max(offset, base) <= Limits.size - length, .limit,
            "A copy reaches further than any file.")
        return CopyElement(entry: entry, offset: offset, base: base, length: length)
    }

    private mutating func fileEnd() throws(ProtocolViolation) -> FileEndElement {
        let entry: UInt32 = try number()
        return try fileEnd(of: entry, SourceFailure(status: try number()))
    }

    private mutating func builtEnd() throws(ProtocolViolation) -> FileEndElement {
        let end = try fileEnd(of: try number(), nil)
        let digest = Array(try bytes(KeyedDigest.length))
        return FileEndElement(entry: end.entry, size: end.size, sent: end.sent, digest: digest)
    }

    private mutating func fileEnd(
        of entry: UInt32, _ failure: SourceFailure?
    ) throws(ProtocolViolation) -> FileEndElement {
        let size: UInt64 = try number()
        let sent: UInt64 = try number()
        try ProtocolViolation.check(
            size <= Limits.size && sent <= Limits.size, .limit,
            "A file of \(max(size, sent)) bytes is more than any file can have.")
        try ProtocolViolation.check(failure != nil || sent <= size, "More of a file was sent than it has.")
        return FileEndElement(entry: entry, size: size, sent: sent, failure: failure)
    }

    // MARK: Bytes

    private mutating func number<Number: FixedWidthInteger>() throws(ProtocolViolation) -> Number {
        let size = MemoryLayout<Number>.size
        guard record.count - position >= size else { throw Self.cut }
        defer { position += size }
        return Number(bigEndian: record.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    private mutating func varint() throws(ProtocolViolation) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: UInt64(7 * Varint.maximumBytes), by: 7) {
            let byte: UInt8 = try self.number()
            let bits = UInt64(byte & 0x7F)
            // The tenth byte has one bit of a number; a last byte of 0 would make a second form of a shorter number.
            guard (bits << shift) >> shift == bits, byte > 0 || shift == 0 else { break }
            number |= bits << shift
            if byte < 0x80 { return number }
        }
        throw ProtocolViolation(.malformed, "A number is longer than it has to be, or than 64 bits.")
    }

    private mutating func bytes(_ count: Int) throws(ProtocolViolation) -> UnsafeRawBufferPointer {
        guard record.count - position >= count else { throw Self.cut }
        defer { position += count }
        return slice(position..<(position + count))
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: record[range])
    }

    private static var cut: ProtocolViolation { ProtocolViolation(.malformed, "A tree record ends inside an element.") }

    private static func valid<Value>(
        _ make: () throws(InvalidValue) -> Value
    ) throws(ProtocolViolation) -> Value {
        return try translating(make()) { (error: InvalidValue) in error.violation }
    }
}
