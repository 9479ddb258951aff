import PortolanDiscovery
import PortolanTransport
import Synchronization

/// Directory of peers, fed by all sources of discovery.
///
/// Events change the directory at once; readers are woken once for all events since their last wake-up, so that a flood
/// of events costs one description of the network.
final class LiveDirectory: Sendable {
    /// Signals changes of ``directory``. Can be iterated once; ends when discovery ends.
    let changes: AsyncStream<Void>

    private let bell: AsyncStream<Void>.Continuation
    private let guarded: Mutex<PeerDirectory>

    init(_ directory: consuming PeerDirectory) {
        guarded = Mutex(directory)
        (changes, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var directory: PeerDirectory { guarded.withLock { $0 } }

    /// Looks at the hidden devices again: teams or their secrets have changed.
    func recognise(with recogniser: PresenceRecogniser) { guarded.withLock { _ = $0.recognise(with: recogniser) } }

    /// Longest wait for a daemon's first answers. A flooded daemon answers late, or not at all.
    private static let patience = Duration.seconds(2)

    /// Looks around until the task is cancelled or discovery ends.
    ///
    /// An mDNS stack keeps a limited number of records and drops further ones, and a busy daemon does not answer. On a
    /// crowded network, or if a daemon takes too long, another stack of this process searches, too, which is empty at
    /// first.
    ///
    /// - Parameters:
    ///   - wanted: the instance that the other stack asks for by name; nil for none. All hosts on the link hear the
    ///     query.
    ///   - interfaces: the only links to look on; nil for all.
    func run(on discovery: any Discovery, wanted: String?, interfaces: [String]?, runtime: Runtime) async {
        let (calls, help) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [self] in
                for await event in discovery.browse() {
                    take(event)
                    if case .crowded = event, wanted != nil { help.yield() }
                }
                help.finish()
                bell.finish()
            }
            tasks.addTask { [self] in
                guard await calls.first(where: { true }) != nil else { return }
                await lookBesides(wanted, on: interfaces)
            }
            guard discovery.backend == .avahi else { return }
            tasks.addTask { [self] in
                guard (try? await runtime.sleep(for: Self.patience)) != nil else { return }
                if !directory.isSettled { help.yield() }
            }
        }
    }

    /// Searches with an additional mDNS stack, because the first one is crowded or late.
    private func lookBesides(_ wanted: String?, on interfaces: [String]?) async {
        guard let own = try? await DiscoveryChoice.embedded.start(interfaces: interfaces) else { return }
        await withTaskGroup(of: Void.self) { tasks in
            // Asked before anything fills its cache.
            if let wanted { tasks.addTask { [self] in await take(own.seek(wanted)) } }
            tasks.addTask { [self] in await take(own.browse()) }
        }
        await own.shutdown()
    }

    /// Applies the answers of one browser; the browser also reports its backend.
    private func take(_ answers: AsyncStream<DiscoveryEvent>) async {
        for await event in answers {
            switch event {
            case .found, .lost, .settled, .crowded: take(event)
            case .unavailable, .recovered: break
            }
        }
    }

    private func take(_ event: DiscoveryEvent) {
        guarded.withLock { _ = $0.apply(event) }
        bell.yield()
    }
}
