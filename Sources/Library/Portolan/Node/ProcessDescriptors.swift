/// The descriptors that this process may have open: a connection takes one, and so does each file and folder of a
/// transfer.
public enum ProcessDescriptors {
    /// Raises the limit on open descriptors to the highest that this process may have (`RLIMIT_NOFILE`, soft to hard).
    ///
    /// The limit applies to the whole process and is inherited by its children, so the library never raises it by
    /// itself. A program calls this at its start, as `portolan` does; a receiver holds as many connections as the limit
    /// at the time allows. Without effect where the system refuses. Not for a program that uses `select(2)`, which
    /// knows descriptors below 1024 only.
    public static func raiseLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        _ = setrlimit(resource, &limits)
    }
}
