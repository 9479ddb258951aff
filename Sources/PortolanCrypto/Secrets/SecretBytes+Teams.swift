extension SecretBytes {
    /// What can be published about a secret so that others recognise it: SHA-256(label ‖ secret).
    package func commitment(label: String) -> [UInt8] {
        // The concatenation is as good as the secret; a hash that takes it in parts leaves no copy.
        SHA256.digest(label: Array(label.utf8), secret: self)
    }

    /// One secret out of several, which nobody can compute who lacks one of them: HMAC-SHA-256 under the label of all of
    /// them, sorted and joined.
    ///
    /// - Parameter secrets: of one length, so that the joined ones can be told apart.
    package static func combined(_ secrets: [SecretBytes], label: String) -> SecretBytes {
        precondition(Set(secrets.map(\.count)).count == 1, "secrets of different lengths cannot be combined")
        let sorted = secrets.sorted { one, other in
            one.withUnsafeBytes { one in other.withUnsafeBytes { one.lexicographicallyPrecedes($0) } }
        }
        return SHA256.authenticate(sorted, key: SecretBytes(copying: Array(label.utf8), keeping: .wiped))
    }

    /// A secret out of a source of random numbers, which is the system's in a program and a known one in a test.
    package static func random(count: Int, using generator: inout some RandomNumberGenerator) -> SecretBytes {
        SecretBytes(count: count, keeping: .guarded) { start in
            for index in 0..<count { start[index] = .random(in: .min ... .max, using: &generator) }
        }
    }
}
