/// Writes the elements of one tree record into the buffer in which it is sealed. Allocates memory for a name, with the
/// first entry.
///
/// ```swift
/// var writer = TreeWriter(plaintext, transfer: tree.number)
/// guard writer.append(.entry(folder)) else { … the record is full: send it, and begin the next … }
/// if let place = writer.appendFile(file, content: size) {       // the content is read straight into the record
///     guard try read(into: place) == size else { writer.removeLast() … }
/// }
/// seal(writer.count)                                            // so many bytes are the record's plaintext
/// ```
///
/// Elements that a peer would refuse trap: its owner must check them.
package struct TreeWriter {
    private let record: UnsafeMutableRawBufferPointer
    /// Bytes written so far, the number of the transfer among them.
    package private(set) var count = TreeReader.headerLength
    private var context = EntryContext()
    private var names: NameMemory?
    /// State before the last element; nil if that was taken back.
    private var former: (count: Int, context: EntryContext, hasName: Bool)?

    /// - Parameter buffer: room for the plaintext; of more than `Limits.treeRecord` bytes the first are used.
    package init(_ buffer: UnsafeMutableRawBufferPointer, transfer: UInt32) {
        record = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Limits.treeRecord))
        precondition(record.count > TreeReader.headerLength, "No room for a tree record")
        record.storeBytes(of: transfer.bigEndian, as: UInt32.self)
    }

    /// True if the record has no element yet, so that it need not be sent.
    package var isEmpty: Bool { count == TreeReader.headerLength }

    /// Remaining bytes.
    package var room: Int { record.count - count }

    /// Writes an element if there is room for all of it.
    ///
    /// - Returns: false if there is not; then nothing was written. An element always fits into an empty record of full
    ///   size, unless its content is larger than a record.
    package mutating func append(_ element: TreeElement) -> Bool {
        if case .entry(let entry) = element {
            guard case .file(let file) = entry.kind, let content = file.content else { return put(entry) }
            guard put(entry, content: content.count) else { return false }
            put(content)
            return true
        }
        guard Self.size(of: element) <= room else { return false }
        former = (count, context, false)
        switch element {
        case .entry: preconditionFailure("Entries were written before")
        case .content(let entry, let bytes):
            put(TreeElementKind.content.rawValue)
            put(entry)
            put(UInt32(bytes.count))
            put(bytes)
        case .hole(let entry, let offset, let length):
            precondition(length > 0 && offset + length <= Limits.size, "A hole lies in its file and is not empty")
            put(TreeElementKind.hole.rawValue)
            put(entry)
            put(offset)
            put(length)
        case .copy(let copy):
            precondition(
                copy.length > 0 && max(copy.offset, copy.base) <= Limits.size - copy.length,
                "A copy lies in both versions and is not empty")
            put(TreeElementKind.copy.rawValue)
            put(copy.entry)
            put(copy.offset)
            put(copy.length)
            put(copy.base)
        case .fileEnd(let end):
            precondition(max(end.size, end.sent) <= Limits.size, "No file is that large")
            put((end.digest == nil ? TreeElementKind.fileEnd : .builtEnd).rawValue)
            put(end.entry)
            if end.digest == nil { put(end.failure?.status ?? 0) }
            put(end.size)
            put(end.sent)
            for byte in end.digest ?? [] { put(byte) }
        case .mark: put(TreeElementKind.mark.rawValue)
        }
        return true
    }

    /// Writes a file's entry and reserves room for its content after it, so that the content can be read directly into
    /// the record.
    ///
    /// - Parameters:
    ///   - entry: a file of known size, without content.
    /// - Returns: the buffer for the content, all of which must be filled; nil if there is no room, and then nothing
    ///   was written.
    package mutating func appendFile(_ entry: TreeEntryElement) -> UnsafeMutableRawBufferPointer? {
        guard case .file(let file) = entry.kind, let size = file.size, file.content == nil else {
            preconditionFailure("Only files of known size have room for content")
        }
        guard size <= UInt64(Limits.treeRecord), put(entry, content: Int(size)) else { return nil }
        return reserve(Int(size))
    }

    /// Leaves room for the whole content of a file that was asked for.
    ///
    /// - Returns: as `appendFile(_:)`.
    package mutating func appendContent(of entry: UInt32, size: UInt64) -> UnsafeMutableRawBufferPointer? {
        guard size <= UInt64(Limits.treeRecord), Self.contentHeader + Int(size) <= room else { return nil }
        former = (count, context, false)
        put(TreeElementKind.content.rawValue)
        put(entry)
        put(UInt32(size))
        return reserve(Int(size))
    }

    /// Takes back the last element.
    package mutating func removeLast() {
        guard let former else { preconditionFailure("There is no last element") }
        count = former.count
        context = former.context
        if former.hasName { names?.goBack() }
        self.former = nil
    }

    // MARK: Sizes

    private static let contentHeader = 1 + 4 + 4

    /// Returns the number of bytes of an element that is no entry.
    private static func size(of element: TreeElement) -> Int {
        switch element {
        case .entry: preconditionFailure("The size of an entry depends on those before it")
        case .content(_, let bytes): contentHeader + bytes.count
        case .hole: 1 + 4 + 8 + 8
        case .copy: 1 + 4 + 8 + 8 + 8
        case .fileEnd(let end): 1 + 4 + 8 + 8 + (end.digest?.count ?? 1)
        case .mark: 1
        }
    }

    /// Parts of an entry that are encoded.
    private struct Form {
        let kind: TreeElementKind
        let hasPlace: Bool
        let hasPermissions: Bool
        let time: (form: TimeForm, difference: Int64)
        let shared: Int

        var head: UInt8 {
            kind.rawValue | (hasPlace ? TreeElementHead.place : 0)
                | (hasPermissions ? TreeElementHead.permissions : 0) | time.form.rawValue << TreeElementHead.timeShift
        }

        /// Returns the number of bytes of an entry without content.
        func size(of entry: TreeEntryElement) -> Int {
            let time =
                switch time.form {
                case .same: 0
                case .nanoseconds, .seconds: Varint.size(of: Varint.zigzag(self.time.difference))
                case .absolute: 8 + 4
                }
            let rest =
                switch entry.kind {
                case .file(let file): file.size.map(Varint.size) ?? 0
                case .folder: 0
                case .symbolicLink(let target): 2 + target.count
                case .hardLink: 4
                }
            let common = 1 + 1 + (hasPlace ? 8 : 0) + (hasPermissions ? 2 : 0) + time
            return common + 1 + 1 + entry.name.count - shared + rest + (entry.attributes?.encoded.count ?? 0)
                + (entry.restriction.map(TreeRestriction.size) ?? 0)
        }
    }

    private func form(of entry: TreeEntryElement, _ kind: TreeElementKind) -> Form {
        Form(
            kind: kind, hasPlace: entry.index != context.nextIndex || entry.parent != context.folder,
            hasPermissions: entry.permissions != context.permissions(of: kind),
            time: TimeForm.of(entry.modified, after: context.modified),
            shared: names?.shared(with: entry.name) ?? 0)
    }

    // MARK: Bytes

    /// Writes an entry if there is room for it and its following content.
    ///
    /// - Parameter content: bytes of the content; nil if none follows.
    private mutating func put(_ entry: TreeEntryElement, content: Int? = nil) -> Bool {
        precondition(entry.permissions <= 0o777, "Permissions beyond reading, writing and executing")
        precondition(entry.name.count <= Limits.name && entry.name.isEmpty == (entry.index == 0), "No name of an entry")
        let (kind, flags) = Self.description(of: entry, bringsContent: content != nil)
        let form = form(of: entry, kind)
        guard form.size(of: entry) + (content ?? 0) <= room else { return false }
        former = (count, context, true)
        put(form.head)
        put(flags)
        if form.hasPlace {
            put(entry.index)
            put(entry.parent)
        }
        if form.hasPermissions { put(entry.permissions) }
        switch form.time.form {
        case .same: break
        case .nanoseconds, .seconds: put(varint: Varint.zigzag(form.time.difference))
        case .absolute:
            put(UInt64(bitPattern: entry.modified.seconds))
            put(entry.modified.nanoseconds)
        }
        put(name: entry.name, shared: form.shared)
        context.append(kind, entry.index, in: entry.parent, entry.permissions, entry.modified)
        switch entry.kind {
        case .file(let file): if let size = file.size { put(varint: size) }
        case .folder: break
        case .symbolicLink(let target):
            put(UInt16(target.count))
            put(target)
        case .hardLink(let target): put(target)
        }
        if let attributes = entry.attributes { put(attributes.encoded) }
        if let restriction = entry.restriction { TreeRestriction.put(restriction) { put($0) } }
        return true
    }

    private static func description(
        of entry: TreeEntryElement, bringsContent: Bool
    ) -> (kind: TreeElementKind, flags: UInt8) {
        var flags = entry.attributes == nil ? 0 : TreeEntryFlags.attributes
        if entry.restriction != nil {
            precondition(entry.index > 0, "The root is restricted by its representation")
            flags |= TreeEntryFlags.restriction
        }
        switch entry.kind {
        case .file(let file):
            precondition(file.size ?? 0 <= Limits.size, "No file is that large")
            if file.size != nil { flags |= TreeEntryFlags.sizeKnown }
            if bringsContent { flags |= TreeEntryFlags.content }
            if file.isLinkTarget { flags |= TreeEntryFlags.linkTarget }
            return (.file, flags)
        case .folder: return (.folder, flags)
        case .symbolicLink(let target):
            precondition((1...Limits.path).contains(target.count), "No target of a link")
            return (.symbolicLink, flags)
        case .hardLink: return (.hardLink, flags)
        }
    }

    private mutating func put(name: UnsafeRawBufferPointer, shared: Int) {
        let rest = UnsafeRawBufferPointer(rebasing: name[shared...])
        put(UInt8(shared))
        put(UInt8(rest.count))
        put(rest)
        let names = self.names ?? NameMemory()
        names.set(shared: shared, rest)
        self.names = names
    }

    private mutating func put(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(rest))
    }

    private mutating func put(_ number: some FixedWidthInteger) {
        record.storeBytes(of: number.bigEndian, toByteOffset: count, as: type(of: number))
        count += MemoryLayout.size(ofValue: number)
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: record[count..<(count + bytes.count)]).copyMemory(from: bytes)
        count += bytes.count
    }

    private mutating func reserve(_ size: Int) -> UnsafeMutableRawBufferPointer {
        defer { count += size }
        return UnsafeMutableRawBufferPointer(rebasing: record[count..<(count + size)])
    }
}
