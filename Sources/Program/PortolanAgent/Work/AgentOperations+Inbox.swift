import Portolan
import PortolanClient
import PortolanFiles
import PortolanSettings
import PortolanTransport

/// The local API's operations on the inbox.
extension AgentOperations {
    func inbox(_ query: AgentAPI.Query) async throws -> AgentAPI.InboxPage {
        let states = Set(query.states.compactMap { InboxState(rawValue: $0) })
        let after = try query.after.map { try number($0) } ?? 0
        let records = try await read { change in
            try change.inbox.list(InboxFilter(states: states, after: after, limit: query.limit + 1))
        }
        let page = try records.prefix(query.limit).map { try AgentAPI.InboxItem($0) }
        return AgentAPI.InboxPage(items: page, next: records.count > query.limit ? page.last?.id : nil)
    }

    func item(_ id: AgentAPI.ID) async throws -> AgentAPI.InboxItem {
        let number = try number(id)
        return try await read { change in
            try AgentAPI.InboxItem(change.inbox.show(number), offer: try change.inbox.offer(of: number))
        }
    }

    func accept(_ id: AgentAPI.ID, _ acceptance: AgentAPI.Acceptance) async throws -> AgentAPI.InboxItem {
        let number = try number(id)
        let record = try await read { try $0.inbox.show(number) }
        if record.state == .quarantined {
            try await release(record, into: acceptance.into)
        } else {
            // The folder is checked now, before the item arrives.
            if let folder = acceptance.into {
                _ = try await withBlockingThread { [home = agent.settings.home] in try home.inbox(folder) }
            }
            try await write { try $0.inbox.accept(number, into: acceptance.into) }
            await agent.dispatcher.knock(at: record.peer)
        }
        return try await item(id)
    }

    func decline(_ id: AgentAPI.ID, _ refusal: AgentAPI.Refusal) async throws -> AgentAPI.InboxItem {
        let number = try number(id)
        let record = try await read { try $0.inbox.show(number) }
        let reason = refusal.detail.map { DisplayText(sentence: $0, limit: 500).text }
        // The file is moved first: if it is missing, the record can still be declined.
        if record.state == .quarantined, let file = record.file {
            try await withBlockingThread { try PlacedItem(file).remove() }
        }
        try await write { try $0.inbox.decline(number, reason: reason, isFinal: true) }
        if record.state == .accepted || record.state == .failed {
            await DeclinedPartials(node: agent.node, database: database).remove(of: record)
        }
        return try await item(id)
    }

    func forget(_ id: AgentAPI.ID) async throws {
        let number = try number(id)
        try await write { try $0.inbox.forget(number) }
    }

    /// - Throws: a problem for an identifier that is not the number of an item.
    func number(_ id: AgentAPI.ID) throws -> Int64 {
        guard let number = id.item else {
            throw AgentAPI.Problem.notFound("There is no item \(id) in the inbox.")
        }
        return number
    }

    // MARK: - The quarantine

    /// Moves an item out of the quarantine.
    ///
    /// - Parameter folder: nil for the folder of the policy.
    private func release(_ record: InboxRecord, into folder: String?) async throws {
        guard let file = record.file else { return }
        let usual = agent.settings.inbox
        let stop = StopRequest()
        let (released, isCopy) = try await withTaskCancellationHandler {
            try await withBlockingThread { [home = agent.settings.home] in
                let inbox = try home.inbox(folder ?? home.place(of: record) ?? usual)
                let (name, isCopy) = try PlacedItem(file).move(to: inbox, until: stop)
                let stored = StoredItemFile(
                    name: name.text, path: inbox.path + "/" + name.text, size: file.size, digest: file.digest)
                return (stored, isCopy)
            }
        } onCancel: {
            stop.request()
        }
        do {
            try await write { try $0.inbox.release(record.id, to: released) }
        } catch {
            // The file is moved back to the place in its record, if possible.
            _ = try? await withBlockingThread {
                guard !isCopy else { return try PlacedItem(released).remove() }
                _ = try PlacedItem(released).move(to: Inbox(path: file.folder, createIfMissing: false))
            }
            throw error
        }
        // A file that stays there has no record any more, and does no harm.
        if isCopy { try? await withBlockingThread { try PlacedItem(file).remove() } }
    }
}

extension HomeDirectory {
    /// Opens a folder to receive into, and makes it if it is missing. Blocks.
    ///
    /// - Throws: `FileError`
    fileprivate func inbox(_ path: String) throws -> Inbox {
        try Inbox(path: path, createIfMissing: true, besides: ownFilesForReceiving)
    }

    /// Folder of an accepted item, which another item may have the name of by now; nil for the inbox folder. Blocks.
    ///
    /// - Throws: `FileError`
    fileprivate func place(of record: InboxRecord) throws -> String? {
        guard let folder = record.folder, !record.owners.isEmpty else { return record.folder }
        return try ReceivingPlace.path(
            folder, owners: record.owners, besides: ownFilesForReceiving, isQuarantine: false)
    }
}

extension StoredItemFile {
    /// Path of the folder of the file.
    fileprivate var folder: String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}

extension PlacedItem {
    /// - Throws: `FileError`
    fileprivate init(_ file: StoredItemFile) throws {
        do {
            self = try PlacedItem(FileName(file.name), in: file.folder)
        } catch let refusal as NameRefusal {
            throw FileError(refusal, name: Array(file.name.utf8))
        }
    }
}
