import PortolanProtocol

/// Peer that the user named: judges the key of the device that answers.
struct MeantPeer: Sendable {
    /// Purpose of a session.
    enum Purpose: String {
        case sending = "sent"
        case fetching = "fetched"
        case keepingAlike = "exchanged"
    }

    let peer: Peer
    /// Key of the first session; the rest of the items is sent to no other key.
    let met: RemoteIdentity?
    let known: KnownPeers
    let purpose: Purpose

    /// Checks that the key that answered is the key of the peer that was meant.
    ///
    /// Called before this device reveals its identity, and again for a kept session. May block.
    func judge(_ remote: RemoteIdentity) throws -> PeerAssessment {
        if let met, remote.deviceKey != met.deviceKey {
            throw NodeError(
                .notTrusted,
                "It began with “\(met.name)” and the key \(met.fingerprint), and now \(remote.fingerprint) answers. "
                    + "Nothing more was \(purpose.rawValue).")
        }
        if let advertised = peer.fingerprint, remote.fingerprint != advertised {
            throw NodeError(
                .notTrusted,
                "“\(DisplayText(peer.name))” advertised the key \(advertised), but \(remote.fingerprint) answered. "
                    + "Somebody else is at that address; nothing was \(purpose.rawValue).")
        }
        if peer.saysItsName, !peer.isChosenByKey, !peer.ownNames.contains(remote.name.text) {
            throw NodeError(
                .notTrusted,
                "What was advertised as “\(DisplayText(peer.name))” calls itself “\(remote.name)”; nothing was \(purpose.rawValue)."
            )
        }
        let assessment = try known.assess(name: remote.name, key: remote.deviceKey)
        // A peer that was named by its key is that peer, under any name. Synchronization depends on the key alone.
        if !peer.isChosenByKey, purpose != .keepingAlike, let meant = try ownerOfName(answeredBy: remote, assessment) {
            throw namesakeError(meant, remote, assessment)
        }
        return assessment
    }

    /// Known peer that owns the name; nil if that peer answered. May block.
    private func ownerOfName(answeredBy remote: RemoteIdentity, _ assessment: PeerAssessment) throws -> KnownPeer? {
        var names = [remote.name]
        if peer.foundBy == Peer.byAddress {
            // An address names no peer: any known key may answer there.
            if case .known = assessment.verdict { return nil }
        } else if let name = try? DeviceName(peer.ownName) {
            names.append(name)
        }
        let key = PinnedKey(remote.deviceKey)
        return try known.all().first { pin in pin.key != key && names.contains { pin.goes(by: $0) } }
    }

    private func namesakeError(
        _ meant: KnownPeer, _ remote: RemoteIdentity, _ assessment: PeerAssessment
    ) -> NodeError {
        var named: Fingerprint?
        var other = ""
        if case .known = assessment.verdict {
            other = " That one is known here as “\(assessment.localName)”; name it so."
        } else {
            named = remote.fingerprint
        }
        return NodeError(
            .notTrusted,
            "“\(remote.name)” is known here with another key, so nothing was \(purpose.rawValue). "
                + "Known: \(meant.fingerprint). Now: \(remote.fingerprint).\(other)",
            advice: .tellNamesakesApart(
                .init(
                    known: meant.name, other: named, isByAddress: peer.foundBy == Peer.byAddress,
                    otherName: named == nil ? nil : assessment.localName)))
    }
}
