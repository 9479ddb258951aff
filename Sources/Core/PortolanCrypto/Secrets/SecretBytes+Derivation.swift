extension SecretBytes {
    /// Derives a secret for a single purpose: HMAC-SHA256 of the purpose's name under this one, 32 bytes.
    ///
    /// The derived secret reveals nothing about this one or about those for other purposes.
    package func derived(for purpose: String) -> SecretBytes {
        SHA256.authenticate(Array(purpose.utf8), key: self)
    }

    /// Derives one of several secrets for a purpose: HMAC-SHA256 of the purpose's name and the bytes of a number under
    /// this one.
    ///
    /// - Parameter number: of the same length for all secrets of the purpose.
    package func derived(for purpose: String, of number: [UInt8]) -> SecretBytes {
        SHA256.authenticate(Array(purpose.utf8) + number, key: self)
    }
}
