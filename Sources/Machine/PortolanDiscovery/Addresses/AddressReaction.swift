import Glibc

/// Reaction of an address to a connection that failed.
package enum AddressReaction: Hashable, Sendable {
    /// The machine answers, and refuses the connection.
    case refused
    /// No answer came in the time allowed.
    case silent
    /// The network of the address is reachable, but not the address. A firewall that rejects packets looks the same.
    case hostUnreachable(reason: String)
    /// This machine has no route to the address.
    case networkUnreachable(reason: String)
    /// Another failure, such as too many open files.
    case failed(reason: String)

    /// - Parameter errno: error of `connect`, or of the socket afterwards.
    package init(errno code: CInt) {
        let reason = String(cString: strerror(code))
        self =
            switch code {
            case ECONNREFUSED: .refused
            case ETIMEDOUT: .silent
            case EHOSTUNREACH, EHOSTDOWN: .hostUnreachable(reason: reason)
            // The latter two: no address of the family to connect from.
            case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT: .networkUnreachable(reason: reason)
            default: .failed(reason: reason)
            }
    }
}
