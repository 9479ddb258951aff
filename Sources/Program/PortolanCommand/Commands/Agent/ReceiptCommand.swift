import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanProtocol

/// `portolan receipt`: signed receipts of receivers.
struct ReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "receipt", "Check a receiver's signature for an item that it has stored.",
        examples: """
            portolan receipt check receipt.txt
            portolan receipt check receipt.txt --json
            portolan outbox show 5f0c --json         # has the bytes of its receipts
            """,
        manual: """
            An agent signs for each item of a parcel that it stores, and the agent that sent it keeps the receipt: \
            'portolan outbox show ID --json' has its bytes, in base64. Any device can check it, without an agent.
            """,
        subcommands: [ReceiptCheckCommand.self])
}

/// `portolan receipt check`.
struct ReceiptCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "check", "Show the contents of a receipt, and whether the receiver has signed it.",
        examples: """
            portolan receipt check receipt.txt
            portolan receipt check - <receipt.txt
            """,
        manual: """
            Compare the fingerprints with those of the two devices ('portolan id' there): a receipt proves the \
            statement of a device, and not its owner. Ends with 65 if it is not valid. With --json: one object with \
            all that it says.
            """)

    @Argument(
        help: .value("file", "A file with the receipt, in base64 or as it is; '-' is standard input."),
        completion: .file())
    var file: String

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let bytes = try await ReceiptInput.read(file)
        let receipt = try translating(DeliveryReceipt(decoding: bytes)) { (error: InvalidValue) in
            CommandFailure(.badData, "“\(DisplayText(file, limit: 300))” is no receipt. \(error)")
        }
        let statement = receipt.statement
        let (receiver, sender) = (Self.device(statement.receiver), Self.device(statement.sender))
        let (parcel, item) = (Hexadecimal.text(statement.parcel), Hexadecimal.text(statement.item))
        let digest = statement.digest.map { Hexadecimal.text($0) }
        console.say("receiver  \(receiver)")
        console.say("sender    \(sender)")
        console.say("parcel    \(parcel)")
        console.say("item      \(item)")
        console.say("stored    \(ReceiptLine.facts(statement))")
        if let digest { console.say("SHA-256   \(digest)") }
        console.say(receipt.isValid ? "valid" : "not valid")
        try console.emit(
            .receipt,
            [
                "receiver": receiver, "sender": sender, "parcel": parcel, "item": item, "bytes": statement.bytes,
                "entries": statement.entries, "at": ReceiptLine.date(statement), "digest": digest,
                "isValid": receipt.isValid,
            ])
        guard receipt.isValid else { throw ExitCode(ExitStatus.badData.rawValue) }
    }

    /// Fingerprint of a device; its 64 hexadecimal digits if they are not a valid key.
    private static func device(_ key: [UInt8]) -> String {
        let valid = try? DevicePublicKey(bytes: key)
        return valid?.fingerprint.description ?? Hexadecimal.text(key)
    }
}

/// A receipt from a file.
private enum ReceiptInput {
    /// Bytes that are read of a file at most.
    private static let limit = 4096

    /// - Parameter path: `-` is standard input.
    /// - Throws: `CommandFailure`
    static func read(_ path: String) async throws -> [UInt8] {
        let data = try await TypedFile.beginning(of: path, limit)
        // The first byte of a receipt is its version, which is no digit of base64.
        return Data(base64Encoded: data, options: .ignoreUnknownCharacters).flatMap { decoded in
            data.first == 1 ? nil : Array(decoded)
        } ?? Array(data)
    }
}
