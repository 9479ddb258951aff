import PortolanProtocol

/// Device at the other end of a session, with its key proved by the handshake.
public struct RemotePeer: Sendable, Hashable {
    /// Identifier of the session; each session has its own.
    public let session: RandomID
    /// The peer's own name. Show it through `DisplayText`.
    public let name: String
    public let fingerprint: Fingerprint
    /// The key that it proved; nil only for a peer that no session is with.
    package let deviceKey: DevicePublicKey?
    /// The address it is connected from.
    public let address: String
    /// True if this key was met before.
    public let isKnown: Bool
    /// Name on this device; for an unknown peer, the name under which it would be stored. Show it through
    /// `DisplayText`.
    public let localName: String
    /// Key that owns the peer's name here, if the peer has another, new key: a different device of the same name, a
    /// reinstalled one, or an impostor. Only a person can tell. After an exchange, the peer is stored as ``localName``.
    public let namesakeOf: Fingerprint?
    /// The rights of its key when the session began.
    public let standing: Standing

    /// - Parameter localName: nil if it is the same as `name`.
    init(
        session: RandomID = .random(), name: String, fingerprint: Fingerprint, address: String, isKnown: Bool,
        localName: String? = nil,
        namesakeOf: Fingerprint? = nil, standing: Standing, deviceKey: DevicePublicKey? = nil
    ) {
        self.session = session
        self.name = name
        self.fingerprint = fingerprint
        self.deviceKey = deviceKey
        self.address = address
        self.isKnown = isKnown
        self.localName = localName ?? name
        self.namesakeOf = namesakeOf
        self.standing = standing
    }
}

extension RemotePeer {
    /// ``namesakeOf`` if only a person can decide: an admin has taken a member of a team in by its key.
    package var doubtfulNamesakeOf: Fingerprint? { standing.memberships.isEmpty ? namesakeOf : nil }

    init(
        _ identity: RemoteIdentity, at address: String, in session: RandomID, _ assessment: PeerAssessment,
        _ standing: Standing
    ) {
        var isKnown = false
        var namesakeOf: Fingerprint?
        switch assessment.verdict {
        case .new: break
        case .known: isKnown = true
        case .namesake(let owner): namesakeOf = owner
        }
        self.init(
            session: session, name: identity.name.text, fingerprint: identity.fingerprint, address: address,
            isKnown: isKnown,
            localName: assessment.localName.text, namesakeOf: namesakeOf, standing: standing,
            deviceKey: identity.deviceKey)
    }
}
