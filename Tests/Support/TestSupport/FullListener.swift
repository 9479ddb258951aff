import Glibc

/// A port of the loopback interface whose listener accepts no more connections: packets to it are dropped, as by a
/// firewall.
public final class FullListener: Sendable {
    public let port: UInt16
    private let descriptors: [CInt]

    /// - Throws: ``NoListener``
    public init() throws {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard Self.lend(&address, { bind(listener, $0, length) }) == 0, listen(listener, 0) == 0 else {
            close(listener)
            throw NoListener()
        }
        var descriptors = [listener]
        var size = length
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        // A connection is taken in advance; the others wait for a place that they never get.
        for _ in 0..<4 {
            let one = socket(AF_INET, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
            _ = Self.lend(&address) { connect(one, $0, length) }
            descriptors.append(one)
        }
        port = UInt16(bigEndian: address.sin_port)
        self.descriptors = descriptors
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    public struct NoListener: Error {}

    private static func lend<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
