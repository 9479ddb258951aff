import Portolan
import PortolanCrypto
import PortolanProtocol

extension Node {
    /// Whether the receipt of an outcome is its receiver's signed word on that item of a parcel of this device.
    ///
    /// - Returns: nil where there is no receipt.
    func isReceiptValid(_ settlement: Settlement, of parcel: StateID) -> Bool? {
        guard let bytes = settlement.receipt else { return nil }
        guard let receipt = try? DeliveryReceipt(decoding: bytes), let id = RandomID(parcel.description),
            let receiver = try? DevicePublicKey(bytes: settlement.member.bytes)
        else { return false }
        return isValid(receipt, ofItem: settlement.item, in: id, from: receiver)
    }
}
