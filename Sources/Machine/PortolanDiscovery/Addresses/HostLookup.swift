import Glibc
import PortolanConcurrency

/// The system's name resolution. It may block for long, so each lookup gets a thread of its own.
enum HostLookup {
    /// - Throws: ``FixedAddressError/unknownHost(_:reason:)``, or `CancellationError` as soon as the task is
    ///   cancelled; the thread then ends when the resolver returns, and its answer is dropped.
    static func addresses(of name: String, port: UInt16) async throws -> [NetworkAddress] {
        try Task.checkCancellation()
        let found = OneShot<[NetworkAddress], any Error>()
        do {
            try startThread(named: "resolver") {
                found.settle(Result { try look(up: name, port: port) })
            }
        } catch {
            throw FixedAddressError.unknownHost(name, reason: "\(error)")
        }
        return try await found.value(ifCancelled: .failure(CancellationError()))
    }

    private static func look(up name: String, port: UInt16) throws(FixedAddressError) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        var code = getaddrinfo(name, nil, &hints, &list)
        if code != 0, code != EAI_AGAIN {
            // On a machine whose only interface is loopback no family counts as configured, so AI_ADDRCONFIG is not
            // set.
            hints.ai_flags = 0
            code = getaddrinfo(name, nil, &hints, &list)
        }
        guard code == 0 else {
            throw .unknownHost(name, reason: gai_strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
        defer { freeaddrinfo(list) }
        let found = sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.prefix(64).compactMap { entry in
            entry.flatMap { entry -> NetworkAddress? in
                guard let address = entry.pointee.ai_addr else { return nil }
                return NetworkAddress(address, length: entry.pointee.ai_addrlen)
            }
        }
        guard !found.isEmpty else { throw .unknownHost(name, reason: "it has no address") }
        return found.map { NetworkAddress(ip: $0.ip, port: port, interface: $0.interface) }
    }
}
