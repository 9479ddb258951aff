extension SecretBytes {
    /// Commitment to a secret, which may be published so that others recognise it: SHA-256(label ‖ secret).
    package func commitment(label: String) -> [UInt8] {
        // A concatenation in memory would be as secret as the secret; hashing in parts makes no copy.
        SHA256.digest(label: Array(label.utf8), secret: self)
    }

    /// Combines several secrets into one that cannot be computed without all of them: HMAC-SHA-256 under the label of
    /// all of them, sorted and joined.
    ///
    /// - Parameter secrets: secrets of one length, so that joining them is unambiguous.
    package static func combined(_ secrets: [SecretBytes], label: String) -> SecretBytes {
        precondition(Set(secrets.map(\.count)).count == 1, "secrets of different lengths cannot be combined")
        let sorted = secrets.sorted { one, other in
            one.withUnsafeBytes { one in other.withUnsafeBytes { one.lexicographicallyPrecedes($0) } }
        }
        return SHA256.authenticate(sorted, key: SecretBytes(copying: Array(label.utf8), keeping: .wiped))
    }

    /// Makes a secret from a source of random numbers: the system's in a program, a known one in a test.
    package static func random(count: Int, using generator: inout some RandomNumberGenerator) -> SecretBytes {
        SecretBytes(count: count, keeping: .guarded) { start in
            for index in 0..<count { start[index] = .random(in: .min ... .max, using: &generator) }
        }
    }
}
