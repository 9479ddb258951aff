internal import CCryptoBoringSSL

/// The cipher that seals the records of a session. The raw value is the suite's number on the wire.
public enum RecordSuite: UInt8, Sendable, CaseIterable {
    /// AES-256-GCM (NIST SP 800-38D): several times faster than the other suite on processors with instructions for it.
    case aes256gcm = 1
    /// ChaCha20-Poly1305 (RFC 8439): every peer has it; it takes constant time on any processor.
    case chacha20poly1305 = 2

    /// Suites for this machine to offer, best first.
    ///
    /// AES-256-GCM only where the processor computes both AES and GHASH itself (AES-NI with PCLMULQDQ on x86, the
    /// cryptography extension on ARMv8): in software it would be slow or leak its key through timing.
    public static var hardware: [RecordSuite] {
        CCryptoBoringSSL_EVP_has_aes_hardware() == 1 ? [.aes256gcm, .chacha20poly1305] : [.chacha20poly1305]
    }
}
