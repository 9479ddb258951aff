import CTestSupport
import Glibc

/// Somebody on a network who speaks mDNS as it likes.
public final class MulticastSpeaker: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - network: the file that stands for the network's namespace.
    ///   - address: the IPv4 address to speak from, which an interface of that network has.
    ///   - port: 5353 speaks as a responder; another as one who asks once (RFC 6762 §6.7).
    public init(in network: String, from address: String, port: UInt16 = 5353) throws {
        descriptor = portolan_open_speaker(network, address, Int32(port))
        guard descriptor >= 0 else { throw HostsError("cannot speak from \(address)", status: descriptor) }
    }

    deinit { close(descriptor) }

    /// - Parameter address: the IPv4 address to send to: the group of mDNS by default.
    public func say(_ message: MulticastMessage, to address: String = "224.0.0.251") throws {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = UInt16(5353).bigEndian
        inet_pton(AF_INET, address, &place.sin_addr)
        let sent = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message.bytes, message.bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard sent == message.bytes.count else { throw HostsError("cannot speak to \(address)", status: -errno) }
    }

    /// The next message that is heard; nil if none comes for a tenth of a second.
    public func hear() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Announces many services in as few messages as hold them, by their pointer records alone.
    ///
    /// - Parameter pause: called after each message, so that readers can keep up.
    public func flood(_ names: [String], pause: () async throws -> Void) async throws {
        for start in stride(from: 0, to: names.count, by: 20) {
            try say(MulticastMessage(answers: names[start..<min(start + 20, names.count)].map { .pointer(to: $0) }))
            try await pause()
        }
    }
}

extension TestHost {
    /// Somebody on this host who speaks mDNS as it likes.
    public func makeSpeaker() throws -> MulticastSpeaker { try MulticastSpeaker(in: networkPath, from: address) }
}
