import PortolanConcurrency
import PortolanDiscovery
import PortolanTransport

/// Sends new rosters to announced devices that may not have them, while a node runs.
///
/// A member that missed a change of its team's secret announces itself by the former one, and does not recognise
/// devices that use the newer one; a device that knows both connects to it. A removed device is sent the roster without
/// it, and no secret.
struct RosterMessenger {
    private enum News: Sendable {
        case discovery(DiscoveryEvent)
        /// The teams of this device may have changed.
        case teams
        /// Time for an errand.
        case look(ContinuousClock.Instant)
        case ended(RosterErrands.Errand, isTold: Bool)
    }

    /// Time for which changes are collected.
    private static let pause = Duration.seconds(2)

    private let environment: NodeEnvironment
    private let discovery: any Discovery

    init(in environment: NodeEnvironment, on discovery: any Discovery) {
        self.environment = environment
        self.discovery = discovery
    }

    /// Lasts until the task is cancelled or discovery ends.
    func run() async {
        let (news, feed) = AsyncStream.makeStream(of: News.self)
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { [discovery] in
                for await event in discovery.browse() { feed.yield(.discovery(event)) }
                feed.finish()
            }
            tasks.addTask { [environment] in
                let changes = TeamWatch(home: environment.configuration.home).changes
                feed.yield(.teams)
                for await _ in changes { feed.yield(.teams) }
                feed.finish()
            }
            var directory = PeerDirectory(foundBy: discovery.backend)
            var errands = RosterErrands()
            var known: [StoredTeam] = []
            var generator = SystemRandomNumberGenerator()
            var nextLook: ContinuousClock.Instant?
            /// Has errands looked at, unless that is done before anyway.
            func look(at time: ContinuousClock.Instant) {
                // Without teams there are no errands.
                guard !known.isEmpty, nextLook.map({ time < $0 }) ?? true else { return }
                nextLook = time
                tasks.addTask {
                    try? await environment.runtime.sleep(until: time)
                    feed.yield(.look(time))
                }
            }
            for await item in news {
                switch item {
                case .discovery(let event):
                    _ = directory.apply(event)
                    look(at: environment.runtime.now + Self.pause)
                case .ended(let errand, let isTold):
                    errands.ended(errand, isTold: isTold, now: environment.runtime.now)
                    look(at: environment.runtime.now + Self.pause)
                case .teams:
                    // An unreadable store is reported by the operations of the user.
                    let teams = (try? await withLookupThread { try environment.ownTeams() }) ?? []
                    if !teams.elementsEqual(known, by: { $0.team.digest == $1.team.digest && $0.secrets == $1.secrets })
                    {
                        known = teams
                        errands.update(teams, own: PinnedKey(environment.identity.publicKey))
                        _ = directory.recognise(with: PresenceRecogniser(of: teams))
                    }
                    look(at: environment.runtime.now)
                case .look(let time):
                    // A look that differs from the next one has been replaced by a sooner one.
                    guard time == nextLook else { continue }
                    nextLook = nil
                    for errand in errands.due(among: directory.peers, now: environment.runtime.now, using: &generator) {
                        tasks.addTask { feed.yield(.ended(errand, isTold: await tell(errand))) }
                    }
                    if let due = errands.nextDue(after: environment.runtime.now) { look(at: due) }
                }
            }
            tasks.cancelAll()
        }
    }

    private func tell(_ errand: RosterErrands.Errand) async -> Bool {
        let peer = Peer(errand.peer, named: errand.peer.name)
        do {
            try await environment.exchangeRosters(with: peer, expecting: errand.key)
            return true
        } catch {
            return false
        }
    }
}
