import PortolanSyncPlan

/// Selection of small contents that are sent with the changes that name them.
package struct SmallContents: Hashable, Sendable {
    /// A selected content.
    package struct Content: Hashable, Sendable {
        package var digest: ContentDigest
        /// Size, in bytes.
        package var size: Int

        package init(_ digest: ContentDigest, size: Int) {
            self.digest = digest
            self.size = size
        }
    }

    /// Largest size of a content, in bytes.
    private let largest: Int
    /// Size of records and small contents together, in bytes, after which an announcement ends.
    let together: Int
    /// Receiving member. It has the contents that it wrote.
    private let member: DeviceID
    private let isOwn: Bool

    /// - Parameters:
    ///   - largest: largest size of a content, in bytes.
    ///   - together: size of records and small contents together, in bytes, after which an announcement ends.
    ///   - member: receiving member.
    ///   - isOwn: true for contents that the sender wrote, and did not only move since: these are new to the receiver.
    package init(upTo largest: Int, together: Int, for member: DeviceID, isOwn: Bool) {
        self.largest = largest
        self.together = together
        self.member = member
        self.isOwn = isOwn
    }

    /// Returns the contents of a record.
    ///
    /// - Parameter teller: sending member.
    func contents(of record: NodeRecord, toldBy teller: DeviceID) -> [Content] {
        record.smallContents(upTo: largest) { dot in
            guard dot.replica.device != member else { return false }
            guard isOwn else { return true }
            let wasMoved = record.places.contains { $0.dot.replica == dot.replica && $0.dot.counter > dot.counter }
            return dot.replica.device == teller && !wasMoved
        }
    }

    /// Returns the contents of an announcement, each once, in the order of the records.
    package func contents(of news: Announcement) -> [Content] {
        var found: Set<Content> = []
        return news.records.flatMap { contents(of: $0, toldBy: news.cursor.replica.device) }
            .filter { found.insert($0).inserted }
    }
}

extension NodeRecord {
    /// Returns contents between one byte and a largest size, of versions that given changes wrote.
    func smallContents(upTo largest: Int, writtenBy isMeant: (Dot) -> Bool = { _ in true }) -> [SmallContents.Content] {
        guard !isDeleted else { return [] }
        return contents.compactMap { version in
            let size = version.value.size
            guard !version.value.isDeleted, (1...UInt64(largest)).contains(size), isMeant(version.dot) else {
                return nil
            }
            return SmallContents.Content(version.value.form.digest, size: Int(size))
        }
    }
}
