import Glibc

/// Reaction of an address to a connection that failed.
package enum AddressReaction: Hashable, Sendable {
    /// The machine is there and has said no.
    case refused
    /// No answer came in the time allowed.
    case silent
    /// There is a way to its network, and nobody on it can be reached at the address. A firewall that rejects looks like that, too.
    case hostUnreachable(reason: String)
    /// This machine knows no way there.
    case networkUnreachable(reason: String)
    /// Another failure, such as too many open files.
    case failed(reason: String)

    /// - Parameter errno: of `connect`, or of the socket afterwards.
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
