import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport

/// Answers with changes, followed by small contents.
extension SyncRole {
    /// Largest overhead of a content in a message, in bytes.
    private static let contentOverhead = 8
    /// Largest overhead of the messages of an answer, in bytes.
    private static let overhead = 256 << 10
    /// Size of records and contents after which an announcement ends, in bytes: there mostly is room for a further
    /// record with its largest contents.
    private static let together = Limits.changes.bytes - (1 << 20)

    /// Answers a request for changes. Parts are sent as they are read.
    func tell(_ since: Message.SyncSince) async throws {
        let question = since.question
        let small = since.contents.small(upTo: Self.together, for: DeviceID(peer))
        guard
            let news = try await host.announcement(
                of: since.folder, since: since.position, with: small, for: self),
            let latest = SyncPosition(news.cursor)
        else { return refuse(question) }
        let contents = small?.contents(of: news) ?? []
        var rest = news.records[...]
        repeat {
            let part = rest.prefix(Message.SyncChanges.count(fitting: rest, seals: news.seals.count))
            rest = rest.dropFirst(part.count)
            await session.waitUntilRead()
            let isLast = rest.isEmpty && contents.isEmpty
            let changes = Message.SyncChanges(
                question: question, records: Array(part), latest: isLast ? latest : nil,
                seals: isLast ? news.seals : [:])
            if isLast { return answered(question, .syncChanges(changes)) }
            if !part.isEmpty { session.send(.syncChanges(changes)) }
        } while !rest.isEmpty
        let room = Limits.changes.bytes - Self.overhead - news.records.reduce(0) { $0 + $1.mostBytes }
        try await carrying.withLock {
            try await self.send(contents, of: since.folder, answering: question, room: room)
        }
        answered(
            question,
            .syncChanges(
                Message.SyncChanges(question: question, records: [], latest: latest, seals: news.seals)))
    }

    /// Sends contents while there is room. Unreadable or changed contents are omitted: the peer requests them when
    /// needed.
    private func send(
        _ contents: [SmallContents.Content], of folder: SyncFolderID, answering question: UInt64, room: Int
    ) async throws {
        var room = room
        var rest = contents.prefix(Limits.changes.records)
        while !rest.isEmpty {
            try Task.checkCancellation()
            var part = rest.prefix(0)
            var bytes = 0
            for one in rest.prefix(Limits.records) {
                bytes += one.size + Self.contentOverhead
                // A content of the largest size gets its own message.
                guard part.isEmpty || bytes <= Limits.recordBytes - 64 else { break }
                part = rest.prefix(part.count + 1)
            }
            rest = rest.dropFirst(part.count)
            room -= part.reduce(0) { $0 + $1.size + Self.contentOverhead }
            guard room >= 0, !isOver else { return }
            guard let read = try await host.contents(part, of: folder, for: self) else { return }
            guard !read.isEmpty else { continue }
            await session.waitUntilRead()
            session.send(
                .syncChanges(Message.SyncChanges(question: question, records: [], latest: nil, contents: read)))
            let sent = part.reduce(UInt64(0)) { $0 + UInt64($1.size) }
            if going.add(part.count, sent, of: folder) { host.sends(folder, to: self) }
        }
    }
}

extension Message.SyncSince.Contents {
    /// Returns the selection of contents to send with changes.
    ///
    /// - Parameters:
    ///   - together: size of records and contents after which an announcement ends, in bytes.
    ///   - member: the member that has asked.
    fileprivate func small(upTo together: Int, for member: DeviceID) -> SmallContents? {
        guard self != .none else { return nil }
        return SmallContents(upTo: Limits.syncContent, together: together, for: member, isOwn: self == .own)
    }
}
