import PortolanConcurrency
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTransport

/// Changes as they are told, with small contents behind them.
extension SyncRole {
    /// Bytes that each content takes beside its own, at most.
    private static let contentOverhead = 8
    /// Bytes of an answer that its messages take beside records and contents, at most.
    private static let overhead = 256 << 10
    /// Bytes of records and contents after which an announcement ends: a further record, with its largest contents, has room mostly.
    private static let together = Limits.changes.bytes - (1 << 20)

    /// Answers with changes. Parts are sent as they are read.
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
            let part = rest.prefix(Message.SyncChanges.count(fitting: rest))
            rest = rest.dropFirst(part.count)
            await session.waitUntilRead()
            let isLast = rest.isEmpty && contents.isEmpty
            let changes = Message.SyncChanges(
                question: question, records: Array(part), latest: isLast ? latest : nil)
            if isLast { return answered(question, .syncChanges(changes)) }
            if !part.isEmpty { session.send(.syncChanges(changes)) }
        } while !rest.isEmpty
        let room = Limits.changes.bytes - Self.overhead - news.records.reduce(0) { $0 + $1.mostBytes }
        try await carrying.withLock {
            try await self.send(contents, of: since.folder, answering: question, room: room)
        }
        answered(question, .syncChanges(Message.SyncChanges(question: question, records: [], latest: latest)))
    }

    /// Sends contents as far as there is room. What cannot be read, or was changed meanwhile, is left out: the peer asks for it if need be.
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
                // One that is as large as a message has a message to itself.
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
        }
    }
}

extension Message.SyncSince.Contents {
    /// The contents that are told with changes.
    ///
    /// - Parameters:
    ///   - together: bytes of records and contents after which an announcement ends.
    ///   - member: the one that has asked.
    fileprivate func small(upTo together: Int, for member: DeviceID) -> SmallContents? {
        guard self != .none else { return nil }
        return SmallContents(upTo: Limits.syncContent, together: together, for: member, isOwn: self == .own)
    }
}
