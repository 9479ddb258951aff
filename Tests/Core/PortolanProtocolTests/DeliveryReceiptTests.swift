import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

/// Receipts that a receiver signs for items that it has stored, and their check by the sender.
@Suite(.aside) struct DeliveryReceiptTests {
    private let ada = DeviceKey.generate()
    private let ben = DeviceKey.generate()
    private let parcel: UInt128 = 7

    private var parties: ReceiptParties { ReceiptParties(receiver: ben.publicKey, sender: ada.publicKey) }

    private func offer(parcel: UInt128?) throws -> Offer {
        try Offer(
            id: 1,
            items: [
                OfferedItem(
                    title: "note",
                    representations: [
                        OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)
                    ], preview: nil, inline: nil, parcelItem: parcel == nil ? nil : 5)
            ], parcel: parcel)
    }

    private func stored(_ receipt: DeliveryReceipt? = nil) throws -> StoredItem {
        try StoredItem(name: Array("note.txt".utf8), bytes: 5, entries: 1, receipt: receipt)
    }

    private func receipt(
        _ parties: ReceiptParties? = nil, parcel: UInt128 = 7, item: UInt64 = 5, bytes: UInt64 = 5, by key: DeviceKey?
    ) throws -> DeliveryReceipt {
        let statement = try (parties ?? self.parties).statement(
            parcel: parcel, item: item, StoredItem(bytes: bytes, entries: 1), seconds: 1_795_634_400)
        return DeliveryReceipt(signing: statement, by: key ?? ben)
    }

    /// A sender that has offered an item, was asked for it where `isSent`, and has sent it.
    private func sender(parcel: UInt128? = 7, isSent: Bool, _ parties: ReceiptParties?) throws -> OfferingMachine {
        var machine = OfferingMachine(offer: try offer(parcel: parcel), parties: parties)
        _ = machine.start()
        guard isSent else { return machine }
        let choice = ItemChoice(item: 0, .take(representation: 0))
        _ = try machine.receive(.answer(Message.Answer(offer: 1, choices: [choice])))
        machine.began(1)
        _ = machine.ended(1, failure: nil)
        return machine
    }

    private func word(_ stored: StoredItem, isSent: Bool) throws -> Message {
        isSent
            ? .receipt(Message.Receipt(offer: 1, item: 0, outcome: .stored(stored)))
            : .answer(
                try Message.Answer(
                    offer: 1, choices: [ItemChoice(item: 0, .stored(representation: 0, stored))]))
    }

    private func settled(_ actions: [OfferingMachine.Action]) -> StoredItem? {
        for case .settled(0, .stored(let stored, _)) in actions { return stored }
        return nil
    }

    @Test("a receipt of the very item is handed up as it came, and none is as good", arguments: [true, false])
    func taken(isSent: Bool) throws {
        let receipt = try receipt(by: ben)
        var machine = try sender(isSent: isSent, parties)
        let came = try Message(decoding: word(stored(receipt), isSent: isSent).encode())
        #expect(settled(try machine.receive(came))?.receipt == receipt)
        machine = try sender(isSent: isSent, parties)
        let without = settled(try machine.receive(word(stored(), isSent: isSent)))
        #expect(without != nil && without?.receipt == nil)
    }

    @Test("a sender that does not know the keys leaves out receipts that it cannot judge", arguments: [true, false])
    func unjudged(isSent: Bool) throws {
        var machine = try sender(isSent: isSent, nil)
        let stored = settled(try machine.receive(word(stored(receipt(by: ben)), isSent: isSent)))
        #expect(stored != nil && stored?.receipt == nil)
    }

    @Test("a receipt that no honest receiver makes of this item ends the session", arguments: [true, false])
    func refused(isSent: Bool) throws {
        let cleo = DeviceKey.generate()
        let forged = try DeliveryReceipt(decoding: receipt(by: ben).encoded.dropLast() + [0x55])
        let strangers = ReceiptParties(receiver: cleo.publicKey, sender: ada.publicKey)
        let toAnother = ReceiptParties(receiver: ben.publicKey, sender: cleo.publicKey)
        let receipts = [
            forged, try receipt(strangers, by: cleo), try receipt(toAnother, by: ben),
            try receipt(parcel: 8, by: ben), try receipt(item: 6, by: ben), try receipt(bytes: 6, by: ben),
        ]
        for receipt in receipts {
            var machine = try sender(isSent: isSent, parties)
            let message = try word(stored(receipt), isSent: isSent)
            #expect(violation { _ = try machine.receive(message) } == .unexpected, "\(receipt)")
        }
    }

    @Test("an item that is part of no parcel gets no signature")
    func ofNoParcel() throws {
        var machine = try sender(parcel: nil, isSent: true, parties)
        let message = try word(stored(receipt(by: ben)), isSent: true)
        #expect(violation { _ = try machine.receive(message) } == .unexpected)
    }

    @Test("a receipt of a later version is passed over, and one of any length but its own is refused")
    func read() throws {
        let bytes = try receipt(by: ben).encoded
        #expect(bytes.count == 174)
        #expect(try DeliveryReceipt(decoding: bytes).encoded == bytes)
        #expect(try DeliveryReceipt.received([2] + bytes.dropFirst()) == nil)
        #expect(try DeliveryReceipt.received([]) == nil)
        for count in 0..<bytes.count {
            #expect(throws: InvalidValue.self) { _ = try DeliveryReceipt(decoding: bytes.prefix(count)) }
        }
        #expect(throws: InvalidValue.self) { _ = try DeliveryReceipt(decoding: bytes + [0]) }
    }

    @Test("no byte of a receipt can be changed unnoticed")
    func changed() throws {
        let statement = try parties.statement(
            parcel: parcel, item: 5, stored(), seconds: 0, digest: [UInt8](repeating: 9, count: 32))
        let receipt = DeliveryReceipt(signing: statement, by: ben)
        #expect(receipt.isValid && receipt.encoded.count == 206)
        for place in receipt.encoded.indices {
            var bytes = receipt.encoded
            bytes[place] ^= 1
            #expect((try? DeliveryReceipt(decoding: bytes))?.isValid != true, "byte \(place)")
        }
    }

    @Test func receiptsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "receipt") {
            let bytes = try vector.bytes("bytes")
            if vector.has("passed_over") {
                #expect(try vector.flag("passed_over") && DeliveryReceipt.received(bytes) == nil, "\(vector.path)")
            } else if let meaning = try vector.optional("meaning") {
                let receipt = try DeliveryReceipt(decoding: bytes)
                #expect(try Described(meaning) == Described(receipt.statement), "\(vector.path)")
                #expect(receipt.encoded == bytes, "\(vector.path)")
                #expect(try receipt.isValid == vector.flag("valid"), "\(vector.path)")
                guard vector.has("receiver_seed") else { continue }
                let key = try DeviceKey(seed: vector.bytes("receiver_seed"))
                #expect(DeliveryReceipt(signing: receipt.statement, by: key) == receipt, "\(vector.path)")
            } else {
                let refused = try vector.name("refused", ProtocolViolation.Kind.self)
                let error = #expect(throws: InvalidValue.self, "\(vector.path)") {
                    _ = try DeliveryReceipt(decoding: bytes)
                }
                #expect((error?.isLimit ?? false ? .limit : .malformed) == refused, "\(vector.path)")
            }
        }
    }

    /// The fields of a receipt, as a vector writes them.
    private struct Described: Equatable {
        let keys: [[UInt8]]
        let parcel: [UInt8]
        let numbers: [UInt64]
        let digest: [UInt8]?

        init(_ statement: ReceiptStatement) {
            keys = [statement.receiver, statement.sender]
            parcel = withUnsafeBytes(of: statement.parcel.bigEndian) { Array($0) }
            numbers = [statement.item, statement.bytes, UInt64(statement.entries), statement.seconds]
            digest = statement.digest
        }

        init(_ meaning: VectorObject) throws {
            keys = [try meaning.bytes("receiver"), try meaning.bytes("sender")]
            parcel = try meaning.bytes("parcel")
            numbers = [
                try meaning.long("parcel_item"), try meaning.long("bytes"), UInt64(try meaning.number("entries")),
                try meaning.long("seconds"),
            ]
            digest = meaning.has("digest") ? try meaning.bytes("digest") : nil
        }
    }
}
