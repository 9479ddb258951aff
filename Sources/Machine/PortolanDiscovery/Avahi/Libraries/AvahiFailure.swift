import CAvahi

/// An error code of libavahi.
struct AvahiFailure: Error, Hashable, CustomStringConvertible {
    let code: Int32

    static let collision = AvahiFailure(code: Int32(AVAHI_ERR_COLLISION))
    static let noDaemon = AvahiFailure(code: Int32(AVAHI_ERR_NO_DAEMON))
    static let failure = AvahiFailure(code: Int32(AVAHI_ERR_FAILURE))
    static let timeout = AvahiFailure(code: Int32(AVAHI_ERR_TIMEOUT))
    /// No failure of the library, whose codes are negative: ``AutomaticStack`` changes to the daemon.
    static let daemonIsBack = AvahiFailure(code: 1)

    /// No failure of the library either: its timers would wait until the clock reaches the former time again.
    static let clockWasSetBack = AvahiFailure(code: 2)

    /// Neither this: the library would end the process.
    static let noNetlink = AvahiFailure(code: 3)

    var description: String {
        if self == .daemonIsBack { return "the daemon is running again" }
        if self == .clockWasSetBack { return "this machine's clock was set back" }
        if self == .noNetlink {
            return "this process may open no netlink socket; what confines it has to permit AF_NETLINK"
        }
        return avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Throws for a negative result of the library's calls.
    static func check(_ code: Int32) throws(AvahiFailure) {
        if code < 0 { throw AvahiFailure(code: code) }
    }
}
