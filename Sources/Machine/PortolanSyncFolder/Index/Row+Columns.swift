import Foundation
import GRDB
import PortolanSyncPlan

/// Columns by their numbers, in the types of the index.
extension Row {
    /// Unsigned number, from the signed one with the same bits.
    func unsigned(_ column: Int) -> UInt64 { UInt64(bitPattern: self[column] as Int64) }

    /// Unsigned number of a named column, for queries with few rows.
    func unsigned(_ column: String) -> UInt64 { UInt64(bitPattern: self[column] as Int64) }

    /// A blob; empty for NULL.
    func bytes(_ column: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: column) { data in data.map { data in data.withUnsafeBytes { Array($0) } } ?? [] }
    }

    func name(_ column: Int) throws -> SyncName {
        try withUnsafeData(atIndex: column) { data in
            SyncName(data.map { data in data.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } } ?? "")
        }
    }

    /// - Returns: nil for NULL.
    func digest(_ column: Int) throws -> ContentDigest? {
        try withUnsafeData(atIndex: column) { data in
            guard let data else { return nil }
            guard let digest = data.withUnsafeBytes({ ContentDigest($0) }) else { throw SyncError.damagedIndex }
            return digest
        }
    }
}
