/// Identifies the transfer of one item to or from one peer.
///
/// Items keep their identifiers when a sending is tried again, and when another process resumes a parcel for one peer.
/// On the receiving side each offer has identifiers of its own.
///
/// As text: the batch, a hyphen, and the number of the item.
public struct TransferID: Hashable, Sendable {
    /// Common to the items of one parcel on the sending side, whose receiver sees it as ``ParcelPlace/parcel``, or to
    /// the items of one received offer.
    public let batch: RandomID
    /// Number of the item in that batch, from 0.
    public let item: Int

    init(batch: RandomID = .random(), item: Int) {
        self.batch = batch
        self.item = item
    }
}

extension TransferID: LosslessStringConvertible {
    /// Reads the text form; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let batch = RandomID(String(parts[0])), let item = Int(parts[1]), item >= 0,
            parts[1] == String(item)
        else { return nil }
        self.init(batch: batch, item: item)
    }

    public var description: String { "\(batch)-\(item)" }
}

extension TransferID: Codable {
    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = TransferID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A transfer is written as 32 hexadecimal digits, a hyphen and a number.")
        }
        self = id
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
