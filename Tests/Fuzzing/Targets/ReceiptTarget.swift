import PortolanCrypto
import PortolanProtocol

extension FuzzTarget {
    /// Signed receipts of a receiver, decoded alone and checked against an item that was sent.
    static let receipts = FuzzTarget("receipts", longest: 1100) { input in
        let bytes = input.rest()
        guard let receipt = try? DeliveryReceipt(decoding: bytes) else { return }
        require(receipt.encoded == Array(bytes), "It is written in another way")
        let statement = receipt.statement
        let isValid = receipt.isValid
        var machine = ReceiptFuzzer.sender()
        let stored = valid {
            try StoredItem(bytes: statement.bytes, entries: statement.entries, receipt: receipt)
        }
        let answer = valid {
            try Message.Answer(offer: 1, choices: [ItemChoice(item: 0, .stored(representation: 0, stored))])
        }
        let isTaken = (try? machine.receive(.answer(answer))) != nil
        let isMeant =
            statement.receiver == ReceiptFuzzer.parties.receiver.bytes
            && statement.sender == ReceiptFuzzer.parties.sender.bytes
            && statement.parcel == ReceiptFuzzer.parcel && statement.item == ReceiptFuzzer.item
        require(isTaken == (isValid && isMeant), "It is taken and not valid, or the other way round")
    }
}

private enum ReceiptFuzzer {
    static let parcel: UInt128 = 7
    static let item: UInt64 = 5

    /// With seeds that repeat one byte: 2 for the receiver, 1 for the sender.
    static let parties = ReceiptParties(receiver: key(2).publicKey, sender: key(1).publicKey)

    private static func key(_ byte: UInt8) -> DeviceKey {
        valid { try DeviceKey(seed: [UInt8](repeating: byte, count: 32)) }
    }

    static func sender() -> OfferingMachine {
        let offer = valid {
            let data = try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)
            return try Offer(
                id: 1,
                items: [
                    OfferedItem(title: "item", representations: [data], preview: nil, inline: nil, parcelItem: item)
                ],
                parcel: parcel)
        }
        var machine = OfferingMachine(offer: offer, parties: parties)
        _ = machine.start()
        return machine
    }
}
