import Foundation
import PortolanFiles
import PortolanProtocol
import TestSupport
import Testing

@testable import PortolanTransport

/// The vectors of transfers that are valid by the rules, and whose item fails when it is stored.
@Suite struct NameVectorTests {
    @Test func itemsFailForTheirReason() throws {
        var count = 0
        for vector in try VectorFile.all(ofKind: "tree_transfer") {
            let outcome = try vector.object("outcome")
            defer { outcome.leaveRest() }
            let steps = try vector.objects("steps")
            defer { steps.forEach { $0.leaveRest() } }
            vector.leaveRest()
            guard outcome.has("item_failed") else { continue }
            count += 1
            let failure = try Self.store(steps.filter { $0.has("plaintext") }.map { try $0.bytes("plaintext") })
            #expect(try failure.map { snake($0.cause.rawValue) } == outcome.text("item_failed"), "\(vector.path)")
        }
        #expect(count == 2)
    }

    /// Stores the entries of tree records, which bring their content.
    ///
    /// - Returns: the error.
    private static func store(_ records: [[UInt8]]) throws -> StoringFailure? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let inbox = try Inbox(path: folder.path(percentEncoded: false), createIfMissing: true)
        let name = try FileName("item")
        let partial = try inbox.receive(nil, called: name, asking: false)
        defer { partial.discard() }
        do {
            let sink = try InboxSink(partial, name: name, channel: .file, size: nil) { _, _, _ in
                throw VectorError("Nothing is published")
            }
            for record in records {
                try record.withUnsafeBytes { bytes in
                    var reader = try TreeReader(bytes)
                    while let element = try reader.next() {
                        guard case .entry(let entry) = element else { continue }
                        let need = try sink.add(entry)
                        if need != .nothing, case .file(let file) = entry.kind, let content = file.content {
                            try sink.content(entry.index, content)
                        }
                    }
                }
            }
            return nil
        } catch {
            return StoringFailure(error)
        }
    }
}
