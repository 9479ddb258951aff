import CTestSupport
import Glibc

/// Sender of arbitrary mDNS messages on a network.
public final class MulticastSpeaker: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - network: path of the network's namespace.
    ///   - address: IPv4 source address, which an interface of that network has.
    ///   - port: 5353 for a responder; another one for a one-shot query (RFC 6762 §6.7).
    public init(in network: String, from address: String, port: UInt16 = 5353) throws {
        descriptor = portolan_open_speaker(network, address, Int32(port))
        guard descriptor >= 0 else { throw HostsError("cannot speak from \(address)", status: descriptor) }
    }

    deinit { close(descriptor) }

    /// - Parameter address: IPv4 destination address: the group of mDNS by default.
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

    /// Returns the next message; nil if none comes for a tenth of a second.
    public func hear() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Announces many services in as few messages as possible, by their pointer records alone.
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
    /// Makes a sender of arbitrary mDNS messages on this host.
    public func makeSpeaker() throws -> MulticastSpeaker { try MulticastSpeaker(in: networkPath, from: address) }
}
