import Foundation
import PortolanCrypto

/// A blocking connection of a hostile peer.
package final class HostileSocket {
    package struct Gone: Error {
        package init() {}
    }
    package struct TimedOut: Error {
        package init() {}
    }

    private let descriptor: CInt

    /// Connects to a node on this machine.
    ///
    /// - Parameter host: last three bytes of the source address in 127.0.0.0/8.
    package init(port: UInt16, from host: UInt32 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var source = sockaddr_in.loopback(port: 0)
        source.sin_addr.s_addr = (0x7F00_0000 | host).bigEndian
        let isBound = withUnsafePointer(to: &source) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw Gone() }
        var address = sockaddr_in.loopback(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Gone() }
    }

    package init(taking descriptor: CInt) { self.descriptor = descriptor }

    /// Waits for a connection.
    package init(acceptedBy listener: CInt, within seconds: Double = 300) throws {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1000)) == 1 else { throw TimedOut() }
        descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { throw Gone() }
    }

    deinit { close(descriptor) }

    /// Shuts down both directions.
    package func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Gone() }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the victim's next bytes; empty when it has closed.
    package func receive(within seconds: Double = 300) throws -> [UInt8] {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1000)) == 1 else { throw TimedOut() }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// True if the victim closes the connection in time; its bytes before that are skipped.
    package func isHungUpOn(within seconds: Double) -> Bool {
        let end = Date.now + seconds
        while Date.now < end {
            guard let bytes = try? receive(within: end.timeIntervalSinceNow) else { return false }
            if bytes.isEmpty { return true }
        }
        return false
    }
}

extension RecordSealer {
    /// Returns any record in its form on the wire, also one that is unknown to the protocol.
    package mutating func record(type: UInt8, _ plaintext: [UInt8]) -> [UInt8] {
        var record = [0, 0, 0, 0] + plaintext + [UInt8](repeating: 0, count: 16)
        record.withUnsafeMutableBytes { seal(type: type, $0) }
        return record
    }
}

extension sockaddr_in {
    package static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
