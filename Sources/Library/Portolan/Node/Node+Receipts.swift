import PortolanProtocol

extension Node {
    /// True if a stored receipt is signed by the receiver for an item that this device sent to it. Uses no network.
    ///
    /// - Parameters:
    ///   - item: number of the item in the parcel, from 0.
    ///   - parcel: parcel of the item.
    ///   - receiver: device whose signature is required.
    public func isValid(
        _ receipt: DeliveryReceipt, ofItem item: Int, in parcel: RandomID, from receiver: DevicePublicKey
    ) -> Bool {
        let statement = receipt.statement
        return statement.receiver == receiver.bytes && statement.sender == identity.key.publicKey.bytes
            && statement.parcel == parcel.bits
            && statement.item == identity.key.parcelItem(item, of: parcel.bits, for: receiver) && receipt.isValid
    }
}
