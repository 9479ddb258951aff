/// Address given by hand: `host:47217`, `192.0.2.7`, `[2001:db8::7]:47217`, `[fe80::1%eth0]`.
package struct FixedAddress: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        /// A numeric address, with the interface behind `%`, if any.
        case address(IPAddress, zone: String?)
        /// A name to look up.
        case name(String)
    }

    package let host: Host
    package let port: UInt16

    /// - Parameter defaultPort: port for a text without one; nil makes such a text an error.
    package init(parsing text: some StringProtocol, defaultPort: UInt16? = nil) throws(FixedAddressError) {
        let text = String(text)
        if text.isEmpty { throw .empty }
        guard text.utf8.count <= Self.longestText else { throw .tooLong }
        // Hosts, ports and interfaces are visible ASCII.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unexpectedCharacter }

        let (host, port) = try Self.split(text)
        self.host = host
        if let port {
            self.port = try Self.parsePort(port)
        } else if let defaultPort {
            self.port = defaultPort
        } else {
            throw .noPort(text)
        }
    }

    /// Longest text: a DNS name has at most 253 bytes; brackets and a port are shorter than the rest.
    private static let longestText = 300

    private static func split(_ text: String) throws(FixedAddressError) -> (host: Host, port: Substring?) {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { throw .unclosedBracket(text) }
            let literal = text[text.index(after: text.startIndex)..<close]
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .textAfterBracket(text) }
            return (try parseV6(literal), rest.isEmpty ? nil : rest.dropFirst())
        }
        switch text.count(where: { $0 == ":" }) {
        case 0: return (try parseHost(text[...]), nil)
        case 1:
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            return (try parseHost(text[..<colon]), text[colon...].dropFirst())
        default: return (try parseV6(text[...]), nil)
        }
    }

    private static func parseV6(_ literal: Substring) throws(FixedAddressError) -> Host {
        let parts = literal.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let text = parts.first, text.contains(":"), let ip = IPAddress(parsing: text) else {
            throw .notIPv6(String(literal))
        }
        guard parts.count == 2 else { return .address(ip, zone: nil) }
        let zone = parts[1]
        // IF_NAMESIZE is 16 with its NUL; the kernel allows neither "/" nor ":" in a name.
        guard (1...15).contains(zone.utf8.count), !zone.contains(where: { "/:%[]".contains($0) }) else {
            throw .notAnInterface(String(zone))
        }
        return .address(ip, zone: String(zone))
    }

    private static func parseHost(_ text: Substring) throws(FixedAddressError) -> Host {
        if text.isEmpty { throw .noHost }
        // Otherwise a mistyped address would be looked up as a name, or read as one number of 32 bits.
        if text.contains(where: \.isNumber), text.allSatisfy({ $0.isNumber || $0 == "." }) {
            guard let ip = IPAddress(parsing: text) else { throw .notIPv4(String(text)) }
            return .address(ip, zone: nil)
        }
        let name = text.hasSuffix(".") ? text.dropLast() : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(isLabel) else { throw .notAHostName(String(text)) }
        return .name(String(name))
    }

    /// True for letters, digits, hyphens inside (RFC 1123 §2.1), and the underscore that real networks have.
    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    private static func parsePort(_ text: Substring) throws(FixedAddressError) -> UInt16 {
        // UInt16's own parser accepts "+80".
        guard (1...5).contains(text.utf8.count), text.allSatisfy(\.isNumber), let port = UInt16(text), port != 0 else {
            throw .notAPort(String(text))
        }
        return port
    }
}

extension FixedAddress: CustomStringConvertible {
    package var description: String {
        switch host {
        case .address(let ip, let zone?): "[\(ip)%\(zone)]:\(port)"
        case .address(let ip, nil): ip.isV6 ? "[\(ip)]:\(port)" : "\(ip):\(port)"
        case .name(let name): "\(name):\(port)"
        }
    }
}

extension FixedAddress {
    /// Returns the addresses to try, likeliest first, never empty.
    ///
    /// A name is looked up by the system's resolver on a thread of its own; it takes as long as the system's settings
    /// allow. Cancelling the task ends the wait at once.
    ///
    /// - Throws: ``FixedAddressError``, or `CancellationError`.
    package func addresses() async throws -> [NetworkAddress] {
        let found: [NetworkAddress]
        switch host {
        case .address(let ip, let zone):
            let interface = try zone.map { (zone) throws(FixedAddressError) in try Self.interface(zone) }
            found = [NetworkAddress(ip: ip, port: port, interface: interface)]
        case .name(let name):
            found = try await HostLookup.addresses(of: name, port: port)
        }
        let usable = found.filter { AddressRanker.refusal(of: $0, from: .user) == nil }
        if usable.isEmpty, let refusal = found.lazy.compactMap({ AddressRanker.refusal(of: $0, from: .user) }).first {
            throw FixedAddressError.refused(self, refusal)
        }
        return AddressRanker.ordered(usable)
    }

    private static func interface(_ zone: String) throws(FixedAddressError) -> NetworkInterface {
        if let interface = NetworkInterface(named: zone) { return interface }
        if let index = UInt32(zone), index != 0, NetworkInterface(named: NetworkInterface(index: index).name) != nil {
            return NetworkInterface(index: index)
        }
        throw .noSuchInterface(zone)
    }
}

/// Reason why a text is no address, or an address cannot be resolved.
package enum FixedAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    case unexpectedCharacter
    case noHost
    case noPort(String)
    case notAPort(String)
    case unclosedBracket(String)
    case textAfterBracket(String)
    case notIPv4(String)
    case notIPv6(String)
    case notAnInterface(String)
    case notAHostName(String)
    case noSuchInterface(String)
    case unknownHost(String, reason: String)
    case refused(FixedAddress, AddressRefusal)

    package var description: String {
        switch self {
        case .empty: "The address is empty. Write host:port."
        case .tooLong: "The address is far too long. Write host:port."
        case .unexpectedCharacter:
            "The address has a character that no address has (a space, a control character or a letter outside ASCII)."
        case .noHost: "There is no host before the colon. Write host:port."
        case .noPort(let text): "“\(text)” names no port. Write host:port."
        case .notAPort(let text): "“\(text)” is no port. A port is a number from 1 to 65535."
        case .unclosedBracket(let text): "“\(text)” lacks its “]”. Write [IPv6 address]:port."
        case .textAfterBracket(let text): "“\(text)” has something other than “:port” behind “]”."
        case .notIPv4(let text): "“\(text)” is no IPv4 address: four numbers from 0 to 255, without leading zeros."
        case .notIPv6(let text):
            "“\(text)” is no IPv6 address. One with a port is written [2001:db8::7]:47217, a link-local one [fe80::1%eth0]:47217."
        case .notAnInterface(let text): "“\(text)” cannot be the name of a network interface."
        case .notAHostName(let text): "“\(text)” is no host name: letters, digits, hyphens and dots."
        case .noSuchInterface(let name): "This machine has no network interface “\(name)”. `ip link` lists them."
        case .unknownHost(let name, let reason): "The host “\(name)” was not found: \(reason)."
        case .refused(let address, let refusal): "\(address) cannot be tried. \(refusal)"
        }
    }
}
