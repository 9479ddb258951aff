import PortolanCrypto
import PortolanProtocol

/// Identity of an item among all that its sender sends: the same whenever it is sent again as part of the same parcel.
public struct ParcelPlace: Hashable, Sendable {
    /// The sender's identifier of the parcel.
    public let parcel: RandomID
    /// The sender's identifier of the item in it. Never 0, and no count.
    public let item: UInt64

    public init(parcel: RandomID, item: UInt64) {
        self.parcel = parcel
        self.item = item
    }
}

/// Record of the items that were stored: one that its sender sends again is not stored again, even if its file is gone.
///
/// Both methods are called from any task, for several items at once.
public protocol ReceiptLedger: Sendable {
    /// - Returns: the item as it was recorded; nil if it was not.
    /// - Throws: if that cannot be found out. The item is declined then, and its sender may send it later.
    func stored(_ place: ParcelPlace, from sender: DevicePublicKey) async throws -> StoredItem?

    /// Records an item that was stored, before its sender has the receipt.
    ///
    /// With it the ledger may keep what was signed for it (its receipt), and give that to the sender again. Where it
    /// does not, the item is signed for anew when it is sent again.
    ///
    /// - Throws: if that cannot be done. The item fails then, and is taken out of sight again.
    func record(_ place: ParcelPlace, from sender: DevicePublicKey, as stored: StoredItem) async throws
}

extension Offer {
    /// Identity of an item; nil for one that is part of no parcel.
    func parcelPlace(of item: Int) -> ParcelPlace? {
        guard let parcel, let item = items[item].parcelItem else { return nil }
        return ParcelPlace(parcel: RandomID(parcel), item: item)
    }
}

extension StoredItem {
    /// The item as a sender that sends it again is told of it: all of it was there. Omissions are counted and not
    /// listed.
    ///
    /// - Parameter withName: false where there is no room for the name.
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
