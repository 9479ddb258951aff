import PortolanProtocol

/// Sentence on the part of an item that was already present and was not sent again.
enum PresentContentText {
    /// Clause for a person about content that was present already; nil if there was none.
    static func sentence(_ stored: StoredItem) -> String? {
        sentence(
            entries: UInt64(stored.entries), keptEntries: UInt64(stored.keptEntries), bytes: stored.bytes,
            keptBytes: stored.keptBytes)
    }

    static func sentence(entries: UInt64, keptEntries: UInt64, bytes: UInt64, keptBytes: UInt64) -> String? {
        guard keptEntries > 0 || keptBytes > 0 else { return nil }
        let sent = entries - min(keptEntries, entries)
        let size = Human.size(bytes - min(keptBytes, bytes))
        // For a single file, only bytes are counted.
        guard entries > 1 else {
            return sent == 0 || keptBytes >= bytes
                ? "all of it, \(Human.size(bytes)), was already there"
                : "\(size) of \(Human.size(bytes)) were sent, the rest was already there"
        }
        if sent == 0 { return "all \(Human.number(entries)) of its files and folders were already there" }
        return "\(Human.number(sent)) of \(Human.number(entries)) files and folders were sent (\(size)), "
            + "\(Human.number(keptEntries)) were already there"
    }
}
