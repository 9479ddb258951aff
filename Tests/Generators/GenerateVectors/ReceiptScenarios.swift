import PortolanCrypto
import PortolanProtocol

/// Receipts that a receiver signs, put together by hand, and messages with them.
func receiptScenarios() throws -> [Scenario] {
    let file = HandReceipt()
    var digested = HandReceipt()
    digested.digest = fixedBytes(0xD0)
    var (noItem, noSize, noTime, strange) = (file, file, file, file)
    noItem.item = 0
    noSize.bytes = 1 << 63
    noTime.seconds = 253_402_300_800
    // No point of the curve is written so.
    strange.receiver = [UInt8](repeating: 0xFF, count: 32)
    var (later, short, changed) = (try file.signed(), digested, try file.signed())
    later[0] = 2
    short.digest?.removeLast()
    // The lowest byte of the number of bytes.
    changed[96] ^= 1
    func refused(_ name: String, _ bytes: [UInt8], as kind: String = "malformed", _ comment: String) -> Scenario {
        Scenario("receipt-refused-" + name, kind: "receipt", comment, ["bytes": hex(bytes), "refused": kind])
    }
    func read(_ name: String, _ receipt: HandReceipt, _ bytes: [UInt8], isValid: Bool, _ comment: String) -> Scenario {
        Scenario(
            "receipt-" + name, kind: "receipt", comment,
            ["bytes": hex(bytes), "meaning": receipt.meaning, "valid": isValid]
                .with("receiver_seed", isValid ? hex(fixedBytes(0x0B)) : nil))
    }
    var changedReceipt = file
    changedReceipt.bytes ^= 1
    return [
        read("file", file, try file.signed(), isValid: true, "A receipt without a digest."),
        read("digest", digested, try digested.signed(), isValid: true, "A receipt with the digest of the content."),
        read("changed", changedReceipt, changed, isValid: false, "Another number of bytes than was signed."),
        read(
            "of-another-key", file, try file.signed(by: 0x0C), isValid: false, "Signed by another device than it names."
        ),
        read("of-no-key", strange, try strange.signed(), isValid: false, "The receiver's 32 bytes are no key."),
        Scenario(
            "receipt-later-version", kind: "receipt", "One of version 2 is passed over where it comes with a message.",
            ["bytes": hex(later), "passed_over": true]),
        refused("cut", try file.signed().dropLast(), "A signature without its last byte."),
        refused("longer", try file.signed() + [0], "A byte behind the signature."),
        refused("digest-31-bytes", try short.signed(), "A digest of 31 bytes."),
        refused("item-0", try noItem.signed(), "The number that no item of a parcel has."),
        refused("size-too-large", try noSize.signed(), "More bytes than any file has."),
        refused("year-10000", try noTime.signed(), "A time after the last that is allowed."),
        refused(
            "1025-bytes", [1] + [UInt8](repeating: 0, count: 1024), as: "limit", "A byte more than any version has."),
    ] + (try signedMessageScenarios(file))
}

private func signedMessageScenarios(_ file: HandReceipt) throws -> [Scenario] {
    let bytes = try file.signed()
    let stored = try StoredItem(
        name: Array("note.txt".utf8), bytes: file.bytes, entries: file.entries,
        receipt: DeliveryReceipt(decoding: bytes))
    let before = try ItemChoice(
        item: 0,
        .stored(
            representation: 0,
            StoredItem(
                bytes: file.bytes, entries: file.entries, keptEntries: file.entries, keptBytes: file.bytes,
                receipt: stored.receipt)))
    let messages: [(String, String, Message)] = [
        (
            "receipt-signed", "An item of a parcel was stored, and the receiver signs that.",
            .receipt(Message.Receipt(offer: 7, item: 0, outcome: .stored(stored)))
        ),
        (
            "answer-stored-signed", "An item was stored before, and the receiver gives the receipt again.",
            .answer(try Message.Answer(offer: 7, choices: [before]))
        ),
    ]
    func refused(_ name: String, _ signed: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        let receipt = Proto.field(9, Proto.field(1, 7) + Proto.field(3, Proto.field(2, 3000) + Proto.field(11, signed)))
        return Scenario(
            "message-refused-" + name, kind: "message", comment, ["bytes": hex(receipt), "refused": kind])
    }
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    } + [
        refused("receipt-signed-cut", bytes.dropLast(), "malformed", "A signed receipt without its last byte."),
        refused(
            "receipt-signed-1025-bytes", [2] + [UInt8](repeating: 0, count: 1024), "limit",
            "A signed receipt of a later version that is too long."),
    ]
}

/// A receipt as section 5.10.1 writes it.
private struct HandReceipt {
    var receiver: [UInt8]
    let sender: [UInt8]
    let parcel = Array(fixedBytes(0x20).prefix(16))
    var item: UInt64 = 72_623_859_790_382_856
    var bytes: UInt64 = 3000
    let entries: UInt32 = 1
    var seconds: UInt64 = 1_795_634_400
    var digest: [UInt8]?

    init() {
        receiver = Self.key(0x0B).publicKey.bytes
        sender = Self.key(0x0A).publicKey.bytes
    }

    private static func key(_ seed: UInt8) -> DeviceKey {
        do {
            return try DeviceKey(seed: fixedBytes(seed))
        } catch {
            fatalError("A seed has 32 bytes: \(error)")
        }
    }

    private func highestFirst(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    func signed(by seed: UInt8 = 0x0B) throws -> [UInt8] {
        let head = [1] + receiver + sender + parcel
        let numbers = highestFirst(item) + highestFirst(bytes) + highestFirst(entries) + highestFirst(seconds)
        let all = head + numbers + [UInt8(digest?.count ?? 0)] + (digest ?? [])
        return all + Self.key(seed).signature(for: Array("portolan/1 receipt".utf8) + all)
    }

    var meaning: [String: Any] {
        [
            "receiver": hex(receiver), "sender": hex(sender), "parcel": hex(parcel), "parcel_item": "\(item)",
            "bytes": "\(bytes)", "entries": Int(entries), "seconds": "\(seconds)",
        ].with("digest", digest.map { hex($0) })
    }
}
