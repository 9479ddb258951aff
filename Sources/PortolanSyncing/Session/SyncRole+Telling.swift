import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTransport

/// Changes as they are told, with small contents behind them.
extension SyncRole {
    /// Bytes of an answer that its messages take beside records and contents, at most.
    private static let overhead = 256 << 10
    /// The same for each content.
    private static let contentOverhead = 8

    /// Parts are sent as they are read.
    func send(_ news: Announcement, answering since: Message.SyncSince) async throws {
        let question = since.question
        guard let latest = SyncPosition(news.cursor) else { return refuse(question) }
        let isFirst = since.position?.epoch != latest.epoch
        let contents = since.wantsContents ? news.smallContents(for: DeviceID(peer), isFirst: isFirst) : []
        var rest = news.records[...]
        repeat {
            let part = rest.prefix(Message.SyncChanges.count(fitting: rest))
            rest = rest.dropFirst(part.count)
            await session.waitUntilRead()
            let isLast = rest.isEmpty && contents.isEmpty
            let changes = Message.SyncChanges(
                question: question, records: Array(part), latest: isLast ? latest : nil)
            if isLast { return answered(question, .syncChanges(changes)) }
            session.send(.syncChanges(changes))
        } while !rest.isEmpty
        let room = Limits.changes.bytes - Self.overhead - news.records.reduce(0) { $0 + $1.mostBytes }
        try await send(contents, of: since.folder, answering: question, room: room)
        answered(question, .syncChanges(Message.SyncChanges(question: question, records: [], latest: latest)))
    }

    /// Sends contents as far as there is room. What cannot be read, or was changed meanwhile, is left out: the peer asks for it if need be.
    private func send(
        _ contents: [(digest: ContentDigest, size: Int)], of folder: SyncFolderID, answering question: UInt64,
        room: Int
    ) async throws {
        var room = room
        var part: [[UInt8]] = []
        var bytes = 0
        func sendPart() async {
            guard !part.isEmpty else { return }
            await session.waitUntilRead()
            session.send(
                .syncChanges(Message.SyncChanges(question: question, records: [], latest: nil, contents: part)))
            part = []
            bytes = 0
        }
        for (digest, size) in contents.prefix(Limits.changes.records) {
            let taken = size + Self.contentOverhead
            guard taken <= room else { continue }
            try Task.checkCancellation()
            guard !isOver else { break }
            guard let content = try await smallContent(digest, size, of: folder) else { continue }
            if part.count == Limits.records || bytes + taken > Limits.recordBytes - 64 { await sendPart() }
            part.append(content)
            bytes += taken
            room -= taken
        }
        await sendPart()
    }

    /// - Returns: nil unless it can be had whole, and has the digest still.
    private func smallContent(
        _ digest: ContentDigest, _ size: Int, of folder: SyncFolderID
    ) async throws -> [UInt8]? {
        guard let source = try await host.content(digest, of: folder, for: self) else { return nil }
        var data: [UInt8] = []
        while data.count < size {
            let left = size - data.count
            guard let more = try? await source.read(at: UInt64(data.count), count: left), !more.isEmpty else {
                return nil
            }
            data += more.prefix(left)
        }
        return ContentDigest(ofContent: data) == digest ? data : nil
    }
}

extension Announcement {
    /// Small contents that a member probably does not have, each once, in the order of the changes.
    ///
    /// - Parameter isFirst: the member has heard nothing before. Otherwise only what this device wrote, and did not only move since, is
    ///   news to it for certain enough.
    func smallContents(for member: DeviceID, isFirst: Bool) -> [(digest: ContentDigest, size: Int)] {
        let own = cursor.replica.device
        var digests: Set<ContentDigest> = []
        var contents: [(digest: ContentDigest, size: Int)] = []
        for record in records where !record.isDeleted {
            for version in record.contents where !version.value.isDeleted {
                let (dot, size) = (version.dot, version.value.size)
                guard (1...UInt64(Limits.syncContent)).contains(size), dot.replica.device != member else { continue }
                let wasMoved = record.places.contains {
                    $0.dot.replica == dot.replica && $0.dot.counter > dot.counter
                }
                guard isFirst || dot.replica.device == own && !wasMoved else { continue }
                guard digests.insert(version.value.form.digest).inserted else { continue }
                contents.append((version.value.form.digest, Int(size)))
            }
        }
        return contents
    }
}
