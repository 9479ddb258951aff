import PortolanCrypto
import PortolanProtocol

/// A lane that a victim has opened, read record by record.
package final class ReceivedLane {
    private let socket: HostileSocket
    private var opener: RecordOpener
    private var unread: [UInt8] = []

    package init(_ index: Int, of keys: LaneKeys, acceptedBy listener: CInt) throws {
        socket = try HostileSocket(acceptedBy: listener, within: 300)
        opener = keys.makeOpener(UInt32(index))
        _ = try take(LanePreface.length)
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            let bytes = try socket.receive(within: 300)
            guard !bytes.isEmpty else { throw HostileSocket.Gone() }
            unread += bytes
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    /// Returns the plaintext of the victim's next record.
    package func nextRecord() throws -> (type: UInt8, plaintext: [UInt8]) {
        let header = try take(RecordOpener.headerLength).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var body = try take(Int(header & 0xFF_FFFF))
        try body.withUnsafeMutableBytes { try opener.open(header: header, $0) }
        return (UInt8(header >> 24), body.dropLast(RecordOpener.tagLength))
    }
}
