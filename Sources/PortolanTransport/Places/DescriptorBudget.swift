import Glibc

/// Connections that the process can hold at once with the descriptors that it may open.
///
/// A connection costs a descriptor, and so does all that a transfer needs: lanes, files, folders. Those are kept free,
/// or silent connections would take them.
package struct DescriptorBudget: Hashable, Sendable {
    /// Number of places for sessions if memory, and not descriptors, is the limit.
    static let mostPlaces = 768
    /// Places for connections that have not finished their handshake, likewise.
    static let mostHalfOpen = 256
    /// Descriptors kept for one transfer and for the process itself.
    static let reserve = 24
    /// Places that there are always: with fewer, honest connections displace each other.
    static let fewestPlaces = 4

    /// Connections that have not finished their handshake.
    package let halfOpen: Int
    /// Of those, from one address.
    package let halfOpenPerAddress: Int
    package let sessions: SessionPlaces.Limits

    /// - Parameters:
    ///   - limit: descriptors that the process may have open.
    ///   - inUse: those that it has open already.
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
        // Enough for all places beside a few thousand open descriptors; each number costs a system call.
        let limit = Int(min(limits.rlim_cur, 4096))
        let inUse = (0..<CInt(limit)).count { fcntl($0, F_GETFD) >= 0 }
        return DescriptorBudget(limit: limit, inUse: inUse)
    }
}
