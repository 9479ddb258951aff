import Glibc

/// An IPv4 or IPv6 address, without port or interface.
public enum IPAddress: Hashable, Sendable {
    /// The 32 bits, first byte highest.
    case v4(UInt32)
    /// The 128 bits, first byte highest.
    case v6(UInt64, UInt64)
}

extension IPAddress {
    /// The address in network byte order: 4 or 16 bytes.
    package var bytes: [UInt8] {
        switch self {
        case .v4(let bits): bits.bigEndianBytes
        case .v6(let high, let low): high.bigEndianBytes + low.bigEndianBytes
        }
    }

    /// - Parameter bytes: 4 or 16 bytes in network byte order; nil for any other number.
    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self = .v4(UInt32(bigEndianBytes: bytes))
        case 16: self = .v6(UInt64(bigEndianBytes: bytes.prefix(8)), UInt64(bigEndianBytes: bytes.dropFirst(8)))
        default: return nil
        }
    }

    /// Parses `192.0.2.7` (four decimal numbers, no leading zeros) or an IPv6 address in any form of RFC 4291 §2.2.
    package init?(parsing text: some StringProtocol) {
        // The system's parser takes C strings: a NUL would hide the text behind it.
        guard !text.utf8.contains(0), text.utf8.count < Int(INET6_ADDRSTRLEN) else { return nil }
        let text = String(text)
        if text.contains(":") {
            var parsed = in6_addr()
            guard inet_pton(AF_INET6, text, &parsed) == 1 else { return nil }
            self.init(bytes: withUnsafeBytes(of: parsed) { Array($0) })
        } else {
            var parsed = in_addr()
            guard inet_pton(AF_INET, text, &parsed) == 1 else { return nil }
            self.init(bytes: withUnsafeBytes(of: parsed) { Array($0) })
        }
    }

    package var isV6: Bool {
        if case .v6 = self { true } else { false }
    }

    /// True for `::` and all of 0.0.0.0/8: this host on this network, never a destination.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let bits): bits >> 24 == 0
        case .v6(let high, let low): high == 0 && low == 0
        }
    }

    package var isLoopback: Bool {
        switch self {
        case .v4(let bits): bits >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }

    package var isMulticast: Bool {
        switch self {
        case .v4(let bits): bits >> 28 == 0xE
        case .v6(let high, _): high >> 56 == 0xFF
        }
    }

    /// True for 240.0.0.0/4, which includes the limited broadcast.
    package var isReserved: Bool {
        if case .v4(let bits) = self { bits >> 28 == 0xF } else { false }
    }

    /// True for fe80::/10 and 169.254.0.0/16, which are valid on one link only.
    package var isLinkLocal: Bool {
        switch self {
        case .v4(let bits): bits >> 16 == 0xA9FE
        case .v6(let high, _): high >> 54 == 0xFE80 >> 6
        }
    }

    /// True for an IPv4 address embedded in IPv6 (::ffff:0:0/96, RFC 4291 §2.5.5.2) or in the obsolete compatible form
    /// (::/96).
    package var embedsV4: Bool {
        guard case .v6(0, let low) = self else { return false }
        return low >> 32 == 0xFFFF || (low >> 32 == 0 && low > 1)
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual text: `192.0.2.7`, `2001:db8::7`.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let written = bytes.withUnsafeBytes {
            inet_ntop(isV6 ? AF_INET6 : AF_INET, $0.baseAddress, &text, socklen_t(text.count))
        }
        precondition(written != nil, "an address of 4 or 16 bytes has a text")
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    fileprivate init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
