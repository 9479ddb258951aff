import Foundation
import Portolan
import PortolanTrust

/// One sending as it is remembered between runs, so that it can be shown, stopped and gone on with.
struct TransferRecord: Codable, Hashable, Sendable {
    static let version = 1
    /// Bytes of a parcel, indented once more, and as much for the rest.
    static let sizeLimit = 2 * Parcel.sizeLimit

    typealias Status = NodeEvent.TransferState.Status

    var version = Self.version
    let id: RecordID
    let created: Date
    /// Whom it goes to, as the user put it.
    let target: String
    /// Who that turned out to be; nil for a team.
    var name: String?
    var fingerprint: String?
    let titles: [String]
    /// Items for another process to send; nil if they cannot be sent again.
    var parcel: Parcel?
    /// Folder that it was sent from.
    let folder: String
    var status = Status.waiting
    /// When something about it changed last: what nobody works on is kept from then on.
    var changed: Date
    /// Of all items so far.
    var bytes: UInt64 = 0
    /// Of all items, as far as is known; nil while that of one of them is not, and where several get the same.
    var total: UInt64?

    var file: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }

    /// - Throws: `TransferDefect`
    init(file: [UInt8]) throws(TransferDefect) {
        struct Outline: Decodable { let version: Int }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            let data = Data(file)
            guard try decoder.decode(Outline.self, from: data).version <= Self.version else {
                throw TransferDefect.newer
            }
            self = try decoder.decode(Self.self, from: data)
        } catch let defect as TransferDefect {
            throw defect
        } catch let error as ParcelError {
            throw .damaged(reason: error.description)
        } catch {
            throw .damaged()
        }
    }

    init(
        id: RecordID, created: Date, target: String, titles: [String], parcel: Parcel?, folder: String, total: UInt64?
    ) {
        self.id = id
        self.created = created
        changed = created
        self.target = target
        self.titles = titles
        self.parcel = parcel
        self.folder = folder
        self.total = total
    }

    /// The record where the same is sent once more, from its beginning: an item that was settled may have changed since.
    func begunAnew(with parcel: Parcel, total: UInt64?) -> TransferRecord {
        TransferRecord(
            id: id, created: created, target: target, titles: titles, parcel: parcel, folder: folder, total: total)
    }
}

/// Why a record is not used.
enum TransferDefect: Error, Hashable {
    /// A later version of this program wrote it.
    case newer
    /// - Parameter reason: what is wrong with it, as a sentence.
    case damaged(reason: String = "It cannot be read as a transfer.")
}

/// What a transfer is called on the command line, and in file names.
struct RecordID: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let length = 8

    let text: String

    var description: String { text }

    static func random() -> RecordID {
        RecordID(unchecked: String((0..<length).map { _ in letters.randomElement() ?? "a" }))
    }

    static func parse(_ text: String) throws(ValueError) -> RecordID { try RecordID(text) }

    /// - Throws: `ValueError` for what no transfer is called.
    init(_ text: String) throws(ValueError) {
        guard text.wholeMatch(of: /[a-z0-9]{1,64}/) != nil else {
            throw ValueError(
                "“\(DisplayText(text, limit: 40))” names no transfer; 'portolan transfers' shows what they are called.")
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func < (one: RecordID, other: RecordID) -> Bool { one.text < other.text }
}
