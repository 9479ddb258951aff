import Portolan
import PortolanClient
import PortolanProtocol

/// A signed receipt, for people.
enum ReceiptLine {
    /// `receipt of “ben”, 2026-11-25 19:20, 3,000 bytes: valid`
    ///
    /// - Parameters:
    ///   - bytes: the stored receipt.
    ///   - receiver: name of its receiver.
    ///   - isValid: result of the agent's check; the signature is verified here again.
    static func text(_ bytes: some Collection<UInt8>, of receiver: String, isValid: Bool) -> String {
        let name = DisplayText(receiver, limit: 100)
        guard let receipt = try? DeliveryReceipt(decoding: bytes) else {
            return "receipt of “\(name)” that cannot be read: not valid"
        }
        let word = isValid && receipt.isValid ? "valid" : "not valid"
        return "receipt of “\(name)”, \(facts(receipt.statement)): \(word)"
    }

    /// `2026-11-25 19:20, 3,000 bytes`
    static func facts(_ statement: ReceiptStatement) -> String {
        let bytes = "\(Human.number(statement.bytes)) \(statement.bytes == 1 ? "byte" : "bytes")"
        let entries = statement.entries > 1 ? ", \(Human.number(statement.entries)) entries" : ""
        return "\(Human.minute(date(statement))), \(bytes)\(entries)"
    }

    static func date(_ statement: ReceiptStatement) -> Date {
        Date(timeIntervalSince1970: Double(statement.seconds))
    }
}
