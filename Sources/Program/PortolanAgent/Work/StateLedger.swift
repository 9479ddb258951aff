import Portolan
import PortolanProtocol

/// The agent's ledger of stored items, for the node.
///
/// ``AgentReceiver`` writes an item into it together with the inbox and the journal, before the node records it here.
struct StateLedger: ReceiptLedger {
    let database: AgentDatabase
    let health: StateHealth

    func stored(_ place: ParcelPlace, from sender: DevicePublicKey) async throws -> StoredItem? {
        guard let item = DeliveredItem(place, from: sender) else { return nil }
        guard let entry = try await database.read({ try $0.ledger.find(item) }) else { return nil }
        return try StoredItem(
            name: Array(entry.file.name.utf8), bytes: UInt64(clamping: entry.file.size), entries: entry.entries,
            receipt: entry.receipt.flatMap { try? DeliveryReceipt(decoding: $0) })
    }

    func record(_ place: ParcelPlace, from sender: DevicePublicKey, as stored: StoredItem) async throws {
        guard let item = DeliveredItem(place, from: sender) else { return }
        // For a known item the earlier entry stays.
        let file = StoredItemFile(
            name: String(decoding: stored.name, as: UTF8.self), path: "", size: Int64(clamping: stored.bytes))
        try await health.writing {
            try await database.write { change in
                _ = try change.ledger.insert(
                    item, file, entries: stored.entries, receipt: stored.receipt?.encoded)
            }
        }
    }
}

extension DeliveredItem {
    /// Nil for a key without 32 bytes.
    init?(_ place: ParcelPlace, from sender: DevicePublicKey) {
        guard let peer = PeerKey(sender.bytes) else { return nil }
        self.init(peer: peer, parcel: StateID(place.parcel), item: Int(truncatingIfNeeded: place.item))
    }
}
