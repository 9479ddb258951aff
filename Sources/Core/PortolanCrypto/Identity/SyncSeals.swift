extension DeviceKey {
    /// Computes the proof of a state of a synchronized folder, 16 bytes, which only this device can compute and check.
    ///
    /// HMAC-SHA256 of the folder's identifier and the state, under a key derived from this device's, cut to 16 bytes.
    package func syncProof(of state: [UInt8], folder: [UInt8]) -> [UInt8] {
        let secret = withSeed { SecretBytes(copying: $0) }.derived(for: "portolan/1 sync seals")
        return SHA256.authenticate(folder + state, key: secret).withUnsafeBytes { Array($0.prefix(16)) }
    }
}
