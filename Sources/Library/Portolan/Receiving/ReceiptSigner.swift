import PortolanProtocol
import PortolanTransport

/// Signs for the items of one peer that are stored here.
struct ReceiptSigner: Sendable {
    private let key: DeviceKey
    private let runtime: Runtime
    private let parties: ReceiptParties

    init(_ key: DeviceKey, for sender: DevicePublicKey, on runtime: Runtime) {
        self.key = key
        self.runtime = runtime
        parties = ReceiptParties(receiver: key.publicKey, sender: sender)
    }

    /// The peer that has sent the items.
    var sender: DevicePublicKey { parties.sender }

    /// Returns the item with its earlier receipt, or with a new one if its sender would not accept the earlier one.
    ///
    /// The item must be durable.
    func sign(_ stored: StoredItem, as place: ParcelPlace) -> StoredItem {
        if let receipt = stored.receipt, receipt.isValid,
            parties.covers(receipt.statement, parcel: place.parcel.bits, item: place.item, stored)
        {
            return stored
        }
        // An item is stored even if it cannot be signed.
        let statement = try? parties.statement(
            parcel: place.parcel.bits, item: place.item, stored, seconds: seconds)
        return stored.with(statement.map { DeliveryReceipt(signing: $0, by: key) })
    }

    private var seconds: UInt64 {
        let seconds = runtime.date.timeIntervalSince1970
        return min(UInt64(max(seconds, 0)), ReceiptStatement.latestSecond)
    }
}
