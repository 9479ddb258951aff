internal import CSodium

/// Bytes that must not outlive their use: keys, seeds, chaining values.
///
/// They are overwritten with zeros when the last reference goes. Those that live long stay, besides, in libsodium's
/// guarded memory, see ``Keeping``. Every copy taken out of here loses both, so callers take as few as they can.
public final class SecretBytes: Sendable {
    /// How much is done for a secret.
    enum Keeping {
        /// For keys that live as long as the process: never swapped where the system's limit allows it, left out of core
        /// dumps, between guard pages and read-only once filled. Takes four pages and some 30 µs.
        case guarded
        /// For what lives for a handshake or a connection, by the dozen: ordinary memory, wiped in the end.
        case wiped
    }

    // Safe to share between threads: `init` writes the memory before anybody else can hold a reference, and after that
    // only `deinit` does, which runs when no reference is left.
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    private let keeping: Keeping

    /// How many bytes the secret has.
    public let count: Int

    /// Takes `count` bytes of memory, which `fill` must write whole: the secret goes straight into its place.
    init<Failure: Error>(
        count: Int, keeping: Keeping, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        Sodium.started
        self.count = count
        self.keeping = keeping
        switch keeping {
        case .guarded:
            guard let memory = sodium_malloc(count) else { preconditionFailure("no memory left for a secret") }
            start = memory.assumingMemoryBound(to: UInt8.self)
        case .wiped:
            start = .allocate(capacity: count)
        }
        try fill(start)
        if keeping == .guarded { sodium_mprotect_readonly(start) }
    }

    /// Copies a secret that exists as ordinary bytes. The caller's own copy stays the caller's to wipe.
    public convenience init(copying bytes: some Collection<UInt8>) {
        self.init(copying: bytes, keeping: .guarded)
    }

    convenience init(copying bytes: some Collection<UInt8>, keeping: Keeping) {
        let count = bytes.count
        self.init(count: count, keeping: keeping) { start in
            _ = UnsafeMutableBufferPointer(start: start, count: count).update(fromContentsOf: bytes)
        }
    }

    /// A new secret from the system's random numbers.
    public static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count, keeping: .guarded) { randombytes_buf($0, count) }
    }

    deinit {
        switch keeping {
        case .guarded:
            // Wipes, too.
            sodium_free(start)
        case .wiped:
            sodium_memzero(start, count)
            start.deallocate()
        }
    }

    /// Lends the bytes for the length of one call; the pointer must not leave `body`.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The same in the form that C functions take; the pointer must not leave `body`.
    func withPointer<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(start)
    }
}

extension SecretBytes: Equatable {
    /// Compares in a time that depends on the lengths alone.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        one.count == other.count && sodium_memcmp(one.start, other.start, one.count) == 0
    }

    /// Compares with what somebody claims to know, in a time that depends on the lengths alone.
    package func equals(_ claim: [UInt8]) -> Bool {
        count == claim.count && sodium_memcmp(start, claim, count) == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// Says how long the secret is and nothing else, so that logging one by mistake is harmless.
    public var description: String { "SecretBytes(\(count) bytes, not shown)" }

    /// Keeps `dump` and debuggers' summaries as silent as ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
