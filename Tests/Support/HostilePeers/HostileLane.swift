import PortolanCrypto
import PortolanProtocol

/// Lane of a hostile sender's session, with arbitrary records.
package final class HostileLane {
    private let socket: HostileSocket
    private var sealer: RecordSealer

    package init(_ index: Int, with keys: LaneKeys, port: UInt16) throws {
        socket = try HostileSocket(port: port)
        sealer = keys.makeSealer(UInt32(index))
        try socket.send(keys.preface(UInt32(index)).encode())
    }

    /// Sends any record, also one that is unknown to the protocol.
    package func sendRecord(type: UInt8, _ plaintext: [UInt8]) throws {
        try sendAtOnce([(type, plaintext)])
    }

    /// Sends several records, so that they arrive together.
    package func sendAtOnce(_ records: [(type: UInt8, plaintext: [UInt8])]) throws {
        try send(records.flatMap { sealer.record(type: $0.type, $0.plaintext) })
    }

    package func send(_ bytes: [UInt8]) throws { try socket.send(bytes) }

    /// Sends a record without its last byte.
    package func sendAllButOneByte(type: UInt8, _ plaintext: [UInt8]) throws {
        try send(sealer.record(type: type, plaintext).dropLast())
    }

    package func cut() { socket.cut() }

    /// Sends elements of a transfer's tree, in one record.
    package func send(_ elements: HostileElement..., transfer: UInt32 = 1) throws {
        try sendTree(elements, transfer: transfer)
    }

    package func sendTree(_ elements: [HostileElement], transfer: UInt32 = 1) throws {
        try sendRecord(type: RecordType.tree.rawValue, HostileElement.record(elements, transfer: transfer))
    }

    package func sendPayload(_ data: [UInt8], of entry: UInt32 = 0, at offset: UInt64 = 0, transfer: UInt32 = 1) throws
    {
        let header = PayloadHeader(transfer: transfer, entry: entry, offset: offset)
        try sendRecord(type: RecordType.payload.rawValue, header.encode() + data)
    }

    /// Ends the lane.
    package func sendEnd() throws { try sendRecord(type: RecordType.end.rawValue, []) }
}

/// Element of a tree record, with arbitrary bytes.
package enum HostileElement {
    case file(UInt32, in: UInt32 = 0, name: String = "", size: UInt64?)
    case whole(UInt32, in: UInt32 = 0, name: String = "", [UInt8])
    case folder(UInt32, in: UInt32 = 0, name: String = "")
    case link(UInt32, in: UInt32 = 0, name: String, to: String)
    case content(UInt32, [UInt8])
    case hole(UInt32, Range<UInt64>)
    /// - Parameter sent: bytes sent; nil for all.
    case end(UInt32, size: UInt64, sent: UInt64? = nil)
    case mark

    package var isFile: Bool {
        switch self {
        case .file, .whole: true
        default: false
        }
    }

    /// Returns the plaintext of a tree record.
    package static func record(_ elements: [HostileElement], transfer: UInt32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Limits.treeRecord) { buffer, count in
            var writer = TreeWriter(UnsafeMutableRawBufferPointer(buffer), transfer: transfer)
            for element in elements { element.write(to: &writer) }
            count = writer.count
        }
    }

    private func write(to writer: inout TreeWriter) {
        switch self {
        case .file(let index, let parent, let name, let size):
            Self.write(index, parent, name, .file(TreeEntryElement.File(size: size)), to: &writer)
        case .whole(let index, let parent, let name, let content):
            content.withUnsafeBytes { content in
                let file = TreeEntryElement.File(size: UInt64(content.count), content: content)
                Self.write(index, parent, name, .file(file), to: &writer)
            }
        case .folder(let index, let parent, let name):
            Self.write(index, parent, name, .folder, to: &writer)
        case .link(let index, let parent, let name, let target):
            Array(target.utf8).withUnsafeBytes { target in
                Self.write(index, parent, name, .symbolicLink(target: target), to: &writer)
            }
        case .content(let index, let bytes):
            bytes.withUnsafeBytes { Self.append(.content(entry: index, $0), to: &writer) }
        case .hole(let index, let range):
            Self.append(.hole(entry: index, offset: range.lowerBound, length: UInt64(range.count)), to: &writer)
        case .end(let index, let size, let sent):
            Self.append(.fileEnd(FileEndElement(entry: index, size: size, sent: sent ?? size)), to: &writer)
        case .mark:
            Self.append(.mark, to: &writer)
        }
    }

    private static func write(
        _ index: UInt32, _ parent: UInt32, _ name: String, _ kind: TreeEntryElement.Kind, to writer: inout TreeWriter
    ) {
        Array(name.utf8).withUnsafeBytes { name in
            append(
                .entry(
                    TreeEntryElement(
                        index: index, parent: parent, name: name, kind: kind, permissions: 0o644, modified: epoch)),
                to: &writer)
        }
    }

    private static let epoch: Timestamp = {
        do {
            return try Timestamp(seconds: 0, nanoseconds: 0)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func append(_ element: TreeElement, to writer: inout TreeWriter) {
        guard writer.append(element) else { preconditionFailure("More than a record holds") }
    }
}
