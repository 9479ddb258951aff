import GRDB
import Portolan

/// Identifier of a fixed number of bytes, which is a blob in a row.
package protocol StateBytes: Hashable, Sendable, CustomStringConvertible, DatabaseValueConvertible {
    var bytes: [UInt8] { get }

    init?(_ bytes: some Collection<UInt8>)
}

extension StateBytes {
    /// Hexadecimal text, in lower case.
    package var description: String { Hexadecimal.text(bytes) }

    package var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        Data.fromDatabaseValue(value).flatMap { Self($0) }
    }
}

/// Identifier of a parcel or of a shared item: 16 bytes.
package struct StateID: StateBytes {
    package let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Parses ``description``; nil for any other text.
    package init?(text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes)
    }

    package init(_ id: RandomID) { bytes = id.bytes }
}

/// Device key of a peer: 32 bytes.
package struct PeerKey: StateBytes {
    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }
}

extension RemotePeer {
    /// Key of the peer for rows.
    package var stateKey: PeerKey? { deviceKey.flatMap { PeerKey($0.bytes) } }
}

/// Time in a column: milliseconds since 1970.
extension Date {
    package var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Row {
    package func date(_ column: String) -> Date { Date(milliseconds: self[column]) }

    package func dateIfPresent(_ column: String) -> Date? { (self[column] as Int64?).map { Date(milliseconds: $0) } }

    package func bytesIfPresent(_ column: String) -> [UInt8]? { (self[column] as Data?).map { Array($0) } }
}

/// Value of a column with one of an enumeration's texts. Another text is damage, because newer schemas are rejected
/// before.
package func known<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
    guard let value = Value(rawValue: text) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unknown \(Value.self) in a row")
    }
    return value
}
