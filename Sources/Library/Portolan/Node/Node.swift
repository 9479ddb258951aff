import PortolanConcurrency
import PortolanConverters
import PortolanDiscovery
import PortolanTransport
import Synchronization

/// This device as a peer: shares, sends, receives, and finds other peers.
///
/// ```swift
/// let node = try await Node(Node.Configuration())
///
/// let peer = try await node.find("workstation")
/// let delivery = try await node.send(Recipe.pancakes, to: peer)      // any Transferable value
///
/// for try await recipe in node.receive(Recipe.self) {                // on the other machine
///     print(recipe.value.title, "from", recipe.peer.localName)
/// }
/// ```
///
/// A node does nothing on the network until it is asked to. It may be used from any task.
public final class Node: Sendable {
    let environment: NodeEnvironment
    let service: PeerServer
    /// Sessions that are kept after the operation that opened them.
    let sessions: NodeSessions
    /// Of everything that peers connect to in this process.
    let listener: NodeListener
    /// Items that this node shares until they are withdrawn.
    let shelf = Shelf()
    let arrivals: Arrivals
    /// Folders that were received or fetched into last: a program that fetches items one after another opens them once.
    let lastFolders = Mutex<InboxFolders?>(nil)

    public var configuration: Configuration { environment.configuration }
    /// Name and key of this device, as others see them.
    public var identity: DeviceIdentity { environment.identity }

    /// Knowledge of peers, contacts and teams; its calls may block.
    var store: PeerStore { environment.store }
    var runtime: Runtime { environment.runtime }

    /// Loads this device's identity, or makes it on the first start.
    ///
    /// Reads two small files, and writes them on the first start; everything else is read when it is needed, and not
    /// here.
    /// - Throws: `StoreError` when the home cannot be used.
    public convenience init(_ configuration: Configuration) async throws(StoreError) {
        let identity = try await withLookupThread { () throws(StoreError) in
            try DeviceIdentity(loadedBy: configuration)
        }
        self.init(configuration, identity)
    }

    /// A node that only searches and writes nothing. If its home has no key yet, it has a key that is not stored, and
    /// must open no session.
    ///
    /// - Throws: `StoreError` when the home cannot be used.
    package static func onlooker(_ configuration: Configuration) async throws(StoreError) -> Node {
        Node(
            configuration,
            try await withLookupThread { () throws(StoreError) in
                var identity = try DeviceIdentity.loadOrInvent(in: configuration.home, defaultName: .ofThisAccount)
                if let name = configuration.name { identity.name = name }
                return identity
            })
    }

    /// Loads or makes the identity on the calling thread; for tests.
    ///
    /// - Parameters:
    ///   - converters: gives the converters in place of those that this machine declares.
    ///   - discovery: starts discovery in place of the configured one.
    package convenience init(
        blocking configuration: Configuration,
        converters: @escaping @Sendable () -> [Converter] = { ConverterDeclarations.onThisMachine },
        discovery: (@Sendable () async throws -> any PortolanDiscovery.Discovery)? = nil
    ) throws(StoreError) {
        self.init(
            configuration, try DeviceIdentity(loadedBy: configuration), converters: converters, discovery: discovery)
    }

    private init(
        _ configuration: Configuration, _ identity: DeviceIdentity,
        converters: @escaping @Sendable () -> [Converter] = { ConverterDeclarations.onThisMachine },
        discovery: (@Sendable () async throws -> any PortolanDiscovery.Discovery)? = nil
    ) {
        let environment = NodeEnvironment(configuration, identity, converters: converters, discovery: discovery)
        let duties = NodeDuties(keepsSessions: configuration.keepsSessions)
        self.environment = environment
        arrivals = Arrivals(on: configuration.runtime)
        listener = NodeListener(in: environment)
        sessions = NodeSessions(in: environment, doing: duties) { [shelf] session, isOpenedHere in
            PeerVisit(session, in: environment, doing: duties, shelf: shelf, isOpenedHere: isOpenedHere)
        }
        service = PeerServer(in: environment, doing: duties, sessions: sessions, listener: listener)
    }

    // MARK: Looking around

    /// Returns the peers in sight, at each change, until the sequence is dropped.
    public func peers() -> AsyncStream<PeerSnapshot> {
        environment.neighbourhood.snapshots()
    }

    /// Finds the one peer with a name, the beginning of a fingerprint (8 characters or more), or `host:port`.
    ///
    /// - Parameter withEveryInstance: true to wait a moment for other processes of the peer, so that ``items(of:)`` and
    ///   `fetch` know what all of them share.
    /// - Throws: `NodeError` when there is none in `Configuration.findWait`, or more than one.
    public func find(_ target: String, withEveryInstance: Bool = false) async throws -> Peer {
        try await environment.neighbourhood.find(
            Target(target), named: target, withEveryInstance: withEveryInstance)
    }

    /// Peers in sight that a target means: members of a team, several where a name is ambiguous, none for an address.
    package static func peers(meantBy target: String, among peers: [Peer]) -> [Peer] {
        if TeamTarget.names(target) {
            guard let team = try? TeamTarget.parse(target) else { return [] }
            return peers.filter { team.isMeant(by: $0.standing) }
        }
        guard case .found(let text) = Target(target) else { return [] }
        return Target.meant(by: text, in: peers)
    }

    /// Names most similar to a target that no peer has, for a suggestion; hosts count as names.
    package static func names(near target: String, among peers: [Peer]) -> [String] {
        var names: [String] = []
        for peer in Target.near(target, in: peers) {
            let name = peer.localName ?? peer.ownName
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// True if a target is a place to connect to, rather than a name to search for.
    package static func isAddress(_ target: String) -> Bool {
        if case .address = Target(target) { true } else { false }
    }

    /// Ends kept sessions (`Configuration.idleTime`), and aborts their operations. New sessions may be opened later.
    public func close() async { await sessions.close() }

    /// Forgets the key that belongs to a name, so that the next device of that name is new.
    ///
    /// - Returns: true if there was one.
    /// - Throws: `StoreError`
    public func forget(_ name: DeviceName) async throws -> Bool {
        try await withLookupThread { try store.peers.forget(name) != nil }
    }
}

extension DeviceIdentity {
    /// The identity of a home, by the name that a configuration gives it if it does. May block.
    fileprivate init(loadedBy configuration: NodeConfiguration) throws(StoreError) {
        self = try Self.loadOrCreate(in: configuration.home, defaultName: .ofThisAccount)
        if let name = configuration.name { self.name = name }
    }
}

extension Node {
    public typealias Configuration = NodeConfiguration
    public typealias SendOptions = Portolan.SendOptions
    public typealias ReceiveOptions = Portolan.ReceiveOptions
}
