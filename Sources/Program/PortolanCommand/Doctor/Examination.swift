import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanDiscovery
import PortolanSettings

/// Probes for one home, in the order of their reports.
struct Examination: Sendable {
    typealias Probe = @Sendable () async throws -> [Finding]

    let settings: Settings
    let node: Node.Configuration
    private let start = SystemProbe.Clocks.now

    private var port: UInt16 { node.port ?? Node.Configuration.usualPort }

    func probes(peer: String?) -> [Probe] {
        var probes: [Probe] = [state, interfaces, discovery, listening, firewall, disk, system, agent]
        if let peer { probes.append { try await look(for: peer) } }
        return probes
    }

    private func state() async -> [Finding] {
        let home = settings.home
        return await withLookupThread {
            StorageJudgement.findings(StorageProbe.state([home.data, home.state, home.deviceKeyFile]))
        }
    }

    private func interfaces() async throws -> [Finding] {
        let names = node.interfaces
        guard var facts = await withLookupThread({ InterfaceProbe.facts(on: names) }) else {
            return [InterfaceJudgement.unreadable]
        }
        for index in facts.indices where facts[index].isUsable && facts[index].canMulticast {
            let name = facts[index].name
            guard facts[index].addresses.contains(where: { !$0.contains(":") }) else {
                facts[index].multicast = .notTried("it has no IPv4 address")
                continue
            }
            facts[index].multicast = await withLookupThread { MulticastProbe.outcome(on: name) }
        }
        return InterfaceJudgement.findings(facts, areChosen: names != nil)
    }

    private func discovery() async throws -> [Finding] {
        var facts = DiscoveryFacts()
        facts.choice =
            switch node.discovery {
            case .automatic: .automatic
            case .avahi: .daemon
            case .embedded: .embedded
            case .off: .off
            }
        guard facts.choice != .off else { return DiscoveryJudgement.findings(facts) }
        do {
            await (try DiscoveryChoice.avahi.start(interfaces: node.interfaces)).shutdown()
        } catch {
            facts.daemon = .silent(error.description)
        }
        // Unusable state is reported by its own probe.
        guard let node = try? await Node.onlooker(node) else { return DiscoveryJudgement.findings(facts) }
        facts.name = node.identity.name.text
        if let snapshot = await Self.sight(of: node) {
            facts.others = snapshot.peers.count
            facts.clones = snapshot.clones
            facts.trouble = snapshot.note
        }
        if case .runs(_, true, _) = await agentState() { facts.isListening = true }
        facts.ownNames = await ownNames(of: node.identity.fingerprint)
        return DiscoveryJudgement.findings(facts)
    }

    /// Names under which this device's key is announced; empty if that cannot be determined.
    private func ownNames(of own: Fingerprint) async -> [String] {
        let choice = node.discovery.choice ?? .automatic
        guard let discovery = try? await choice.start(interfaces: node.interfaces) else { return [] }
        let names = await Self.inTime { await Self.names(of: own, in: discovery.browse()) } ?? []
        await discovery.shutdown()
        return names.sorted()
    }

    private static func names(of own: Fingerprint, in events: AsyncStream<DiscoveryEvent>) async -> Set<String> {
        var names: Set<String> = []
        for await event in events {
            switch event {
            case .found(let record): if record.meaning == .open(own) { names.insert(record.instanceName) }
            case .settled, .unavailable: return names
            case .lost, .crowded, .recovered: continue
            }
        }
        return names
    }

    /// Last snapshot of the peers after the network had time to answer; nil if that takes too long.
    private static func sight(of node: Node) async -> PeerSnapshot? {
        await inTime {
            var latest: PeerSnapshot?
            for await snapshot in node.peers() {
                latest = snapshot
                if snapshot.isSettled { break }
            }
            return latest
        } ?? nil
    }

    /// - Returns: nil after ten seconds: a daemon that is wedged would hold everything up.
    private static func inTime<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result? {
        await withTaskGroup(of: Result?.self) { tasks in
            tasks.addTask { await body() }
            tasks.addTask {
                try? await Task.sleep(for: .seconds(10))
                return nil
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? nil
        }
    }

    private func listening() async throws -> [Finding] {
        let port = port
        var facts = PortFacts(port: port, isRequired: node.port != nil)
        facts.outcome = await withLookupThread { ConnectionProbe.listening(on: port) }
        if case .runs = await agentState() { facts.agentRuns = true }
        return [PortJudgement.finding(facts)]
    }

    private func firewall() async throws -> [Finding] {
        guard geteuid() == 0 else {
            return FirewallJudgement.findings(.unreadable("that takes root"), port: port)
        }
        if let ending = try await ProgramRun.run(["nft", "-j", "list", "ruleset"]), ending.isSuccess,
            let rules = FirewallRule.read(nft: ending.output)
        {
            return FirewallJudgement.findings(.rules(rules), port: port)
        }
        if let ending = try await ProgramRun.run(["iptables-save"]), ending.isSuccess {
            return FirewallJudgement.findings(.rules(FirewallRule.read(iptables: ending.output)), port: port)
        }
        return FirewallJudgement.findings(.unreadable("neither nft nor iptables-save tells them"), port: port)
    }

    private func disk() async -> [Finding] {
        let (inbox, reserve) = (settings.inbox, settings.file.reserve)
        return await withLookupThread { [StorageJudgement.finding(StorageProbe.disk(of: inbox, reserve: reserve))] }
    }

    private func system() async throws -> [Finding] {
        let words = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
        let ending = try await ProgramRun.run(words)
        let isSynchronised = ending.flatMap { $0.isSuccess ? $0.output.hasPrefix("yes") : nil }
        return await withLookupThread { [start] in
            SystemJudgement.findings(SystemProbe.facts(since: start, isSynchronised: isSynchronised))
        }
    }

    private func agent() async throws -> [Finding] {
        var facts = AgentFacts(state: await agentState(), version: ProgramVersion.number)
        let control = ServiceControl.own
        // Another home than the user's has no service.
        if settings.home.root == nil,
            let unit = try? InstalledUnit(scope: control.scope, environment: HomeDirectory.environmentOfThisProcess)
        {
            facts.isInstalled = await unit.exists()
        }
        if facts.isInstalled, control.scope == .user { facts.isLingering = try await control.isLingering() }
        return AgentJudgement.findings(facts)
    }

    private func agentState() async -> AgentFacts.State {
        let path = settings.agentSocket
        do { _ = try SocketPath(path) } catch { return .impossible(error.description) }
        guard await withLookupThread({ access(path, F_OK) == 0 }) else { return .absent }
        do {
            let status = try await AgentClient(socket: path, timeout: .seconds(5)).status()
            return .runs(version: status.version, isReceiving: status.receiving, problems: status.problems)
        } catch AgentClientError.notRunning {
            return .absent
        } catch {
            return .silent(CommandFailure(error).description)
        }
    }

    private func look(for target: String) async throws -> [Finding] {
        var facts = PeerFacts(target: target)
        do {
            let peer = try await Node.onlooker(node).find(target)
            let patience = facts.patience
            facts.attempts = await withTaskGroup(of: PeerFacts.Attempt.self) { tasks in
                for address in peer.addresses.prefix(8) {
                    tasks.addTask {
                        let answer = await withLookupThread {
                            ConnectionProbe.answer(of: address, within: patience)
                        }
                        return PeerFacts.Attempt(address: "\(address)", answer: answer)
                    }
                }
                return await tasks.reduce(into: []) { $0.append($1) }.sorted { $0.address < $1.address }
            }
        } catch let error as NodeError {
            facts.absence = error.description
        } catch let error as StoreError {
            facts.absence = "it was not looked for: \(error)"
        }
        return PeerJudgement.findings(facts)
    }
}
