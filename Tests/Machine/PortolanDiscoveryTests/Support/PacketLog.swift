import Glibc
import Testing

/// Log of all raw frames on the network of this process's namespace.
final class PacketLog {
    private let descriptor: Int32

    init() throws {
        // A packet socket that is bound to nothing hears every interface.
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(Self.packetFamily, kind, Int32(Self.everyProtocol.bigEndian))
        try #require(descriptor >= 0, "no packet socket: \(String(cString: strerror(errno)))")
        var size: Int32 = 8 << 20
        setsockopt(descriptor, SOL_SOCKET, Self.forcedReceiveBuffer, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Returns the frames since the last call.
    func takeFrames() -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return frames }
            frames.append(Array(buffer.prefix(count)))
        }
    }

    // Swift's Glibc module lacks these: AF_PACKET, ETH_P_ALL and SO_RCVBUFFORCE.
    private static let packetFamily: Int32 = 17
    private static let everyProtocol: UInt16 = 3
    private static let forcedReceiveBuffer: Int32 = 33
}

extension [UInt8] {
    func contains(_ part: some Collection<UInt8>) -> Bool {
        let part = Array(part)
        guard let first = part.first, count >= part.count else { return false }
        return indices.dropLast(part.count - 1).contains {
            self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part)
        }
    }

    /// True if the frame contains a DNS name with this label.
    func contains(label: String) -> Bool { contains(text: String(UnicodeScalar(UInt8(label.utf8.count))) + label) }

    /// True if the frame contains the text, in any case.
    func contains(text: String) -> Bool {
        map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.contains(Array(text.lowercased().utf8))
    }
}
