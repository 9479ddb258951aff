import GRDB
import Portolan

/// Register of versions up to 0.3: a JSON document for each sending, beside its lock.
struct EarlierRegister {
    private static let form = DocumentForm(nil, versions: 1...2)
    private static let suffix = ".json"
    /// Bytes of a parcel, indented once more, and as much for the rest.
    private static let sizeLimit = 2 * Parcel.sizeLimit

    private let path: String
    private let ids: [RecordID]

    /// Nil if there are no documents.
    init?(_ path: String) throws(StoreError) {
        guard let folder = try PrivateDirectory(existing: path) else { return nil }
        self.path = path
        ids = try folder.names().filter { $0.hasSuffix(Self.suffix) }
            .compactMap { try? RecordID(String($0.dropLast(Self.suffix.count))) }
        if ids.isEmpty { return nil }
    }

    /// Makes rows of the documents, and removes them. That of a sending that runs is left until it has ended.
    ///
    /// - Returns: a complaint for each document that stays because it cannot be read, a sentence.
    func move(to queue: DatabaseQueue) throws -> [String] {
        let folder = try PrivateDirectory(path: path)
        var complaints: [String] = []
        for id in ids {
            let name = id.text + Self.suffix
            guard let lock = try folder.hold(id.lock, patience: .zero) else { continue }
            defer { withExtendedLifetime(lock) {} }
            do {
                guard let text = try folder.read(name, limit: Self.sizeLimit) else { continue }
                let record = try Self.form.read(TransferRecord.self, from: text).body
                guard record.id == id else { throw ValueError("it is the record of another transfer") }
                try queue.write { database in
                    try Outbox(database: database, now: record.changed) { _, _, _, _ in }.write(record, [])
                }
                _ = try folder.remove(name)
            } catch let error as DatabaseError {
                throw error
            } catch {
                complaints.append(complaint(about: name, error))
            }
        }
        return complaints
    }

    private func complaint(about name: String, _ error: any Error) -> String {
        let file = DisplayText(path + "/" + name, limit: 4096)
        let reason = (error as? DocumentDefect)?.clause("a transfer of this version") ?? "\(error)"
        let shown = DisplayText(sentence: reason, limit: 1000)
        return "\(file) is passed over; remove it to be rid of this. The reason: \(shown)"
    }
}
