import Portolan
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// For whom folders are: statements of this device and of peers (SYNC.md 8), and folders to be joined.
extension SyncCoordinator {
    /// Time in which all devices in sight should have told their folders.
    private static let joinTime = Duration.seconds(10)

    /// Signs for the folders that this device has made, and takes what peers have sent of others.
    ///
    /// - Returns: true if the list has changed.
    func takeStatements(_ entries: [SyncFolderEntry]) async throws -> Bool {
        var news: [String: (before: SyncFolderEntry, after: SyncFolderEntry)] = [:]
        for before in entries where before.id != nil {
            var entry = before
            // A folder that is for too many waits until a person signs it for fewer.
            try? entry.signFirst(by: node.identity.key)
            for role in roles {
                guard let id = entry.id else { continue }
                for one in role.statements.all[id] ?? [] { try await take(one, by: role, in: &entry) }
            }
            if entry != before { news[entry.local] = (before, entry) }
        }
        guard !news.isEmpty else { return false }
        let changed = news
        try await withLookupThread {
            try self.list.change { entries in
                for place in entries.indices {
                    guard let (before, after) = changed[entries[place].local],
                        entries[place].statements == before.statements
                    else { continue }
                    (entries[place].statements, entries[place].audiences) = (after.statements, after.audiences)
                }
            }
        }
        sight.look()
        return true
    }

    private func take(
        _ new: SignedFolderStatement.Verified, by role: SyncRole, in entry: inout SyncFolderEntry
    ) async throws {
        guard !(entry.statements ?? []).contains(new.signed) else { return }
        let (signer, teller) = (try await standing(ofSigner: new), try await node.standing(of: role.peer))
        if let audience = entry.audience {
            // A maker that was put out of the team says nothing more, unless a member passes it on.
            guard audience.includes(teller, is: role.isPeer) else { return }
            entry.audience = audience.taking(new, signer: signer) ?? audience
        } else if entry.mayMeet(teller, is: role.isPeer) {
            entry.audience = FolderAudience(first: new, signer: signer, teller: PinnedKey(role.peer))
        }
    }

    /// Standing of the signer of a statement, where its right depends on that.
    private func standing(ofSigner one: SignedFolderStatement.Verified) async throws -> Standing {
        guard !one.isSignedByKey, let key = try? DevicePublicKey(bytes: one.statement.signer.bytes) else {
            return .anyone
        }
        return try await node.standing(of: key)
    }

    /// For whom a folder of a peer is; nil without the word of somebody entitled, and for one that is not for the peer.
    func audience(
        of id: SyncFolderID, _ statements: PeerStatements, toldBy role: SyncRole, of standing: Standing
    ) async throws -> FolderAudience? {
        let audience = try await statements.audience(
            of: id, toldBy: PinnedKey(role.peer), standing(ofSigner:))
        return audience.flatMap { $0.includes(standing, is: role.isPeer) ? $0 : nil }
    }

    /// Returns the obstacle to a folder that is for this device no more, a sentence that is safe to print.
    func exclusion(from entry: SyncFolderEntry) async throws -> String? {
        let own = node.identity.publicKey
        guard let audience = entry.audience,
            try await !audience.includes(own: PinnedKey(own), node.standing(of: own))
        else { return nil }
        return "It is for \(audience.words.joined(separator: ", ")), and this device is not among those any more: "
            + "nothing is told or taken."
    }

    // MARK: Folders to be joined

    /// Gives folders to be joined the identifiers that members announce.
    ///
    /// - Returns: true if the list has changed.
    func join(_ entries: [SyncFolderEntry], _ told: Told) async throws -> Bool {
        var found: [String: (id: SyncFolderID, audience: FolderAudience)] = [:]
        // A name that two folders had stays a person's to decide, also when one of them is out of sight.
        var unclear = state.withLock(\.unclear)
        var known = Set(entries.compactMap(\.id))
        for entry in entries where entry.id == nil && !entry.isPaused && unclear[entry.local] == nil {
            var candidates: [SyncFolderID: FolderAudience] = [:]
            for (role, folders) in told {
                for folder in (folders ?? [:]).values where !known.contains(folder.id) && entry.wants(folder) {
                    let standing = try await node.standing(of: role.peer)
                    guard
                        let audience = try await audience(of: folder.id, role.statements, toldBy: role, of: standing),
                        entry.wants(audience, of: standing, is: role.isPeer)
                    else { continue }
                    candidates[folder.id] = audience
                    role.keepOpen()
                }
            }
            guard let one = candidates.first, !awaitsOthers(entry, told) else { continue }
            if candidates.count == 1 {
                found[entry.local] = (one.key, one.value)
                known.insert(one.key)
            } else {
                var makers: [String] = []
                for audience in candidates.values {
                    let name = await node.shownName(of: audience.maker)
                    makers.append(
                        "\(name), \(audience.maker.fingerprint), for \(audience.words.joined(separator: ", "))")
                }
                unclear[entry.local] =
                    "Several folders have that name; join the right one with --maker: "
                    + "\(makers.sorted().joined(separator: "; "))."
            }
        }
        let reasons = unclear
        state.withLock { $0.unclear = reasons }
        guard !found.isEmpty else { return false }
        let joined = found
        try await withLookupThread {
            try self.list.change { entries in
                for place in entries.indices where entries[place].id == nil {
                    guard let (id, audience) = joined[entries[place].local] else { continue }
                    entries[place].id = id
                    entries[place].audience = audience
                    entries[place].audiences = entries[place].limits ?? []
                }
            }
        }
        for entry in entries {
            guard let audience = found[entry.local]?.audience else { continue }
            let name = await node.shownName(of: audience.maker)
            events(
                .joined(
                    folder: DisplayText(entry.name, limit: 100), maker: DisplayText(name, limit: 100),
                    with: DisplayText(audience.words.joined(separator: ", "), limit: 500)))
        }
        return true
    }

    /// True while a device that may have another folder of the name has not told its folders.
    private func awaitsOthers(_ entry: SyncFolderEntry, _ told: Told) -> Bool {
        guard entry.wantedID == nil, entry.wantedMaker == nil else { return false }
        let heard = Set(told.filter { $0.folders != nil }.map(\.role.peer.fingerprint))
        let isInSight = sight.peers.contains { peer in
            entry.mayMeet(peer) && peer.fingerprint.map { !heard.contains($0) } ?? false
        }
        let now = node.configuration.runtime.now
        let (isAwaited, since, isNew) = state.withLock { state in
            let known = state.found[entry.local]
            state.found[entry.local] = known ?? now
            return (state.awaited > 0, known ?? now, known == nil)
        }
        // A peer in sight may never connect.
        if isNew, isInSight { _ = call(at: now + Self.joinTime) }
        // A peer that has just told them is read in the next look.
        return isAwaited || roles.contains { $0.told != nil && !heard.contains($0.peer.fingerprint) }
            || isInSight && now < since + Self.joinTime
    }
}

extension SyncFolderEntry {
    /// True for a folder by the name or identifier of the one to be joined.
    fileprivate func wants(_ folder: Message.SyncFolders.Folder) -> Bool {
        wantedID.map { $0 == Hexadecimal.text(folder.id.bytes) } ?? (folder.name == wanted)
    }

    /// True for a folder from one of the sources: told by such a device, or meant for that team or group.
    fileprivate func wants(_ audience: FolderAudience, of standing: Standing, is: (PinnedKey) -> Bool) -> Bool {
        if let wantedMaker, !audience.maker.fingerprint.hasPrefix(wantedMaker) { return false }
        return audiences.contains { $0.includes(standing, is: `is`) || $0.isMeant(by: audience) }
    }
}

extension Node {
    /// Name of a device: that of a contact or member, else its fingerprint.
    package func shownName(of key: PinnedKey) async -> String {
        if key.matches(identity.publicKey) { return identity.name.text }
        return await (try? knownName(of: key)) ?? "\(key.fingerprint)"
    }
}
