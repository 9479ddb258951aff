import PortolanCrypto

/// Receiver's signed statement that it durably had an item of a parcel, from `signed` of a Receipt.
///
/// Its sender keeps it. Any third party can check it by its bytes alone (``isValid``).
public struct DeliveryReceipt: Hashable, Sendable {
    public let statement: ReceiptStatement
    /// 64 bytes, not verified yet where the receipt was decoded.
    public let signature: [UInt8]

    /// Signs a statement.
    ///
    /// - Parameter key: device key of the receiver that the statement names.
    public init(signing statement: ReceiptStatement, by key: DeviceKey) {
        precondition(statement.receiver == key.publicKey.bytes, "Only the receiver signs")
        self.statement = statement
        signature = key.signature(for: Self.label + statement.encoded)
    }

    /// Reads a receipt without verifying its signature.
    ///
    /// - Throws: `InvalidValue` for bytes that are no receipt of version 1.
    public init(decoding bytes: some Collection<UInt8>) throws(InvalidValue) {
        try InvalidValue.check(
            bytes.count <= Limits.receipt,
            limit: "A signed receipt has at most \(Limits.receipt) bytes; this one has \(bytes.count).")
        var reader = ReceiptReader(Array(bytes))
        statement = try ReceiptStatement(&reader)
        signature = try reader.take(DevicePublicKey.signatureLength)
        guard reader.isAtEnd else { throw ReceiptReader.malformed }
    }

    /// Parses the receipt that came with a message.
    ///
    /// - Returns: nil where there is none, or one of a later version.
    /// - Throws: `InvalidValue` for bytes that are no receipt.
    package static func received(_ bytes: some Collection<UInt8>) throws(InvalidValue) -> DeliveryReceipt? {
        let isKnown = bytes.first == ReceiptStatement.version
        guard isKnown || bytes.count > Limits.receipt else { return nil }
        return try DeliveryReceipt(decoding: bytes)
    }

    /// Its bytes: 174, or 206 with a digest.
    public var encoded: [UInt8] { statement.encoded + signature }

    /// True if the named receiver has signed it.
    public var isValid: Bool {
        guard let receiver = try? DevicePublicKey(bytes: statement.receiver) else { return false }
        return isSigned(by: receiver)
    }

    func isSigned(by receiver: DevicePublicKey) -> Bool {
        receiver.isValidSignature(signature, for: Self.label + statement.encoded)
    }

    private static let label = Array("portolan/1 receipt".utf8)
}

/// The statement that a receiver signs in a receipt.
public struct ReceiptStatement: Hashable, Sendable {
    static let version: UInt8 = 1
    /// The last second of the year 9999.
    public static let latestSecond: UInt64 = 253_402_300_799

    /// Device key of the device that has stored the item, 32 bytes. Not every such bytes are a key.
    public let receiver: [UInt8]
    /// Device key of the device that has sent the item, 32 bytes.
    public let sender: [UInt8]
    /// The sender's identifier of the parcel.
    public let parcel: UInt128
    /// The sender's identifier of the item in it, for this receiver.
    public let item: UInt64
    /// Bytes that were stored, of all files together.
    public let bytes: UInt64
    /// Files, folders and links that were stored.
    public let entries: UInt32
    /// Time of signing by the receiver's clock, in seconds since 1970.
    public let seconds: UInt64
    /// SHA-256 of the content, 32 bytes; nil where the receiver says nothing of it.
    public let digest: [UInt8]?

    /// - Throws: `InvalidValue` for numbers or a digest that no receipt can have.
    public init(
        receiver: DevicePublicKey, sender: DevicePublicKey, parcel: UInt128, item: UInt64, bytes: UInt64,
        entries: UInt32, seconds: UInt64, digest: [UInt8]? = nil
    ) throws(InvalidValue) {
        self.receiver = receiver.bytes
        self.sender = sender.bytes
        self.parcel = parcel
        self.item = item
        self.bytes = bytes
        self.entries = entries
        self.seconds = seconds
        self.digest = digest
        try check()
    }

    fileprivate init(_ reader: inout ReceiptReader) throws(InvalidValue) {
        try InvalidValue.check(
            try reader.take(1) == [Self.version], "This is no signed receipt of version \(Self.version).")
        receiver = try reader.take(DevicePublicKey.length)
        sender = try reader.take(DevicePublicKey.length)
        parcel = try reader.number()
        item = try reader.number()
        bytes = try reader.number()
        entries = try reader.number()
        seconds = try reader.number()
        let digestLength: UInt8 = try reader.number()
        digest = digestLength == 0 ? nil : try reader.take(Int(digestLength))
        try check()
    }

    private func check() throws(InvalidValue) {
        guard item != 0, bytes <= Limits.size, seconds <= Self.latestSecond, digest?.count ?? 32 == 32 else {
            throw ReceiptReader.malformed
        }
    }

    /// All bytes of the receipt that come before the signature.
    var encoded: [UInt8] {
        var encoded = [Self.version] + receiver + sender
        encoded += parcel.highestFirst + item.highestFirst + bytes.highestFirst
        encoded += entries.highestFirst + seconds.highestFirst
        return encoded + [UInt8(digest?.count ?? 0)] + (digest ?? [])
    }
}

private struct ReceiptReader {
    static let malformed = InvalidValue("A signed receipt has another form than version 1 gives it.")

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(InvalidValue) -> [UInt8] {
        guard rest.count >= count else { throw Self.malformed }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func number<Number: FixedWidthInteger>() throws(InvalidValue) -> Number {
        try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
    }
}

extension FixedWidthInteger {
    fileprivate var highestFirst: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
