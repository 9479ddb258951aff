extension DeviceKey {
    /// Names a file or folder of this device to one receiver, 16 bytes: the same for the same path, and to nobody else of any meaning.
    ///
    /// HMAC-SHA256 of the receiver's key and the path, under a key derived from this device's, cut to 16 bytes.
    package func sourceName(ofPath path: [UInt8], for receiver: DevicePublicKey) -> [UInt8] {
        let secret = withSeed { SecretBytes(copying: $0) }.derived(for: "portolan/1 source names")
        return SHA256.authenticate(receiver.bytes + path, key: secret).withUnsafeBytes { Array($0.prefix(16)) }
    }
}
