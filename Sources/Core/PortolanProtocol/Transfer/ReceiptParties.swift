import PortolanCrypto

/// Devices of a session, against which a sender checks its receiver's signed receipts.
package struct ReceiptParties: Hashable, Sendable {
    package let receiver: DevicePublicKey
    package let sender: DevicePublicKey

    package init(receiver: DevicePublicKey, sender: DevicePublicKey) {
        self.receiver = receiver
        self.sender = sender
    }

    /// Returns the statement that an honest receiver signs about an item that it has stored.
    ///
    /// - Parameters:
    ///   - seconds: time of signing, since 1970.
    ///   - digest: SHA-256 of the content; nil if it was not computed.
    package func statement(
        parcel: UInt128, item: UInt64, _ stored: StoredItem, seconds: UInt64, digest: [UInt8]? = nil
    ) throws(InvalidValue) -> ReceiptStatement {
        try ReceiptStatement(
            receiver: receiver, sender: sender, parcel: parcel, item: item, bytes: stored.bytes,
            entries: stored.entries, seconds: seconds, digest: digest)
    }

    /// Returns true if a receipt is about exactly this item, as the message describes the stored one. Signatures are
    /// not checked.
    package func covers(
        _ statement: ReceiptStatement, parcel: UInt128, item: UInt64, _ stored: StoredItem
    ) -> Bool {
        let expected = try? self.statement(
            parcel: parcel, item: item, stored, seconds: statement.seconds, digest: statement.digest)
        return statement == expected
    }

    /// - Parameter item: nil without a parcel.
    /// - Throws: `ProtocolViolation` for a receipt that no honest receiver makes of this item.
    func check(_ stored: StoredItem, parcel: UInt128?, item: UInt64?) throws(ProtocolViolation) {
        guard let receipt = stored.receipt else { return }
        guard let parcel, let item else {
            throw ProtocolViolation(.unexpected, "The receiver signed for an item that is part of no parcel.")
        }
        try ProtocolViolation.check(
            covers(receipt.statement, parcel: parcel, item: item, stored),
            "The receiver signed a receipt for another item than the one that was sent.")
        try ProtocolViolation.check(
            receipt.isSigned(by: receiver), "The receiver's signature of a receipt does not verify.")
    }
}
