/// The keys and nonces of one direction, record after record.
///
/// The secret of epoch 0 comes from the handshake; that of epoch *e* + 1 is HMAC-SHA256(secret of *e*, "portolan/1
/// next"), and the key of an epoch is HMAC-SHA256(its secret, "portolan/1 key" ‖ suite number). An epoch is 2^16
/// records, so a key protects at most 2^16 of them, far below the limit of either cipher. Secrets of past epochs are
/// wiped, unless other code holds them, so that a later copy of the memory does not open earlier records.
struct RecordKeySchedule: ~Copyable, Sendable {
    private static let recordsPerEpochBits: UInt64 = 16

    private let suite: RecordSuite
    private var secret: SecretBytes
    private var epoch: UInt64 = 0
    private var nextRecord: UInt64
    private var cipher: RecordCipher

    init(secret: SecretBytes, suite: RecordSuite, firstRecord: UInt64 = 0) {
        precondition(secret.count == SHA256.digestLength, "a direction's secret has 32 bytes")
        self.suite = suite
        self.secret = secret
        nextRecord = firstRecord
        cipher = Self.cipher(secret, suite)
        enterEpoch(of: firstRecord)
    }

    /// Passes the next key and nonce to `body`; each pair is used once.
    mutating func withNext<Failure: Error>(
        _ body: (borrowing RecordCipher, RecordNonce) throws(Failure) -> Void
    ) throws(Failure) {
        enterEpoch(of: nextRecord)
        let nonce = RecordNonce(record: nextRecord)
        // This traps at 2^64 instead of repeating a nonce; no connection lives that long.
        nextRecord += 1
        try body(cipher, nonce)
    }

    private mutating func enterEpoch(of record: UInt64) {
        while epoch < record >> Self.recordsPerEpochBits {
            secret = SHA256.authenticate(Array("portolan/1 next".utf8), key: secret)
            epoch += 1
            if epoch == record >> Self.recordsPerEpochBits { cipher = Self.cipher(secret, suite) }
        }
    }

    private static func cipher(_ secret: SecretBytes, _ suite: RecordSuite) -> RecordCipher {
        RecordCipher(
            key: SHA256.authenticate(Array("portolan/1 key".utf8) + [suite.rawValue], key: secret), suite: suite)
    }
}
