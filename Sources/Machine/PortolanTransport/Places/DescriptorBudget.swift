import Glibc

/// Most connections of the process at once, by its limit of open descriptors.
///
/// A connection costs a descriptor, as do the lanes, files and folders of a transfer. Descriptors for those are
/// reserved, since silent connections could use them up.
package struct DescriptorBudget: Hashable, Sendable {
    /// Most places for sessions, if memory rather than descriptors is the limit.
    static let mostPlaces = 768
    /// Most places for connections in their handshake, if memory rather than descriptors is the limit.
    static let mostHalfOpen = 256
    /// Descriptors reserved for one transfer and for the process itself.
    static let reserve = 24
    /// Fewest places: with fewer, honest connections would displace each other.
    static let fewestPlaces = 4

    /// Connections that have not finished their handshake.
    package let halfOpen: Int
    /// Most of ``halfOpen`` from one address.
    package let halfOpenPerAddress: Int
    package let sessions: SessionPlaces.Limits

    /// - Parameters:
    ///   - limit: most open descriptors of the process.
    ///   - inUse: descriptors that are already open.
    package init(limit: Int, inUse: Int) {
        let places = max(Self.fewestPlaces, min(Self.mostPlaces, (limit - inUse - Self.reserve) / 2))
        halfOpen = min(Self.mostHalfOpen, max(Self.fewestPlaces, places / 3))
        halfOpenPerAddress = max(2, min(8, places / 2))
        sessions = SessionPlaces.Limits(
            all: places, strangers: places - places / 4, perAddress: halfOpenPerAddress, perNetwork: places / 2)
    }

    /// Returns the budget by the current limit of descriptors (RLIMIT_NOFILE) of this process.
    package static func current() -> DescriptorBudget {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else {
            return DescriptorBudget(limit: 256, inUse: 0)
        }
        // Enough for all places beside a few thousand open descriptors; the check of each number costs a system call.
        let limit = Int(min(limits.rlim_cur, 4096))
        let inUse = (0..<CInt(limit)).count { fcntl($0, F_GETFD) >= 0 }
        return DescriptorBudget(limit: limit, inUse: inUse)
    }
}
