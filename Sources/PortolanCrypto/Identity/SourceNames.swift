extension DeviceKey {
    /// Names a file or folder of this device to one receiver, 16 bytes: the same for the same path, and to nobody else of any meaning.
    ///
    /// HMAC-SHA256 of the receiver's key and the path, under a key derived from this device's, cut to 16 bytes.
    package func sourceName(ofPath path: [UInt8], for receiver: DevicePublicKey) -> [UInt8] {
        name(path, for: receiver, by: "portolan/1 source names")
    }

    /// Names data of one sending to one receiver, 16 bytes: the same whenever it is offered in that sending, and in no other.
    ///
    /// - Parameter data: identifies the data among all that this device sends.
    package func sourceName(ofSentData data: [UInt8], for receiver: DevicePublicKey) -> [UInt8] {
        name(data, for: receiver, by: "portolan/1 sent data")
    }

    /// Names an item of a parcel to one receiver: the same whenever it is offered, and without a hint of how many items there
    /// are that the receiver may not see. Never 0.
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
