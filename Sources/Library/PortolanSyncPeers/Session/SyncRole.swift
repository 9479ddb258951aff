import DequeModule
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// Role of this side in a session with synchronized folders: announces its folders, requests changes and content, and
/// answers.
package final class SyncRole: SessionRole {
    private struct State {
        var machine = SyncMachine()
        var pending: [UInt64: Pending] = [:]
        /// Callers that wait until another question may be sent.
        var queue: Deque<OneShot<Void, any Error>> = []
        var announcement = PeerAnnouncement()
        /// Last announcement to the peer.
        var said: Message.SyncFolders?
        var statements = PeerStatements()
        /// Statements that were sent to the peer.
        var stated: Set<SignedFolderStatement> = []
        var end: (any Error)?
        /// Number of received answers, each part counted.
        var answers = 0
        /// Bytes of contents that came on request.
        var received: UInt64 = 0
        /// True after the peer did not answer for a while: callers do not wait for it until it does.
        var isSilent = false
        /// Positions up to which the peer has merged this device's changes, not yet reported to the host.
        var heard: [SyncFolderID: SyncPosition] = [:]

        /// True while the peer owes an answer.
        var awaitsAnswer: Bool { !queue.isEmpty || !pending.isEmpty }

        mutating func takeWaiting() -> Waiters {
            defer {
                pending = [:]
                queue = []
            }
            return Waiters(answers: Array(pending.values), turns: Array(queue))
        }
    }

    private typealias Pending = OneShot<SyncMachine.Answer, any Error>

    /// Callers with open questions, or about to send one.
    private struct Waiters {
        var answers: [OneShot<SyncMachine.Answer, any Error>] = []
        var turns: [OneShot<Void, any Error>] = []

        func fail(_ error: any Error) {
            for one in answers { one.settle(.failure(error)) }
            for one in turns { one.settle(.failure(error)) }
        }
    }

    private enum Question: Sendable {
        case since(Message.SyncSince)
        case want(Message.SyncWant)
    }

    package let routes: Set<MessageRoute> = [.syncing]
    private let handle: SessionHandle
    let session: Session
    let host: any SyncHost
    private let state = Mutex(State())
    /// The report to the host that the session has begun, or the end before it.
    private let begun = OneShot<Void, any Error>()
    /// The peer's first announcement, or the end before it.
    private let announced = OneShot<Void, any Error>()
    /// Contents that go to the peer now.
    let going = GoingContents()
    /// Parts that have come from the peer of first copies of folders.
    let copies = Mutex<[SyncFolderID: Int]>([:])
    private let lackNews = LackNews()
    private let telling = TaskLock()
    /// Lock for reading the contents of one answer at a time.
    let carrying = TaskLock()
    /// Lock for one answer of the peer at a time.
    let hearing = TaskLock()
    private let mailbox = Mailbox<Question>(limit: Limits.questions) { _ in true }
    /// Signal after the peer has merged changes.
    private let (acknowledged, acknowledging) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init(_ handle: SessionHandle, _ host: any SyncHost) {
        self.handle = handle
        session = handle.session
        self.host = host
    }

    /// Key that the peer has proved.
    package var peer: DevicePublicKey { session.peer.deviceKey }

    /// Name that the peer announces.
    var peerName: String { session.peer.name.text }

    // MARK: The peer's folders

    /// Folders that the peer shares with this device; nil before its first announcement.
    package var told: [SyncFolderID: Message.SyncFolders.Folder]? { state.withLock(\.announcement.folders) }

    /// Statements of the peer for whom folders are.
    var statements: PeerStatements { state.withLock(\.statements) }

    /// Takes the folders whose announcement by the peer needs a round of work, since the last call.
    func takeNews() -> Set<SyncFolderID> { state.withLock { $0.announcement.takeNews() } }

    /// Waits for the peer's first announcement. It may arrive before the host knows of the session, which is awaited,
    /// too.
    ///
    /// - Throws: `TransportError.endedUnanswered` if the session ends before it, `CancellationError`.
    func waitUntilTold() async throws {
        try await begun.value(ifCancelled: .failure(CancellationError()))
        try await announced.value(ifCancelled: .failure(CancellationError()))
    }

    /// True if no further questions are possible.
    package var isOver: Bool { state.withLock { $0.end != nil } }

    /// Counter of the peer's answers.
    package var answers: Int { state.withLock(\.answers) }

    /// Bytes of contents that the peer sent on request.
    var received: UInt64 { state.withLock(\.received) }

    /// Last announcement of a folder of this device to the peer.
    package func said(of folder: SyncFolderID) -> Message.SyncFolders.Folder? {
        state.withLock { $0.said?.folders.first { $0.id == folder } }
    }

    /// Announces the folders of this device to the peer, if they have changed.
    ///
    /// - Parameter isFirst: false to do nothing before the first announcement, which waits for scans of the folders.
    package func tell(isFirst: Bool = false) async throws {
        try await telling.withLock {
            guard isFirst || state.withLock({ $0.said != nil }) else { return }
            let (folders, statements) = try await host.folders(for: self)
            state.withLock { state in
                guard state.end == nil else { return }
                for one in statements where state.stated.insert(one).inserted { session.send(.syncStatement(one)) }
                guard state.said != folders else { return }
                state.said = folders
                // The session of a stranger is not kept open by the announcement alone.
                if !folders.folders.isEmpty { session.offerMade() }
                session.send(.syncFolders(folders))
            }
        }
    }

    // MARK: Asking

    /// Requests changes of the peer after a position.
    ///
    /// - Parameter contents: true for small contents with the changes.
    /// - Returns: the changes, and verified contents; nil if the peer refuses.
    /// - Throws: the error that ended the session.
    func changes(
        of folder: SyncFolderID, since position: SyncPosition?, with contents: Message.SyncSince.Contents
    ) async throws -> (news: Announcement, contents: [ContentDigest: [UInt8]])? {
        let answer = try await ask { $0.since(folder, position, contents: contents) }
        guard case .changes(let records, let latest, let contents, let seals) = answer else { return nil }
        return (Announcement(records: records, cursor: ChangeCursor(latest, of: peer), seals: seals), contents)
    }

    /// Requests contents of the peer; those that it has are stored in `arrivals`.
    ///
    /// - Parameter progress: called from time to time with the bytes that have come.
    /// - Returns: false if the peer has none of them, or no right to the folder is left.
    /// - Throws: the error that ended the session; `CancellationError`.
    func fetch(
        _ wanted: [WantedContent], of folder: SyncFolderID, into arrivals: ArrivingContents,
        _ progress: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) async throws -> Bool {
        if let end = state.withLock(\.end) { throw end }
        arrivals.beginTransfer()
        let contents = wanted.map { Message.SyncWant.Content($0.digest, size: $0.size) }
        let receiver = ContentReceiver(
            arrivals: arrivals, folder: folder, size: contents.map(\.size).reduce(0) { min($0 + $1, Limits.size) }
        ) { [self] bytes in
            progress(bytes)
            state.withLock { $0.answers += 1 }
        } ended: { [self] bytes in
            state.withLock { $0.received &+= bytes }
        }
        do {
            try await withTaskCancellationHandler {
                try await handle.driver.fetch(
                    contents, of: folder, Reception(receiver), stallWait: SyncWait.answer.time)
            } onCancel: {
                arrivals.stop()
            }
            state.withLock { $0.answers += 1 }
        } catch TransportError.refused {
            return false
        }
        try Task.checkCancellation()
        return true
    }

    /// Acknowledges that all changes of the peer up to a position have been merged.
    package func acknowledge(_ position: SyncPosition, of folder: SyncFolderID) {
        state.withLock { state in
            guard state.end == nil else { return }
            session.send(.syncHeard(Message.SyncHeard(folder: folder, position: position)))
        }
    }

    private func ask(
        _ make: @Sendable (inout SyncMachine) -> Message.SyncSince
    ) async throws -> SyncMachine.Answer {
        while true {
            let (answer, turn) = try state.withLock { state -> (Pending?, OneShot<Void, any Error>?) in
                if let end = state.end { throw end }
                if state.isSilent { throw TransportError.answerIsOverdue }
                guard state.machine.mayAsk else {
                    let turn = OneShot<Void, any Error>()
                    state.queue.append(turn)
                    return (nil, turn)
                }
                let since = make(&state.machine)
                let pending = Pending()
                state.pending[since.question] = pending
                // Questions are sent in the order of their numbers.
                session.send(.syncSince(since))
                return (pending, nil)
            }
            if let answer { return try await answer.value(ifCancelled: .failure(CancellationError())) }
            try await turn?.value(ifCancelled: .failure(CancellationError()))
        }
    }

    // MARK: Messages of the peer

    package func receive(_ message: Message) async throws {
        // The messages of a peer that did not say SYNCS begin no work, since nothing ends it (SYNC.md 7-3).
        guard try await handle.driver.peerCapabilities.contains(.syncs) else { return }
        switch message {
        case .syncFolders(let folders):
            let (isNew, lacking) = state.withLock { state in
                (state.announcement.replace(by: folders, said: state.said), state.announcement.lacking)
            }
            announced.settle()
            if isNew { host.wasTold(by: self) }
            lackNews.add(lacking)
        case .syncHeard(let heard): note(heard)
        case .syncStatement(let signed):
            try state.withLock { try $0.statements.count() }
            let statement: SignedFolderStatement.Verified
            do throws(FolderStatementError) { statement = try signed.verified() } catch {
                throw ProtocolViolation(error == .tooLarge ? .limit : .malformed, error.description)
            }
            if try state.withLock({ try $0.statements.add(statement) }) { host.wasTold(by: self) }
        case .syncSince(let since):
            guard handle.beginWork() else { return }
            try state.withLock { try $0.machine.receive(since) }
            await mailbox.put(.since(since))
        case .syncWant(let want):
            guard handle.beginWork() else { return }
            try handle.take { machine throws(ProtocolViolation) in try machine.receive(want) }
            await mailbox.put(.want(want))
        case .syncChanges(let changes): try settle(changes.question) { try $0.receive(changes) }
        case .syncRefusal(let refusal): try settle(refusal.question) { try $0.receive(refusal) }
        default: preconditionFailure("\(message.name) is not about folders")
        }
    }

    /// Records the latest merged position of a folder. Questions do not wait for the host's report: the host may be
    /// working on the folder, and wait for content of the peer, which may wait for an answer in turn.
    private func note(_ heard: Message.SyncHeard) {
        state.withLock { state in
            // The peer cannot know more folders than the limit.
            guard state.heard[heard.folder] != nil || state.heard.count < Limits.folders else { return }
            state.heard[heard.folder] = heard.position
        }
        acknowledging.yield()
    }

    private func takeHeard() -> [SyncFolderID: SyncPosition] {
        state.withLock { exchange(&$0.heard, with: [:]) }
    }

    private func settle(
        _ question: UInt64, _ body: (inout SyncMachine) throws -> SyncMachine.Answer
    ) throws {
        var speaksAgain = false
        let settle = try state.withLock { state -> () -> Void in
            let answer = try body(&state.machine)
            state.answers += 1
            speaksAgain = state.isSilent
            if speaksAgain { state.announcement.renew() }
            state.isSilent = false
            if case .partly = answer { return {} }
            let (pending, turn) = (state.pending.removeValue(forKey: question), state.queue.popFirst())
            return {
                pending?.settle(.success(answer))
                turn?.settle()
            }
        }
        settle()
        if speaksAgain { host.wasTold(by: self) }
    }

    /// Fails the questions of a peer that does not answer for a while, so that other peers need not wait for it. Late
    /// answers are accepted without waiters.
    private func watchForSilence() async {
        while true {
            let before = state.withLock { $0.awaitsAnswer ? $0.answers : nil }
            guard (try? await host.pause(for: .answer)) != nil else { return }
            let waiting = state.withLock { state in
                guard state.end == nil, state.awaitsAnswer, state.answers == before else { return Waiters() }
                state.isSilent = true
                return state.takeWaiting()
            }
            waiting.fail(TransportError.answerIsOverdue)
        }
    }

    // MARK: Answering

    package func run() async throws {
        let capabilities = try await handle.driver.peerCapabilities
        guard capabilities.contains(.syncs) else {
            end(TransportError.endedUnanswered)
            return await host.differs(self, capabilities.syncVersions)
        }
        host.began(self)
        begun.settle()
        defer { host.ended(self) }
        async let _: Void = watchForSilence()
        async let _: Void = lackNews.report(pausing: { try await host.pause(for: .lacks) }) { folders in
            await host.lacksChanged(in: folders, by: self)
        }
        // Answers run concurrently: changes may have to wait for content that the peer requests meanwhile, and the
        // first scan of the folders for changes of the peer, which may wait for this side's in turn.
        try await withThrowingDiscardingTaskGroup { answers in
            answers.addTask {
                await self.host.scanFolders(for: self)
                try await self.tell(isFirst: true)
            }
            answers.addTask {
                for await _ in self.acknowledged {
                    for (folder, position) in self.takeHeard() {
                        try await self.host.heard(position, of: folder, by: self)
                    }
                }
            }
            defer { acknowledging.finish() }
            while let question = try await mailbox.next() {
                answers.addTask {
                    defer { self.handle.endWork() }
                    try await self.answer(question)
                }
            }
        }
    }

    private func answer(_ question: Question) async throws {
        switch question {
        case .since(let since):
            try await tell(since)
        case .want(let want): try await offer(want)
        }
    }

    /// Offers the wanted contents that are here.
    private func offer(_ want: Message.SyncWant) async throws {
        let isOffered = Atomic(false)
        if let contents = try await host.contents(want, for: self), !contents.isEmpty {
            let offering = ContentOffering(want: want, contents: contents, role: self)
            do {
                try await handle.driver.offer(offering, answering: want.id) {
                    isOffered.store(true, ordering: .relaxed)
                    self.handle.answered(want.id)
                }
            } catch let error as StoreError {
                throw error
            } catch {
                try Task.checkCancellation()
            }
        }
        guard !isOffered.load(ordering: .relaxed) else { return }
        handle.answered(want.id)
        state.withLock { state in
            if state.end == nil { session.send(.refusal(Message.Refusal(id: want.id, reason: .gone))) }
        }
    }

    func refuse(_ question: UInt64) {
        answered(question, .syncRefusal(Message.SyncRefusal(question: question)))
    }

    func answered(_ question: UInt64, _ message: Message) {
        state.withLock { state in
            state.machine.answered(question)
            // A peer that has ended the session has withdrawn its questions.
            if state.end == nil { session.send(message) }
        }
    }

    // MARK: The end

    package func peerEnded() {
        end(TransportError.endedUnanswered)
        for _ in mailbox.drain() { handle.endWork() }
    }

    package func finish() { end(TransportError.endedUnanswered) }

    package func fail(_ error: any Error) {
        end(error)
        mailbox.close(error)
    }

    private func end(_ error: any Error) {
        let waiting = state.withLock { state in
            state.end = state.end ?? error
            return state.takeWaiting()
        }
        begun.settle(.failure(TransportError.endedUnanswered))
        announced.settle(.failure(TransportError.endedUnanswered))
        waiting.fail(error)
    }
}
