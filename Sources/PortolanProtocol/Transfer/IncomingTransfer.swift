/// Holds one transfer that is received to what it said: consecutive numbers, sizes kept, parents before children.
///
/// Its memory is one folder path, whatever the size of the tree, because entries come depth first.
struct IncomingTransfer: Sendable {
    let number: UInt32
    let item: Int
    private let channel: Channel
    private let isFolder: Bool
    private let size: UInt64?

    private struct OpenFile {
        let index: UInt32
        let size: UInt64?
        var received: UInt64 = 0
    }

    private var entries: UInt32 = 0
    private var bytes: UInt64 = 0
    private var file: OpenFile?
    /// The folders from the root to where entries arrive at the moment.
    private var folders: [UInt32] = []

    init(_ begin: Message.Begin, as offered: OfferedRepresentation) {
        number = begin.transfer
        item = Int(begin.item)
        channel = begin.channel
        isFolder = offered.isFolder
        size = begin.channel == .data ? begin.size : nil
    }

    mutating func take(_ entry: Message.Entry) throws(ProtocolViolation) {
        guard channel == .file else { throw ProtocolViolation(.unexpected, "An entry came on the data channel.") }
        guard file == nil else { throw ProtocolViolation(.unexpected, "An entry came inside a file.") }
        guard entry.index == entries, entries < .max else {
            throw ProtocolViolation(.mismatch, "Entry \(entry.index) came where entry \(entries) was due.")
        }
        if entries == 0 {
            guard entry.parent == 0 else { throw ProtocolViolation(.mismatch, "The root lies in another entry.") }
            guard (entry.kind == .folder) == isFolder else {
                throw ProtocolViolation(.mismatch, "What came is not what was offered: a folder for a file, or back.")
            }
            if case .symbolicLink = entry.kind {
                throw ProtocolViolation(.mismatch, "What came is a symbolic link, which cannot be offered.")
            }
        } else {
            try leaveFolders(to: entry.parent)
        }
        switch entry.kind {
        case .folder:
            guard folders.count < Limits.depth else {
                throw ProtocolViolation(.limit, "More than \(Limits.depth) folders lie inside one another.")
            }
            folders.append(entry.index)
        case .file(let size): file = OpenFile(index: entry.index, size: size)
        case .symbolicLink: break
        }
        entries += 1
    }

    private mutating func leaveFolders(to parent: UInt32) throws(ProtocolViolation) {
        guard let depth = folders.lastIndex(of: parent) else {
            throw ProtocolViolation(.mismatch, "An entry lies in entry \(parent), which is no open folder.")
        }
        folders.removeSubrange((depth + 1)...)
    }

    mutating func take(_ header: PayloadHeader, count: Int) throws(ProtocolViolation) {
        guard (1...Limits.payload).contains(count) else {
            throw ProtocolViolation(.limit, "A payload record holds \(count) bytes of data.")
        }
        switch channel {
        case .data:
            guard header.entry == 0 else { throw ProtocolViolation(.mismatch, "Data came for an entry.") }
            try Self.check(header.offset, count, after: bytes, of: size)
        case .file:
            guard let open = file, open.index == header.entry else {
                throw ProtocolViolation(.unexpected, "Payload came for entry \(header.entry), which is not open.")
            }
            try Self.check(header.offset, count, after: open.received, of: open.size)
            file?.received += UInt64(count)
        }
        let (total, overflow) = bytes.addingReportingOverflow(UInt64(count))
        guard !overflow, total <= Limits.size else { throw ProtocolViolation(.limit, "A transfer without bounds.") }
        bytes = total
    }

    private static func check(
        _ offset: UInt64, _ count: Int, after received: UInt64, of size: UInt64?
    ) throws(ProtocolViolation) {
        guard offset == received else {
            throw ProtocolViolation(.mismatch, "Payload came for offset \(offset), where \(received) was due.")
        }
        // What was received is below 2^63 and a record below 2^21, so that the sum cannot overflow.
        guard received + UInt64(count) <= size ?? Limits.size else {
            throw ProtocolViolation(.mismatch, "More payload came than was declared.")
        }
    }

    mutating func take(_ entryEnd: Message.EntryEnd) throws(ProtocolViolation) {
        guard let open = file, open.index == entryEnd.index else {
            throw ProtocolViolation(.unexpected, "Entry \(entryEnd.index) ended and was not open.")
        }
        guard entryEnd.size == open.received else {
            throw ProtocolViolation(
                .mismatch, "A file ended at \(entryEnd.size) bytes after \(open.received) were sent.")
        }
        guard entryEnd.failure != nil || open.size == nil || open.size == open.received else {
            throw ProtocolViolation(.mismatch, "A file ended before its declared size.")
        }
        file = nil
    }

    func check(_ end: Message.End) throws(ProtocolViolation) {
        guard end.entries == entries, end.bytes == bytes, end.lanes == 0 else {
            throw ProtocolViolation(.mismatch, "A transfer ended with totals that are not those of what was sent.")
        }
        guard end.failure == nil else { return }
        guard file == nil else { throw ProtocolViolation(.unexpected, "A transfer ended inside a file.") }
        guard channel == .data || entries > 0 else {
            throw ProtocolViolation(.mismatch, "A file transfer ended without a file.")
        }
        guard size == nil || size == bytes else {
            throw ProtocolViolation(.mismatch, "A transfer ended before its declared size.")
        }
    }
}
