import CSodium

/// Bytes that must not outlive their use: keys, seeds, chaining values.
///
/// They live in libsodium's guarded memory: never swapped where the system's limit allows it, left out of core dumps,
/// read-only from the moment they are filled, and overwritten with zeros when the last reference goes. Every copy taken
/// out of here loses that protection, so callers take as few as they can.
public final class SecretBytes: Sendable {
    // Safe to share between threads: `init` writes the memory before anybody else can hold a reference, then makes the
    // pages read-only, and only `deinit`, which runs when no reference is left, writes them again.
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>

    /// How many bytes the secret has.
    public let count: Int

    /// Takes `count` bytes of guarded memory, which `fill` must write whole: the secret goes straight into its place.
    init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        Sodium.started
        guard let memory = sodium_malloc(count) else { preconditionFailure("no memory left for a secret") }
        start = memory.assumingMemoryBound(to: UInt8.self)
        self.count = count
        try fill(start)
        sodium_mprotect_readonly(memory)
    }

    /// Copies a secret that exists as ordinary bytes. The caller's own copy stays the caller's to wipe.
    public convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { [count = bytes.count] start in
            _ = UnsafeMutableBufferPointer(start: start, count: count).update(fromContentsOf: bytes)
        }
    }

    /// A new secret from the system's random numbers.
    public static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { randombytes_buf($0, count) }
    }

    deinit {
        // Wipes the content before the pages are given back.
        sodium_free(start)
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
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// Says how long the secret is and nothing else, so that logging one by mistake is harmless.
    public var description: String { "SecretBytes(\(count) bytes, not shown)" }

    /// Keeps `dump` and debuggers' summaries as silent as ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
