internal import CSodium

/// Bytes that must not outlive their use: keys, seeds, chaining values.
///
/// The bytes are overwritten with zeros when the last reference is released. Long-lived ones are also kept in
/// libsodium's guarded memory, see ``Keeping``. Every copy loses both protections, so callers make as few as possible.
public final class SecretBytes: Sendable {
    /// Kind of memory for a secret.
    enum MemoryKind {
        /// For keys that live as long as the process: never swapped where the system's limit allows it, left out of
        /// core dumps, between guard pages and read-only once filled. Takes four pages and some 30 µs.
        case guarded
        /// For the many secrets that live for a handshake or a connection: ordinary memory, wiped at release.
        case wiped
    }

    // Safe to share between threads: `init` writes the memory before any other reference exists, and after that only
    // `deinit` writes it, which runs when no reference is left.
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    private let keeping: MemoryKind

    /// Length of the secret, in bytes.
    public let count: Int

    /// Allocates `count` bytes, which `fill` must write completely: the secret is written directly to its place.
    init<Failure: Error>(
        count: Int, keeping: MemoryKind, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
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

    /// Copies a secret from ordinary bytes. The caller wipes its own copy.
    public convenience init(copying bytes: some Collection<UInt8>) {
        self.init(copying: bytes, keeping: .guarded)
    }

    convenience init(copying bytes: some Collection<UInt8>, keeping: MemoryKind) {
        let count = bytes.count
        self.init(count: count, keeping: keeping) { start in
            _ = UnsafeMutableBufferPointer(start: start, count: count).update(fromContentsOf: bytes)
        }
    }

    /// Makes a new secret from the system's random numbers.
    public static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count, keeping: .guarded) { randombytes_buf($0, count) }
    }

    deinit {
        switch keeping {
        case .guarded:
            // `sodium_free` also wipes the memory.
            sodium_free(start)
        case .wiped:
            sodium_memzero(start, count)
            start.deallocate()
        }
    }

    /// Passes the bytes to `body`; the pointer must not leave it.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Passes the bytes in the form that C functions take; the pointer must not leave `body`.
    func withPointer<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(start)
    }
}

extension SecretBytes: Equatable {
    /// Compares in constant time for given lengths.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        one.count == other.count && sodium_memcmp(one.start, other.start, one.count) == 0
    }

    /// Compares with claimed bytes, in constant time for given lengths.
    package func equals(_ claim: [UInt8]) -> Bool {
        count == claim.count && sodium_memcmp(start, claim, count) == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// Text with the length only, so that logging a secret by mistake is harmless.
    public var description: String { "SecretBytes(\(count) bytes, not shown)" }

    /// Hides the bytes from `dump` and debuggers' summaries, as ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
