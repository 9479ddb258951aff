extension SecretBytes {
    /// Another secret, for one purpose and no other: HMAC-SHA256 of the purpose's name under this one, 32 bytes.
    ///
    /// Whoever knows it can say nothing about this secret or about those for other purposes.
    package func derived(for purpose: String) -> SecretBytes {
        SHA256.authenticate(Array(purpose.utf8), key: self)
    }
}
