extension SecretBytes {
    /// Another secret, for one purpose and no other: HMAC-SHA256 of the purpose's name under this one, 32 bytes.
    ///
    /// Whoever knows it can say nothing about this secret or about those for other purposes.
    package func derived(for purpose: String) -> SecretBytes {
        SHA256.authenticate(Array(purpose.utf8), key: self)
    }

    /// One of several secrets for one purpose: HMAC-SHA256 of the purpose's name and the bytes of a number under this one.
    ///
    /// - Parameter number: of the same length for all secrets of the purpose.
    package func derived(for purpose: String, of number: [UInt8]) -> SecretBytes {
        SHA256.authenticate(Array(purpose.utf8) + number, key: self)
    }
}
