import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import Testing

/// Receivers that sign receipts for items that they were not sent, or with another key.
@Suite(.serialized) struct ForgedReceiptTests {
    enum Forgery: CaseIterable {
        case signature, anotherKey, anotherSender, anotherItem, anotherParcel, anotherSize
    }

    /// The receipt of an honest receiver for an offer's first item, with an optional forgery.
    private static func receipt(
        _ forgery: Forgery, of offer: Offer, by receiver: HostilePeer, bytes: UInt64
    ) throws -> DeliveryReceipt {
        let parcel = try #require(offer.parcel)
        let item = try #require(offer.items[0].parcelItem)
        let victim = try #require(receiver.victim).deviceKey
        let stranger = DeviceKey.generate()
        let key = forgery == .anotherKey ? stranger : receiver.identity.key
        let parties = ReceiptParties(
            receiver: key.publicKey, sender: forgery == .anotherSender ? stranger.publicKey : victim)
        let statement = try parties.statement(
            parcel: forgery == .anotherParcel ? parcel ^ 1 : parcel,
            // Never 0.
            item: forgery == .anotherItem ? item ^ 1 << 63 | 1 : item,
            StoredItem(bytes: forgery == .anotherSize ? bytes + 1 : bytes, entries: 1), seconds: 1_795_634_400)
        let receipt = DeliveryReceipt(signing: statement, by: key)
        guard forgery == .signature else { return receipt }
        var encoded = receipt.encoded
        encoded[encoded.count - 1] ^= 1
        return try DeliveryReceipt(decoding: encoded)
    }

    @Test(
        "a receipt that the receiver did not sign for this item ends the session, and the item is not delivered",
        arguments: Forgery.allCases, [true, false])
    func unsignedReceiptEndsTheSession(forgery: Forgery, wasStoredBefore: Bool) async throws {
        let error = try await Sender.fails { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { return }
            #expect(offer.items[0].inline != nil)
            let receipt = try Self.receipt(forgery, of: offer, by: receiver, bytes: 7)
            let stored = try StoredItem(bytes: 7, entries: 1, receipt: receipt)
            let decision: ItemDecision =
                wasStoredBefore ? .stored(representation: 0, stored) : .take(representation: 0)
            try receiver.send(
                .answer(
                    Message.Answer(
                        offer: offer.id,
                        choices: [ItemChoice(item: 0, decision, isInline: !wasStoredBefore)])))
            if !wasStoredBefore {
                try receiver.send(
                    .receipt(Message.Receipt(offer: offer.id, item: 0, outcome: .stored(stored))))
            }
            #expect(try receiver.closeReason() == .protocolViolation)
        }
        #expect(error.kind == .inputOutput)
        #expect(error.description.contains("sign"), "\(error)")
    }
}
