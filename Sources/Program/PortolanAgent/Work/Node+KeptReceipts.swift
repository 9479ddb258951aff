import Portolan
import PortolanProtocol

extension Node {
    /// True if the receipt of an outcome is signed by its receiver for that item of a parcel of this device.
    ///
    /// - Returns: nil without a receipt.
    func isReceiptValid(_ settlement: StoredSettlement, of parcel: StateID) -> Bool? {
        guard let bytes = settlement.receipt else { return nil }
        guard let receipt = try? DeliveryReceipt(decoding: bytes), let id = RandomID(parcel.description),
            let receiver = try? DevicePublicKey(bytes: settlement.member.bytes)
        else { return false }
        return isValid(receipt, ofItem: settlement.item, in: id, from: receiver)
    }
}
