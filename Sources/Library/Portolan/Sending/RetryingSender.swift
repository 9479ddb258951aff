import PortolanCompression
import PortolanConcurrency
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Sends items to one peer, over as many sessions as necessary.
struct RetryingSender {
    private let environment: NodeEnvironment
    private let sessions: NodeSessions
    private let offering: NodeOfferSource
    private let options: SendOptions
    private let events: @Sendable (SendEvent) -> Void
    private var peer: Peer
    private var schedule: RetrySchedule
    /// Key of the first session; the rest is sent to no other key.
    private var met: RemoteIdentity?
    /// Connections that ended in the handshake before a key was met.
    private var cutHandshakes = 0
    /// A device that ends more handshakes than this refuses them; a device that is restarting accepts no connection
    /// meanwhile.
    private static let mostCutHandshakes = 2

    init(
        _ offering: NodeOfferSource, to peer: Peer, in environment: NodeEnvironment, over sessions: NodeSessions,
        options: SendOptions, events: @escaping @Sendable (SendEvent) -> Void
    ) {
        self.offering = offering
        self.environment = environment
        self.sessions = sessions
        self.peer = peer
        self.options = options
        self.events = events
        schedule = RetrySchedule(patience: options.retry)
    }

    /// - Throws: `NodeError` or why the last session broke, `CancellationError`.
    mutating func run() async throws -> [Delivery] {
        while true {
            do {
                try await runOnce()
                return offering.conclude()
            } catch {
                try Task.checkCancellation()
                // The receipts before the Close told more about what failed there.
                if case TransportError.closedByPeer(let close) = error, close.code == .internal, offering.isSettled {
                    return offering.conclude()
                }
                if met == nil, (error as? HandshakeError)?.kind == .cut { cutHandshakes += 1 }
                guard hasAnswered, error.isInterruption else { throw error }
                guard offering.canGoOn(after: "\(error)") else { return offering.conclude() }
                try await wait(because: error)
                peer = await findAgain()
            }
        }
    }

    private mutating func runOnce() async throws {
        offering.beginAttempt()
        let (offering, environment, events) = (offering, environment, events)
        if let presumed = peer.fingerprint {
            // A peer that may see nothing does not learn who this device is.
            guard try await withLookupThread({ try offering.isVisible(toPresumed: presumed) }) else { return }
        }
        let meant = MeantPeer(peer: peer, met: met, known: environment.store.peers, purpose: .sending)
        let accepted = Mutex<[RemoteIdentity: (PeerAssessment, Standing)]>([:])
        let reached = Mutex<RemoteIdentity?>(nil)
        let isAnswered = Atomic(false)
        let wait = environment.configuration.answerWait
        let manner = SendingManner(options, stallWait: environment.configuration.stallWait)
        let use = SessionUse(peer: peer, wanted: .takes) { remote in
            try await withLookupThread {
                let assessment = try meant.judge(remote)
                guard let standing = try offering.standing(seeingWith: remote.deviceKey) else { throw NothingVisible() }
                accepted.withLock { $0[remote] = (assessment, standing) }
            }
        } opened: { session in
            reached.withLock { $0 = session.peer }
        } isAnswered: {
            isAnswered.load(ordering: .relaxed)
        } body: { driver in
            let session = driver.session
            guard let (assessment, standing) = accepted.withLock({ $0[session.peer] }) else {
                preconditionFailure("A session is used with a peer that was not judged")
            }
            offering.beginAttempt()
            offering.meet(session.peer.deviceKey)
            // The offer is decided anew, when all that was ordered of the session before is over.
            let remote = RemotePeer(
                session.peer, at: session.address, in: RandomID(session.id), assessment, standing)
            events(.connected(remote))
            repeat {
                _ = try await driver.offer(offering, answerWait: wait, manner: manner) {
                    isAnswered.store(true, ordering: .relaxed)
                }
            } while offering.goesOn()
        }
        let result = await Result { try await sessions.with(use) }
        if let reached = reached.withLock(\.self) {
            met = reached
            await rememberIfStored(reached)
        }
        do {
            try result.get()
        } catch is NothingVisible {}
    }

    private func rememberIfStored(_ peer: RemoteIdentity) async {
        guard offering.hasStored else { return }
        await withLookupThread { environment.remember(peer) }
    }

    // MARK: Again

    /// True if there was a device to try again: its key was met, or it ended a connection in the handshake.
    private var hasAnswered: Bool { met != nil || (1...Self.mostCutHandshakes).contains(cutHandshakes) }

    private mutating func wait(because error: any Error) async throws {
        if offering.hasProgressed { schedule.hasProgressed() }
        guard let wait = schedule.nextWait(now: environment.runtime.now, chance: .random(in: 0...1)) else {
            guard options.retry > .zero else { throw error }
            throw NodeError(
                .interrupted,
                "\(error) Trying again for \(options.retry.components.seconds) s did not help; send it again later.")
        }
        events(.retrying(reason: "\(error)", after: wait))
        try await environment.runtime.sleep(for: wait)
    }

    /// Looks for the peer again: another of its addresses may answer, or it may have another address. If it cannot be
    /// found, its former addresses are tried.
    private func findAgain() async -> Peer {
        let name = peer.foundBy == Peer.byAddress ? peer.name : peer.fingerprint?.description
        guard let name, var found = try? await environment.neighbourhood.find(Target(name), named: name) else {
            return peer
        }
        found.isChosenByKey = peer.isChosenByKey
        return found
    }

    /// The peer with the proved key may see none of the items.
    private struct NothingVisible: Error {}
}

extension SendingManner {
    fileprivate init(_ options: SendOptions, stallWait: Duration?) {
        self.init(
            compression: CompressionMode(options.compression),
            pacing: options.rateLimit.map { Pacer(bytesPerSecond: $0) },
            requirements: Fidelity(options.requirements), attributes: options.attributes, stallWait: stallWait)
    }
}

extension CompressionMode {
    fileprivate init(_ compression: SendOptions.Compression) {
        self =
            switch compression {
            case .automatic: .auto
            case .never: .never
            case .zstd: .zstd
            }
    }
}

extension Fidelity {
    fileprivate init(_ requirements: Set<SendOptions.Requirement>) {
        self = requirements.reduce(into: []) { $0.insert($1.fidelity) }
    }
}

extension SendOptions.Requirement {
    fileprivate var fidelity: Fidelity {
        switch self {
        case .permissions: .mode
        case .modificationTime: .modified
        case .symbolicLinks: .symbolicLinks
        case .attributes: .attributes
        case .holes: .sparse
        case .hardLinks: .hardLinks
        case .content: .content
        }
    }
}
