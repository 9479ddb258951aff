import PortolanConverters
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import PortolanTrust

/// What all parts of a node share: how it is set up, who it is, what it knows of others, and how it finds and reaches them.
final class NodeEnvironment: Sendable {
    let configuration: NodeConfiguration
    let identity: DeviceIdentity
    /// Knowledge of peers, contacts and teams; its calls may block.
    let store: PeerStore
    let attempts: PairingAttempts
    let local: LocalIdentity
    let presence: Presence
    private let forms: FormMaking

    /// - Parameters:
    ///   - converters: gives the converters of this machine.
    ///   - discovery: starts discovery in place of the configured one.
    init(
        _ configuration: NodeConfiguration, _ identity: DeviceIdentity,
        converters: @escaping @Sendable () -> [Converter],
        discovery: (@Sendable () async throws -> any PortolanDiscovery.Discovery)?
    ) {
        self.configuration = configuration
        self.identity = identity
        store = PeerStore(home: configuration.home, own: identity.publicKey)
        attempts = PairingAttempts(home: configuration.home)
        local = LocalIdentity(identity)
        presence = discovery.map { Presence(start: $0) } ?? Presence(configuration)
        forms = FormMaking(cacheFolder: configuration.home.cache + "/converted", converters)
    }

    var timing: SessionTiming { configuration.timing }
    var runtime: Runtime { configuration.runtime }

    /// Makes forms by the converters of this machine; nil where the configuration turns converters off. May block.
    func formMaker() -> FormMaker? { configuration.converters ? forms.maker() : nil }

    var neighbourhood: Neighbourhood {
        Neighbourhood(
            configuration: configuration, presence: presence, own: identity.fingerprint, store: store)
    }

    /// - Parameter warn: told of rosters that came and are not used.
    func ledger(warn: @escaping @Sendable (String) -> Void = { _ in }) -> NodeLedger {
        NodeLedger(store: store, identity: identity, runtime: runtime, warn: warn)
    }

    /// Something was exchanged with this peer: its name belongs to its key from now on, or if it is another's, the same with a
    /// number.
    ///
    /// What was exchanged is not undone because this could not be written down; the next session asks again. May block.
    func remember(_ peer: RemoteIdentity) {
        _ = try? store.peers.remember(name: peer.name, key: peer.deviceKey, now: runtime.date)
    }

    /// The peer of a session, by what is known at this moment. May block.
    func remotePeer(of session: Session) throws -> RemotePeer {
        let peer = session.peer
        return RemotePeer(
            peer, at: session.address, in: RandomID(session.id),
            try store.peers.assess(name: peer.name, key: peer.deviceKey),
            try store.standing(of: peer.deviceKey, now: runtime.date))
    }
}
