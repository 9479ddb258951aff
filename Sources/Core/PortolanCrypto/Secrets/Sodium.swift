internal import CSodium

/// Initialises libsodium.
enum Sodium {
    /// Accessed before any call that needs libsodium's random numbers, guarded memory or choice of CPU instructions.
    ///
    /// Swift runs a static initialiser once for all threads, and `sodium_init` is idempotent should another part of the
    /// process have started the library already.
    static let started: Void = {
        precondition(sodium_init() >= 0, "libsodium could not start: the system gives no random numbers")
    }()
}
