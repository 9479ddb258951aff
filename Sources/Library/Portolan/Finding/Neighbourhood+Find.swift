import PortolanConcurrency
import PortolanDiscovery
import PortolanTransport

extension Neighbourhood {
    /// Wait for a second peer of the same name after the first was found. Hosts answer a query within 120 ms, and on
    /// another link the query may be sent 100 ms later (RFC 6762 §6 and §5.2). The remainder allows for busy machines.
    private static let rivalWait = Duration.milliseconds(300)
    /// Wait for the answers of all that are there. A record that was multicast within a second before the query is not
    /// multicast again (RFC 6762 §6), and the second query follows after a second (§5.2).
    static let answerWait = Duration.milliseconds(1500)

    /// Returns the one peer that `target` means; `text` is the target as the user wrote it.
    ///
    /// - Parameter withEveryInstance: true if other processes of the peer are waited for, as long as they may take.
    /// - Throws: `NodeError`, `StoreError`, `CancellationError`
    func find(_ target: Target, named text: String, withEveryInstance: Bool = false) async throws -> Peer {
        switch target {
        case .address(let fixed): try await peer(at: fixed, named: text)
        case .found(let wanted): try await look(for: wanted, withEveryInstance: withEveryInstance)
        }
    }

    private func peer(at fixed: FixedAddress, named text: String) async throws -> Peer {
        do {
            return Peer(
                name: text, fingerprint: nil, addresses: try await fixed.addresses(),
                foundBy: Peer.byAddress)
        } catch let error as FixedAddressError {
            throw NodeError(.unreachable, "\(error)", fault: error.fault(text))
        }
    }

    private enum News: Sendable {
        case snapshot(PeerSnapshot)
        case rivalsHadTheirChance
        case timeIsUp
    }

    private func look(for wanted: String, withEveryInstance: Bool) async throws -> Peer {
        // If the name belongs to a key, a faster peer of the same name must not be taken for its owner.
        let owner = try await owner(of: wanted)
        let others = try await othersMeant(by: wanted)
        let host = others.host
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            let (news, feed) = AsyncStream.makeStream(of: News.self)
            tasks.addTask {
                for await snapshot in snapshots(wanted: wanted) { feed.yield(.snapshot(snapshot)) }
            }
            tasks.addTask {
                try await runtime.sleep(for: configuration.findWait)
                feed.yield(.timeIsUp)
            }
            var latest = PeerSnapshot(peers: [], isSettled: false, note: nil)
            var isWaiting = false
            for await item in news {
                switch item {
                case .snapshot(let snapshot):
                    latest = snapshot
                    let found = Target.matches(wanted, in: snapshot.peers)
                    let isCertain = found.contains { $0.isCertain(owner: owner) }
                    // By now, one of that very name would have answered.
                    let ofHost = found.isEmpty && snapshot.isSettled ? host?.matches(in: snapshot.peers).only : nil
                    if !withEveryInstance {
                        // The answer of a recently announced owner may be late: a record that was just multicast is not
                        // multicast again for a second.
                        if isCertain || !found.isEmpty && owner == nil && snapshot.isSettled {
                            return try Self.only(found, wanted, owner, others, latest)
                        }
                        if let ofHost { return ofHost }
                    }
                    if snapshot.isSettled, snapshot.peers.isEmpty, let note = snapshot.note {
                        throw NodeError(
                            .unreachable, "“\(DisplayText(wanted))” cannot be looked for: \(note)",
                            fault: .init(presence.isOff ? .discoveryOff : .discoveryFailed, peer: wanted))
                    }
                    if isCertain || !found.isEmpty && owner == nil || ofHost != nil, !isWaiting {
                        isWaiting = true
                        tasks.addTask {
                            try await runtime.sleep(for: withEveryInstance ? Self.answerWait : Self.rivalWait)
                            feed.yield(.rivalsHadTheirChance)
                        }
                    }
                case .rivalsHadTheirChance:
                    let found = Target.matches(wanted, in: latest.peers)
                    if found.isEmpty, let peer = host?.matches(in: latest.peers).only { return peer }
                    return try Self.only(found, wanted, owner, others, latest)
                case .timeIsUp:
                    let found = Target.matches(wanted, in: latest.peers)
                    guard found.isEmpty else { return try Self.only(found, wanted, owner, others, latest) }
                    let ofHost = host?.matches(in: latest.peers) ?? []
                    if let peer = ofHost.only { return peer }
                    throw absence(of: wanted, among: latest, ofHost: ofHost, others)
                }
            }
            throw CancellationError()
        }
    }

    /// The key that a name belongs to here; nil for none.
    private func owner(of wanted: String) async throws -> Fingerprint? {
        guard let name = try? DeviceName(wanted) else { return nil }
        return try await withLookupThread { try store.peers.all().first { $0.goes(by: name) }?.fingerprint }
    }

    /// The key that a target means by what is known here, in sight or not; nil where only a search can tell.
    ///
    /// - Throws: `StoreError`
    func key(meantBy wanted: String) async throws -> Fingerprint? {
        if let whole = Fingerprint(parsing: wanted) { return whole }
        if let owner = try await owner(of: wanted) { return owner }
        return try await othersMeant(by: wanted).host?.key
    }

    /// Devices that a name can mean, besides those that announce it.
    private struct OthersMeant: Sendable {
        /// Nil if the name belongs to a known device.
        let host: HostTarget?
        let members: TrustedDevices
        /// Names of all devices that are known here.
        let known: [String]

        func allow(_ peer: Peer) -> Bool { host?.contacts.admits(peer) ?? true && members.admits(peer) }

        func rivals(of found: [Peer], in peers: [Peer]) -> [Peer] {
            let ofHost = host?.contacts.rivals(of: found, in: peers) ?? []
            return ofHost + members.rivals(of: found + ofHost, in: peers)
        }
    }

    private func othersMeant(by wanted: String) async throws -> OthersMeant {
        try await withLookupThread {
            let pins = try store.peers.all()
            var trusted = Set(pins.filter(\.isContact).map(\.fingerprint))
            var known = pins.flatMap { peer in
                [(name: peer.name, key: peer.fingerprint), (name: peer.announcedName, key: peer.fingerprint)]
            }
            let members = try store.teams.all().filter { !$0.isRemoved }.flatMap(\.team.members)
                .map { (name: $0.name, key: $0.key.fingerprint) }
            known += members
            trusted.formUnion(members.map(\.key))
            // This device is a member of its teams, but never the peer to find.
            trusted.remove(own)
            // A member that is stored under the name owns it; a member that is stored under another name may still be
            // meant.
            let name = try? DeviceName(wanted)
            let owning = name.map { name in pins.filter { $0.goes(by: name) } } ?? []
            let owners = Set(owning.map(\.fingerprint)).union([own])
            return OthersMeant(
                host: HostTarget(wanted, known: known, trusted: trusted),
                members: TrustedDevices(
                    called: wanted, among: members.filter { !owners.contains($0.key) }, trusted: trusted),
                known: known.filter { $0.key != own }.map(\.name.text))
        }
    }

    /// - Parameters:
    ///   - owner: fingerprint of the owner of the name.
    ///   - others: trusted devices that may be meant as well.
    private static func only(
        _ found: [Peer], _ wanted: String, _ owner: Fingerprint?, _ others: OthersMeant, _ latest: PeerSnapshot
    ) throws(NodeError) -> Peer {
        let one = found.first { $0.isCertain(owner: owner) } ?? found.only
        if let one, others.allow(one) { return one }
        guard !found.isEmpty else {
            throw NodeError(.unreachable, "“\(DisplayText(wanted))” went away while it was being looked for.")
        }
        let meant = found + others.rivals(of: found, in: latest.peers)
        let list = meant.map(\.candidateLine).joined(separator: "\n")
        throw NodeError(
            .unreachable,
            "“\(DisplayText(wanted))” could be any of \(meant.count) peers; name one by its fingerprint:\n\(list)",
            candidates: meant, fault: .init(.nameAmbiguous, peer: wanted))
    }

    /// Number of peers that an error names if no peer has the name.
    private static let listedPeers = 10

    /// - Parameters:
    ///   - ofHost: several devices whose host has the name.
    ///   - others: devices that are known here; the only contact whose host has the name is named.
    private func absence(
        of wanted: String, among latest: PeerSnapshot, ofHost: [Peer], _ others: OthersMeant
    ) -> NodeError {
        let seconds = configuration.findWait.components.seconds
        var sentence = "No peer called “\(DisplayText(wanted))” answered within \(seconds) s."
        var advice: Advice?
        var code = NodeError.Fault.Code.nobodyAnswered
        if let note = latest.note {
            sentence += " \(note)"
            code = .discoveryFailed
        }
        let near = ofHost.isEmpty ? Target.near(wanted, in: latest.peers) : ofHost
        if near.isEmpty, others.host?.contact == nil,
            let known = NearText.nearest(to: wanted, among: others.known).first,
            (try? DeviceName(known))?.comparisonKey != (try? DeviceName(wanted))?.comparisonKey
        {
            sentence += " Did you mean “\(DisplayText(known, limit: 63))”, which is known here and not in sight?"
        }
        let offLink = latest.directory?.offLinkAddresses { name, fingerprint in
            Target.matches(
                wanted, in: [Peer(name: name, fingerprint: fingerprint, addresses: [], foundBy: "")]
            ).count == 1
        }
        if let offLink, !offLink.isEmpty {
            sentence += " \(DiscoveryRemark.offLink(offLink))"
            code = .noAddress
        } else if let crowd = latest.directory?.crowd {
            sentence += " \(DiscoveryRemark.crowd(crowd))"
            code = .discoveryFailed
        } else if !latest.isSettled, latest.note == nil, latest.peers.isEmpty {
            sentence +=
                " The network was not heard out in that time: the mDNS daemon is busy, or the network is flooded. Try "
                + "again, or name the peer as host:port."
            code = .discoveryFailed
        } else if latest.peers.isEmpty, configuration.interfaces == nil, LinkAddresses.areOwnAlone {
            sentence += " No interface of this machine is up with an address."
            code = .noInterface
        } else if latest.peers.isEmpty {
            sentence += " Nobody else did either: does it receive there, and is it on the same network?"
            advice = .startReceiver
        } else {
            code = .nameUnknown
            if ofHost.isEmpty, let contact = others.host?.contact {
                sentence += " “\(contact)”, whom you know there, is not in sight."
            }
            if !near.isEmpty {
                let names = near.prefix(3).map { "“\(DisplayText($0.name, limit: 63))”" }
                sentence += " Did you mean \(names.joined(separator: " or "))?"
            }
            let listed = near + latest.peers.filter { peer in !near.contains { $0.id == peer.id } }
            let more = listed.count - Self.listedPeers
            sentence += " These are there:\n"
            sentence += listed.prefix(Self.listedPeers).map(\.candidateLine).joined(separator: "\n")
            if more > 0 { sentence += "\n  and \(more) more" }
        }
        return NodeError(.unreachable, sentence, candidates: ofHost, advice: advice, fault: .init(code, peer: wanted))
    }
}

extension Peer {
    /// True if no other peer can be meant: the peer has a known key and was named by its name here, by its fingerprint,
    /// or by the announced name that belongs to it.
    ///
    /// - Parameter owner: fingerprint of the owner of the name.
    fileprivate func isCertain(owner: Fingerprint?) -> Bool {
        isChosenByKey && localName != nil || owner != nil && fingerprint == owner
    }

    fileprivate var candidateLine: String {
        let place = addresses.first.map { " at \($0)" } ?? ""
        let known = localName.flatMap { $0 == ownName ? nil : ", known here as “\(DisplayText($0, limit: 63))”" } ?? ""
        return
            "  \(fingerprint?.description ?? "(no fingerprint advertised)")  “\(DisplayText(name, limit: 63))”\(known)\(place)"
    }
}

extension FixedAddressError {
    /// - Parameter text: the address as it was given.
    func fault(_ text: String) -> NodeError.Fault? {
        switch self {
        case .unknownHost: .init(.hostUnknown, peer: text)
        case .noSuchInterface: .init(.noInterface, peer: text)
        default: nil
        }
    }
}

extension Array {
    /// The element of an array that has one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
