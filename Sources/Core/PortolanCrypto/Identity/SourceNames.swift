extension DeviceKey {
    /// Computes the name of a file or folder of this device for one receiver, 16 bytes: equal for equal paths, and
    /// meaningless to other receivers.
    ///
    /// HMAC-SHA256 of the receiver's key and the path, under a key derived from this device's, cut to 16 bytes.
    package func sourceName(ofPath path: [UInt8], for receiver: DevicePublicKey) -> [UInt8] {
        name(path, for: receiver, by: "portolan/1 source names")
    }

    /// Computes the name of data in one sending for one receiver, 16 bytes: equal for every offer of that sending, and
    /// different in other sendings.
    ///
    /// - Parameter data: identifies the data among all that this device sends.
    package func sourceName(ofSentData data: [UInt8], for receiver: DevicePublicKey) -> [UInt8] {
        name(data, for: receiver, by: "portolan/1 sent data")
    }

    /// Computes the number of a parcel's item for one receiver: equal for every offer, and without a hint of the number
    /// of items that the receiver may not see. Never 0.
    ///
    /// - Parameters:
    ///   - number: number of the item in the parcel.
    ///   - parcel: the parcel's identifier, 16 bytes.
    package func parcelItem(_ number: Int, of parcel: UInt128, for receiver: DevicePublicKey) -> UInt64 {
        let place = withUnsafeBytes(of: parcel.bigEndian) { Array($0) } + Array("\(number)".utf8)
        let name = name(place, for: receiver, by: "portolan/1 parcel items")
        return max(1, name.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func name(_ source: [UInt8], for receiver: DevicePublicKey, by purpose: String) -> [UInt8] {
        let secret = withSeed { SecretBytes(copying: $0) }.derived(for: purpose)
        return SHA256.authenticate(receiver.bytes + source, key: secret).withUnsafeBytes { Array($0.prefix(16)) }
    }
}
