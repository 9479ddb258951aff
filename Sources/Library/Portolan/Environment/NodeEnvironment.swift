import PortolanConverters
import PortolanDiscovery
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Values that all parts of a node share: configuration, identity, knowledge of others, and the ways to find and reach
/// them.
final class NodeEnvironment: Sendable {
    /// Knowledge of peers, contacts and teams; its calls may block.
    let store: PeerStore
    let attempts: PairingAttempts
    let local: LocalIdentity
    let presence: Presence
    let timing: SessionDeadlines
    let runtime: Runtime
    /// Files of this device's program, which are sent to nobody.
    let own: OwnFiles
    /// Rung after changes of the configuration.
    let bells = ChangeNotifier()
    private let forms: ConverterFormMaker
    private let current: Mutex<NodeConfiguration>

    /// - Parameters:
    ///   - converters: gives the converters of this machine.
    ///   - discovery: starts discovery in place of the configured one.
    init(
        _ configuration: NodeConfiguration, _ identity: DeviceIdentity,
        converters: @escaping @Sendable () -> [Converter],
        discovery: (@Sendable () async throws -> any PortolanDiscovery.Discovery)?
    ) {
        current = Mutex(configuration)
        timing = configuration.timing
        runtime = configuration.runtime
        own = configuration.home.ownFiles
        store = PeerStore(home: configuration.home, own: identity.publicKey)
        attempts = PairingAttempts(home: configuration.home)
        local = LocalIdentity(identity)
        presence = discovery.map { Presence(start: $0) } ?? Presence(configuration)
        forms = ConverterFormMaker(cacheFolder: configuration.home.cache + "/converted", converters)
    }

    /// Present configuration of the node.
    var configuration: NodeConfiguration { current.withLock(\.self) }
    /// Name and key of this device, as others see them.
    var identity: DeviceIdentity { local.device }

    /// Changes the settings of the running node. Only name, discoverability and port can change; nil leaves a value as
    /// it is.
    func reconfigure(name: DeviceName?, discoverability: NodeConfiguration.Discoverability?, port: UInt16?) {
        current.withLock { configuration in
            configuration.name = name ?? configuration.name
            configuration.discoverability = discoverability ?? configuration.discoverability
            configuration.port = port ?? configuration.port
        }
        if let name { local.rename(to: name) }
        bells.ring()
    }

    /// Makes forms by the converters of this machine; nil where the configuration turns converters off. May block.
    func formMaker() -> FormMaker? { configuration.converters ? forms.maker() : nil }

    var neighbourhood: Neighbourhood {
        Neighbourhood(
            configuration: configuration, presence: presence, own: identity.fingerprint, store: store)
    }

    /// - Parameter warn: called with a sentence for each received roster that is not used.
    func ledger(warn: @escaping @Sendable (String) -> Void = { _ in }) -> NodeLedger {
        NodeLedger(store: store, identity: identity, runtime: runtime, warn: warn)
    }

    /// Stores the peer after an exchange: from now on, its name belongs to its key. If the name belongs to another key,
    /// the peer is stored under the same name with a number.
    ///
    /// A failure to write is ignored: the exchange is complete, and the next session writes again. May block.
    func remember(_ peer: RemoteIdentity) {
        _ = try? store.peers.remember(name: peer.name, key: peer.deviceKey, now: runtime.date)
    }

    /// Peer of a session, with the currently stored facts about it. May block.
    ///
    /// - Parameter standing: its rights, if the caller has just looked them up.
    func remotePeer(of session: Session, _ standing: Standing? = nil) throws -> RemotePeer {
        let peer = session.peer
        return RemotePeer(
            peer, at: session.address, in: RandomID(session.id),
            try store.peers.assess(name: peer.name, key: peer.deviceKey),
            try standing ?? store.standing(of: peer.deviceKey, now: runtime.date))
    }
}
