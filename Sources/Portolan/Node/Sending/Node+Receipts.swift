import PortolanCrypto
import PortolanProtocol

extension Node {
    /// Checks that a stored receipt is a device's signed word on an item that this device has sent to it. Uses no
    /// network.
    ///
    /// - Parameters:
    ///   - item: number of the item in the parcel, from 0.
    ///   - parcel: parcel that it was part of.
    ///   - receiver: device that is to have signed.
    public func isValid(
        _ receipt: DeliveryReceipt, ofItem item: Int, in parcel: RandomID, from receiver: DevicePublicKey
    ) -> Bool {
        let statement = receipt.statement
        return statement.receiver == receiver.bytes && statement.sender == identity.key.publicKey.bytes
            && statement.parcel == parcel.bits
            && statement.item == identity.key.parcelItem(item, of: parcel.bits, for: receiver) && receipt.isValid
    }
}
