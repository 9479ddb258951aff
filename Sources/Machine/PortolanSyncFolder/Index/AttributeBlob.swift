import Foundation
import GRDB
import PortolanSyncPlan

/// Extended attributes as blobs of the index.
extension [ExtendedAttribute] {
    /// Blob of the attributes; nil for none.
    var blob: Data? { isEmpty ? nil : wholeBlob }

    /// Blob of the attributes, also for none.
    var wholeBlob: Data {
        var writer = ByteWriter()
        writer.add(self)
        return Data(writer.bytes)
    }
}

extension ByteWriter {
    mutating func add(_ attributes: [ExtendedAttribute]) {
        add(UInt64(attributes.count))
        for attribute in attributes {
            add(text: attribute.name.text)
            add(UInt64(attribute.value.count))
            add(raw: attribute.value)
        }
    }
}

extension ByteReader {
    mutating func attributes() throws(SyncError) -> [ExtendedAttribute] {
        var attributes: [ExtendedAttribute] = []
        for _ in 0..<(try count()) {
            let name = SyncName(try text())
            attributes.append(ExtendedAttribute(name, try raw(try count())))
        }
        return attributes
    }
}

extension Row {
    /// - Returns: nil for NULL.
    func attributes(_ column: Int) throws -> [ExtendedAttribute]? {
        let bytes = try bytes(column)
        guard !bytes.isEmpty else { return nil }
        var reader = ByteReader(bytes)
        return try reader.attributes()
    }
}
