import PortolanProtocol

/// Identity of an item among all items of its sender: the same each time the item is sent as part of the same parcel.
public struct ParcelPlace: Hashable, Sendable {
    /// The sender's identifier of the parcel.
    public let parcel: RandomID
    /// Sender's identifier of the item in the parcel. Never 0, and not an index.
    public let item: UInt64

    public init(parcel: RandomID, item: UInt64) {
        self.parcel = parcel
        self.item = item
    }
}

/// Record of stored items, so that a repeated item is not stored again, even if its file was removed.
///
/// Both methods are called from any task, for several items at once.
public protocol ReceiptLedger: Sendable {
    /// - Returns: the recorded item; nil if there is none.
    /// - Throws: if the record cannot be read. The item is then declined, and its sender may send it later.
    func stored(_ place: ParcelPlace, from sender: DevicePublicKey) async throws -> StoredItem?

    /// Records a stored item before its receipt is sent.
    ///
    /// The ledger may keep the signed receipt of the item and return it when the item is sent again; otherwise a new
    /// receipt is signed then.
    ///
    /// - Throws: if the record cannot be written. The item then fails and is hidden again.
    func record(_ place: ParcelPlace, from sender: DevicePublicKey, as stored: StoredItem) async throws
}

extension Offer {
    /// Identity of an item; nil for an item without a parcel.
    func parcelPlace(of item: Int) -> ParcelPlace? {
        guard let parcel, let item = items[item].parcelItem else { return nil }
        return ParcelPlace(parcel: RandomID(parcel), item: item)
    }
}

extension StoredItem {
    /// The item for the receipt of a repeated transfer: all its content was present already. Omissions are counted, not
    /// listed.
    ///
    /// - Parameter withName: false if there is no room for the name.
    func keptWhole(withName: Bool) -> StoredItem {
        do throws(InvalidValue) {
            return try StoredItem(
                name: withName ? name : [], bytes: bytes, entries: entries, omissions: omissions.counted,
                keptEntries: entries, keptBytes: bytes, receipt: receipt)
        } catch {
            preconditionFailure("Less than a good receipt is one: \(error)")
        }
    }
}
