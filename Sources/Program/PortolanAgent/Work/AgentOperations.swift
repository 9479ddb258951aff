import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanSettings

/// The local API's operations on an ``Agent``.
struct AgentOperations: AgentActions {
    let agent: Agent
    var database: AgentDatabase { agent.database }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (AgentTransaction) throws -> Value
    ) async throws -> Value {
        try await database.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (AgentTransaction) throws -> Value
    ) async throws -> Value {
        try await agent.health.writing { try await database.write(body) }
    }

    // MARK: - The agent

    func status() async throws -> AgentAPI.Status {
        let identity = agent.node.identity
        let problem = agent.health.problem
        let policy = agent.policy.loaded
        let problems =
            [problem, database.damaged?.sentence, agent.keeping.problem, await agent.dispatcher.problem].compactMap {
                $0
            }
            + policy.problems + (await standstills())
        return try await read { [agent] change in
            let range = try change.journal.range()
            return AgentAPI.Status(
                version: agent.version, process: getpid(), started: agent.started, name: identity.name.text,
                fingerprint: identity.fingerprint.description, state: agent.stateFolder,
                receiving: problem == nil && policy.isInForce, problems: problems,
                outbox: AgentAPI.Counts(
                    waiting: try change.count(ParcelState.waiting), running: try change.count(ParcelState.running)),
                inbox: AgentAPI.Counts(
                    waiting: try change.count(InboxState.waiting), running: try change.count(InboxState.accepted)),
                journal: AgentAPI.JournalRange(oldest: range.oldest, newest: range.newest))
        }
    }

    func peers() async throws -> AgentAPI.PeerList {
        await agent.dispatcher.sight.map { AgentAPI.PeerList($0) } ?? AgentAPI.PeerList(peers: [])
    }

    func reload() async throws -> AgentAPI.PolicyCheck {
        let reload = await agent.reload()
        return AgentAPI.PolicyCheck(
            path: agent.settings.home.policyFile, problems: reload.problems,
            remarks: reload.remarks.isEmpty ? nil : reload.remarks)
    }

    func stop() async throws { agent.stop() }

    // MARK: - Policy

    func policy() async throws -> AgentAPI.Policy {
        let loaded = agent.policy.loaded
        return AgentAPI.Policy(
            path: agent.settings.home.policyFile, text: loaded.text, loaded: loaded.at,
            rules: loaded.policy.rules.count, problems: loaded.problems)
    }

    func checkPolicy(_ text: AgentAPI.PolicyText) async throws -> AgentAPI.PolicyCheck {
        let home = agent.settings.home
        guard let text = text.text else {
            let problems = await withLookupThread {
                do throws(PolicyError) {
                    _ = try OfferPolicy.load(from: home)
                    return [String]()
                } catch {
                    return error.problems
                }
            }
            return AgentAPI.PolicyCheck(path: home.policyFile, problems: problems)
        }
        return AgentAPI.PolicyCheck(
            problems: await withLookupThread {
                PolicyFile.mistakes(in: text, userHome: home.folderOfUser, besides: home.ownFilesForReceiving)
                    .map(\.description)
            })
    }

    func testPolicy(_ offer: JSONValue) async throws -> AgentAPI.Explanation {
        let text = String(decoding: try APICoding.encode(offer), as: UTF8.self)
        let loaded = agent.policy.loaded
        guard loaded.isInForce else {
            throw AgentAPI.Problem.unavailable("No policy is in force. \(loaded.problems.first ?? "")")
        }
        do throws(ConfigurationDefect) {
            let offer = try PolicyOffer.parse(text)
            return AgentAPI.Explanation(verdicts: loaded.policy.explain(offer).map { AgentAPI.Verdict($0) })
        } catch {
            throw AgentAPI.Problem.malformed(error.description)
        }
    }

    func explain(_ id: AgentAPI.ID) async throws -> AgentAPI.Explanation {
        let number = try number(id)
        let verdict = try await read { try $0.inbox.verdict(of: number) }
        guard let verdict else {
            throw AgentAPI.Problem.notFound("No verdict of the policy is kept for item \(number) of the inbox.")
        }
        return AgentAPI.Explanation(
            verdicts: [try APICoding.decode(AgentAPI.Verdict.self, from: Data(verdict.utf8))])
    }

    // MARK: - Events

    func events(from position: AgentAPI.Position, limit: Int) async throws -> AgentAPI.EventPage {
        let (entries, cursor) = try await read { change in
            let cursor = try Self.cursor(of: position, change)
            return (try change.journal.entries(after: cursor, limit: limit, bytes: Journal.batch), cursor)
        }
        return AgentAPI.EventPage(
            events: try entries.map { try AgentAPI.Event($0) }, next: entries.last?.cursor ?? cursor)
    }

    func follow(
        from position: AgentAPI.Position
    ) async throws -> any AsyncSequence<[AgentAPI.Event], any Error> & Sendable {
        let cursor = try await read { change in
            let cursor = try Self.cursor(of: position, change)
            // An invalid cursor is rejected before the answer begins.
            _ = try change.journal.entries(after: cursor, limit: 1)
            return cursor
        }
        return EventFeed(entries: database.entries(after: cursor))
    }

    private static func cursor(of position: AgentAPI.Position, _ change: AgentTransaction) throws -> JournalCursor {
        switch position {
        case .oldest: try change.journal.range().oldest - 1
        case .newest: try change.journal.range().newest
        case .after(let cursor): cursor
        }
    }
}

/// Entries of the journal as events of the local API.
private struct EventFeed: AsyncSequence, Sendable {
    let entries: JournalFeed

    struct Iterator: AsyncIteratorProtocol {
        var entries: JournalFeed.Iterator

        mutating func next() async throws -> [AgentAPI.Event]? {
            do {
                return try await entries.next()?.map { try AgentAPI.Event($0) }
            } catch {
                throw AgentAPI.Problem.of(error)
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(entries: entries.makeAsyncIterator()) }
}
