import Foundation
import PortolanTrust

/// The folders that this device has received into, so that what was interrupted in them can be listed later.
struct KnownInboxes: Sendable {
    /// The longest ago used are forgotten beyond this.
    private static let capacity = 64
    private static let name = "inboxes"
    private static let lock = "inboxes.lock"
    private static let sizeLimit = 512 << 10

    private let path: String

    init(home: HomeDirectory) { path = home.state }

    /// The last one first; none where nothing was remembered, or that cannot be read.
    func all() throws(StoreError) -> [String] {
        guard let folder = try PrivateDirectory(existing: path) else { return [] }
        return try read(folder)
    }

    /// - Parameter inbox: an absolute path.
    func remember(_ inbox: String) throws(StoreError) {
        try PrivateDirectory(path: path).withLock(Self.lock) { folder throws(StoreError) in
            let known = try read(folder)
            guard known.first != inbox else { return }
            let inboxes = [inbox] + known.filter { $0 != inbox }.prefix(Self.capacity - 1)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
            guard let text = try? encoder.encode(inboxes) else { preconditionFailure("A list of texts is plain data") }
            try folder.replace(Self.name, with: Array(text) + [UInt8(ascii: "\n")])
        }
    }

    /// It can be made again by receiving: what is damaged counts as nothing.
    private func read(_ folder: borrowing PrivateDirectory) throws(StoreError) -> [String] {
        guard let file = try folder.read(Self.name, limit: Self.sizeLimit) else { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(file))) ?? []
    }
}
