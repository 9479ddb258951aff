import PortolanSyncModel

/// Small contents that are told together with the changes that name them.
package struct SmallContents: Hashable, Sendable {
    /// One of them.
    package struct Content: Hashable, Sendable {
        package var digest: ContentDigest
        /// In bytes.
        package var size: Int

        package init(_ digest: ContentDigest, size: Int) {
            self.digest = digest
            self.size = size
        }
    }

    /// Size of the largest, in bytes.
    private let largest: Int
    /// Bytes of the records of an announcement and of their small contents together, after which it ends.
    let together: Int
    /// The one that is told. It has what it wrote.
    private let member: DeviceID
    private let isOwn: Bool

    /// - Parameters:
    ///   - largest: size of the largest, in bytes.
    ///   - together: bytes of the records of an announcement and of their small contents, after which it ends.
    ///   - member: the one that is told.
    ///   - isOwn: only contents that the one that tells wrote, and did not only move since: these are news with its changes.
    package init(upTo largest: Int, together: Int, for member: DeviceID, isOwn: Bool) {
        self.largest = largest
        self.together = together
        self.member = member
        self.isOwn = isOwn
    }

    /// Those of a record.
    ///
    /// - Parameter teller: the one that tells.
    func contents(of record: NodeRecord, toldBy teller: DeviceID) -> [Content] {
        record.smallContents(upTo: largest) { dot in
            guard dot.replica.device != member else { return false }
            guard isOwn else { return true }
            let wasMoved = record.places.contains { $0.dot.replica == dot.replica && $0.dot.counter > dot.counter }
            return dot.replica.device == teller && !wasMoved
        }
    }

    /// Those of an announcement, each once, in the order of the records.
    package func contents(of news: Announcement) -> [Content] {
        var found: Set<Content> = []
        return news.records.flatMap { contents(of: $0, toldBy: news.cursor.replica.device) }
            .filter { found.insert($0).inserted }
    }
}

extension NodeRecord {
    /// Contents of at most so many bytes, and at least one, that versions written by some changes have.
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
