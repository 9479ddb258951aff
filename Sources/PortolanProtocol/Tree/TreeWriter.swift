/// Writes the elements of one tree record where it is to be sealed. Allocates nothing.
///
/// ```swift
/// var writer = TreeWriter(plaintext, transfer: tree.number)
/// guard writer.append(.entry(folder)) else { … the record is full: send it, and begin the next … }
/// if let place = writer.appendFile(file, content: size) {       // the content is read straight into the record
///     guard try read(into: place) == size else { writer.remove(from: before) … }
/// }
/// seal(writer.count)                                            // so many bytes are the record's plaintext
/// ```
///
/// Traps on what a peer would refuse by itself: that is its owner's to know.
package struct TreeWriter {
    private let record: UnsafeMutableRawBufferPointer
    /// Bytes written so far, the number of the transfer among them.
    package private(set) var count = TreeReader.headerLength

    /// - Parameter buffer: room for the plaintext; of more than `Limits.treeRecord` bytes the first are used.
    package init(_ buffer: UnsafeMutableRawBufferPointer, transfer: UInt32) {
        record = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Limits.treeRecord))
        precondition(record.count > TreeReader.headerLength, "No room for a tree record")
        record.storeBytes(of: transfer.bigEndian, as: UInt32.self)
    }

    /// Whether there is no element yet, and so nothing to send.
    package var isEmpty: Bool { count == TreeReader.headerLength }

    /// Bytes that are left.
    package var room: Int { record.count - count }

    /// Writes an element if there is room for all of it.
    ///
    /// - Returns: `false` if there is not; then nothing was written. It goes into an empty record of full size always,
    ///   unless it brings more content than a record holds.
    package mutating func append(_ element: TreeElement) -> Bool {
        guard Self.size(of: element) <= room else { return false }
        switch element {
        case .entry(let entry):
            put(entry)
            if case .file(let file) = entry.kind, let content = file.content { put(content) }
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
        case .fileEnd(let end):
            precondition(max(end.size, end.sent) <= Limits.size, "No file is that large")
            put(TreeElementKind.fileEnd.rawValue)
            put(end.entry)
            put(end.failure?.status ?? 0)
            put(end.size)
            put(end.sent)
        case .mark: put(TreeElementKind.mark.rawValue)
        }
        return true
    }

    /// Writes a file's entry and leaves room for its content behind it, to be read straight into the record.
    ///
    /// - Parameters:
    ///   - entry: a file of known size, without content.
    /// - Returns: where the content belongs, as many bytes as the file has, all of which must be filled; `nil` if there is
    ///   no room for it, and then nothing was written.
    package mutating func appendFile(_ entry: TreeEntryElement) -> UnsafeMutableRawBufferPointer? {
        guard case .file(let file) = entry.kind, let size = file.size, file.content == nil else {
            preconditionFailure("Only files of known size have room for content")
        }
        let header = Self.size(of: entry)
        guard size <= UInt64(Limits.treeRecord), header + Int(size) <= room else { return nil }
        put(entry, bringsContent: true)
        return reserve(Int(size))
    }

    /// Leaves room for the whole content of a file that was asked for.
    ///
    /// - Returns: as `appendFile(_:)`.
    package mutating func appendContent(of entry: UInt32, size: UInt64) -> UnsafeMutableRawBufferPointer? {
        guard size <= UInt64(Limits.treeRecord), Self.contentHeader + Int(size) <= room else { return nil }
        put(TreeElementKind.content.rawValue)
        put(entry)
        put(UInt32(size))
        return reserve(Int(size))
    }

    /// Takes back everything from where `count` was `start`.
    package mutating func remove(from start: Int) {
        precondition((TreeReader.headerLength...count).contains(start), "Nothing was written from there")
        count = start
    }

    // MARK: Sizes

    private static let entryHeader = 1 + 1 + 2 + 4 + 4 + 8 + 4 + 1
    private static let contentHeader = 1 + 4 + 4

    private static func size(of element: TreeElement) -> Int {
        switch element {
        case .entry(let entry):
            if case .file(let file) = entry.kind {
                size(of: entry) + (file.content?.count ?? 0)
            } else {
                size(of: entry)
            }
        case .content(_, let bytes): contentHeader + bytes.count
        case .hole: 1 + 4 + 8 + 8
        case .fileEnd: 1 + 4 + 1 + 8 + 8
        case .mark: 1
        }
    }

    /// Without content.
    private static func size(of entry: TreeEntryElement) -> Int {
        let restriction = entry.restriction.map(TreeRestriction.size) ?? 0
        let common = entryHeader + entry.name.count + (entry.attributes?.encoded.count ?? 0) + restriction
        return switch entry.kind {
        case .file: common + 8
        case .folder: common
        case .symbolicLink(let target): common + 2 + target.count
        case .hardLink: common + 4
        }
    }

    // MARK: Bytes

    private mutating func put(_ entry: TreeEntryElement, bringsContent: Bool = false) {
        precondition(entry.permissions <= 0o777, "Permissions beyond reading, writing and executing")
        precondition(entry.name.count <= Limits.name && entry.name.isEmpty == (entry.index == 0), "No name of an entry")
        var flags = entry.attributes == nil ? 0 : TreeEntryFlags.attributes
        if entry.restriction != nil {
            precondition(entry.index > 0, "The root is restricted by its representation")
            flags |= TreeEntryFlags.restriction
        }
        let kind: TreeElementKind
        switch entry.kind {
        case .file(let file):
            kind = .file
            if file.size != nil { flags |= TreeEntryFlags.sizeKnown }
            if file.content != nil || bringsContent { flags |= TreeEntryFlags.content }
            if file.isLinkTarget { flags |= TreeEntryFlags.linkTarget }
        case .folder: kind = .folder
        case .symbolicLink: kind = .symbolicLink
        case .hardLink: kind = .hardLink
        }
        put(kind.rawValue)
        put(flags)
        put(entry.permissions)
        put(entry.index)
        put(entry.parent)
        put(UInt64(bitPattern: entry.modified.seconds))
        put(entry.modified.nanoseconds)
        put(UInt8(entry.name.count))
        put(entry.name)
        switch entry.kind {
        case .file(let file):
            let size = file.size ?? 0
            precondition(size <= Limits.size, "No file is that large")
            put(size)
        case .folder: break
        case .symbolicLink(let target):
            precondition((1...Limits.path).contains(target.count), "No target of a link")
            put(UInt16(target.count))
            put(target)
        case .hardLink(let target): put(target)
        }
        if let attributes = entry.attributes { put(attributes.encoded) }
        if let restriction = entry.restriction { TreeRestriction.put(restriction) { put($0) } }
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
