import DequeModule
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTransport
import PortolanValues
import Synchronization

/// This side's part in a session whose sides synchronize folders: tells its folders, asks for changes and content, and answers.
package final class SyncRole: SessionRole {
    private struct State {
        var machine = SyncMachine()
        var pending: [UInt64: OneShot<SyncMachine.Answer, any Error>] = [:]
        /// Who waits until another question may be asked.
        var queue: Deque<OneShot<Void, any Error>> = []
        /// What the peer has told last; nil before it has told anything.
        var told: [SyncFolderID: Message.SyncFolders.Folder]?
        /// What the peer was told last.
        var said: Message.SyncFolders?
        var end: (any Error)?
        /// Answers that have come, parts of them counted.
        var answers = 0
        /// Parts of contents that were asked for.
        var parts = 0
        /// The peer was asked and has answered nothing for a while: nobody waits for it until it does.
        var isSilent = false
        /// Positions up to which the peer has merged this device's changes, which the host was not told yet.
        var heard: [SyncFolderID: SyncPosition] = [:]
        /// Contents of which the peer asked for parts last, the latest last.
        var sources: [Source] = []

        mutating func takeWaiting() -> Waiting {
            defer {
                pending = [:]
                queue = []
            }
            return Waiting(answers: Array(pending.values), turns: Array(queue))
        }
    }

    /// Those who have asked, or want to.
    private struct Waiting {
        var answers: [OneShot<SyncMachine.Answer, any Error>] = []
        var turns: [OneShot<Void, any Error>] = []

        func fail(_ error: any Error) {
            for one in answers { one.settle(.failure(error)) }
            for one in turns { one.settle(.failure(error)) }
        }
    }

    /// The peer has answered nothing for a while.
    private struct PeerIsSilent: Error {}

    private struct Source {
        var folder: SyncFolderID
        var digest: ContentDigest
        var content: any ContentSource
    }

    /// Contents that are kept open between their parts.
    private static let maximumSources = 8

    private enum Question: Sendable {
        case since(Message.SyncSince)
        case want(Message.SyncWant)
    }

    package let routes: Set<MessageRoute> = [.syncing]
    private let handle: SessionHandle
    let session: Session
    let host: any SyncHost
    private let state = Mutex(State())
    private let telling = TaskLock()
    /// Contents for one answer are read at a time.
    let carrying = TaskLock()
    /// One answer of the peer at a time.
    let hearing = TaskLock()
    private let mailbox = Mailbox<Question>(limit: Limits.questions) { _ in true }
    /// One value after the peer has merged changes.
    private let (acknowledged, acknowledging) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init(_ handle: SessionHandle, _ host: any SyncHost) {
        self.handle = handle
        session = handle.session
        self.host = host
    }

    /// Makes the role for each session in which folders of `host` are synchronized.
    package static func maker(for host: any SyncHost) -> RoleMaker {
        RoleMaker(saying: .syncs) { SyncRole($0, host) }
    }

    /// The key that the peer has proved.
    package var peer: DevicePublicKey { session.peer.deviceKey }

    /// The peer's own name.
    var peerName: String { session.peer.name.text }

    // MARK: The peer's folders

    /// The folders that the peer shares with this device; nil before it has told any.
    package var told: [SyncFolderID: Message.SyncFolders.Folder]? { state.withLock(\.told) }

    /// Whether nothing more can be asked.
    package var isOver: Bool { state.withLock { $0.end != nil } }

    /// Grows with each answer of the peer.
    package var answers: Int { state.withLock(\.answers) }

    /// Parts of contents that the peer was asked for, each by a question of its own.
    var parts: Int { state.withLock(\.parts) }

    /// What the peer was told last of a folder of this device.
    package func said(of folder: SyncFolderID) -> Message.SyncFolders.Folder? {
        state.withLock { $0.said?.folders.first { $0.id == folder } }
    }

    /// Tells the peer the folders of this device, if there is news.
    package func tell() async throws {
        try await telling.withLock {
            let folders = try await host.folders(for: self)
            state.withLock { state in
                guard state.end == nil, state.said != folders else { return }
                state.said = folders
                // A stranger's session is not kept open by saying that it synchronizes folders.
                if !folders.folders.isEmpty { session.offerMade() }
                session.send(.syncFolders(folders))
            }
        }
    }

    /// From here on only silence ends the session: there is something to do in it, and the peer has a right to that.
    func keepOpen() { session.offerMade() }

    // MARK: Asking

    /// Changes of the peer after a position.
    ///
    /// - Parameter contents: small contents that may come with them.
    /// - Returns: the changes, and verified contents; nil if the peer refuses.
    /// - Throws: what ended the session.
    func changes(
        of folder: SyncFolderID, since position: SyncPosition?, with contents: Message.SyncSince.Contents
    ) async throws -> (news: Announcement, contents: [ContentDigest: [UInt8]])? {
        let answer = try await ask { machine in
            let since = machine.since(folder, position, contents: contents)
            return (since.question, .syncSince(since))
        }
        guard case .changes(let records, let latest, let contents) = answer else { return nil }
        return (Announcement(records: records, cursor: Cursor(latest, of: peer)), contents)
    }

    /// A part of content of the peer; nothing at the end.
    ///
    /// - Returns: nil if the peer refuses.
    /// - Throws: what ended the session.
    package func content(
        _ digest: ContentDigest, of folder: SyncFolderID, from offset: UInt64
    ) async throws -> [UInt8]? {
        state.withLock { $0.parts += 1 }
        let answer = try await ask { machine in
            let want = machine.want(digest, of: folder, from: offset)
            return (want.question, .syncWant(want))
        }
        guard case .content(let data) = answer else { return nil }
        return data
    }

    /// All changes of the peer up to a position have been merged.
    package func acknowledge(_ position: SyncPosition, of folder: SyncFolderID) {
        state.withLock { state in
            guard state.end == nil else { return }
            session.send(.syncHeard(Message.SyncHeard(folder: folder, position: position)))
        }
    }

    private func ask(
        _ make: @Sendable (inout SyncMachine) -> (question: UInt64, message: Message)
    ) async throws -> SyncMachine.Answer {
        while true {
            let (answer, turn) = try state.withLock {
                state -> (OneShot<SyncMachine.Answer, any Error>?, OneShot<Void, any Error>?) in
                if let end = state.end { throw end }
                if state.isSilent { throw PeerIsSilent() }
                guard state.machine.mayAsk else {
                    let turn = OneShot<Void, any Error>()
                    state.queue.append(turn)
                    return (nil, turn)
                }
                let (question, message) = make(&state.machine)
                let answer = OneShot<SyncMachine.Answer, any Error>()
                state.pending[question] = answer
                // Questions go out in the order of their numbers.
                session.send(message)
                return (answer, nil)
            }
            if let answer { return try await answer.value(ifCancelled: .failure(CancellationError())) }
            try await turn?.value(ifCancelled: .failure(CancellationError()))
        }
    }

    // MARK: What the peer says

    package func receive(_ message: Message) async throws {
        switch message {
        case .syncFolders(let folders):
            let told = Dictionary(folders.folders.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
            state.withLock { $0.told = told }
            host.wasTold(by: self)
        case .syncHeard(let heard): note(heard)
        case .syncSince(let since):
            guard handle.beginWork() else { return }
            try state.withLock { try $0.machine.receive(since) }
            await mailbox.put(.since(since))
        case .syncWant(let want):
            guard handle.beginWork() else { return }
            try state.withLock { try $0.machine.receive(want) }
            await mailbox.put(.want(want))
        case .syncChanges(let changes): try settle(changes.question) { try $0.receive(changes) }
        case .syncContent(let content): try settle(content.question) { try $0.receive(content) }
        case .syncRefusal(let refusal): try settle(refusal.question) { try $0.receive(refusal) }
        default: preconditionFailure("\(message.name) is not about folders")
        }
    }

    /// The latest position of a folder counts. Questions do not wait for the host to be told: it may be at work on the folder, and wait for
    /// content of the peer, which may wait for an answer in turn.
    private func note(_ heard: Message.SyncHeard) {
        state.withLock { state in
            // No peer may know more folders.
            guard state.heard[heard.folder] != nil || state.heard.count < Limits.folders else { return }
            state.heard[heard.folder] = heard.position
        }
        acknowledging.yield()
    }

    private func takeHeard() -> [SyncFolderID: SyncPosition] {
        state.withLock { state in
            defer { state.heard = [:] }
            return state.heard
        }
    }

    private func settle(
        _ question: UInt64, _ body: (inout SyncMachine) throws -> SyncMachine.Answer
    ) throws {
        var speaksAgain = false
        let settle = try state.withLock { state -> () -> Void in
            let answer = try body(&state.machine)
            state.answers += 1
            speaksAgain = state.isSilent
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

    /// Fails the questions of a peer that answers none of them for a while, so that the others need not wait for it. Late answers are taken,
    /// and nobody has waited for them.
    private func watchForSilence() async {
        while true {
            let before = state.withLock { $0.pending.isEmpty ? nil : $0.answers }
            guard (try? await host.pauseForAnswer()) != nil else { return }
            let waiting = state.withLock { state in
                guard state.end == nil, !state.pending.isEmpty, state.answers == before else { return Waiting() }
                state.isSilent = true
                return state.takeWaiting()
            }
            waiting.fail(PeerIsSilent())
        }
    }

    // MARK: Answering

    package func run() async throws {
        guard try await handle.driver.peerCapabilities.contains(.syncs) else {
            return end(TransportError.endedUnanswered)
        }
        defer { host.ended(self) }
        async let _: Void = watchForSilence()
        // Side by side: changes may have to wait for content that the peer asks for meanwhile, and the first look at the folders for
        // changes of the peer, which may wait for this side's in turn.
        try await withThrowingDiscardingTaskGroup { answers in
            answers.addTask {
                await self.host.began(self)
                try await self.tell()
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
        case .want(let want):
            guard let data = try await data(of: want) else { return refuse(want.question) }
            await session.waitUntilRead()
            answered(want.question, .syncContent(Message.SyncContent(question: want.question, data: data)))
        }
    }

    private func data(of want: Message.SyncWant) async throws -> [UInt8]? {
        let known = state.withLock { state in
            state.sources.first { $0.folder == want.folder && $0.digest == want.digest }?.content
        }
        // One file is looked up once, and the peer's right to it is judged for each part.
        let source: (any ContentSource)?
        if let known, want.offset > 0 {
            source = try await host.isShared(want.folder, with: self) ? known : nil
        } else {
            source = try await host.content(want.digest, of: want.folder, for: self)
        }
        guard let source else { return nil }
        var data: [UInt8] = []
        while data.count < Limits.syncContent {
            let left = Limits.syncContent - data.count
            guard let more = try? await source.read(at: want.offset + UInt64(data.count), count: left) else {
                return nil
            }
            if more.isEmpty { break }
            data += more.prefix(left)
        }
        // The parts of a large file are asked for side by side, and come in any order.
        let isWhole = want.offset == 0 && data.count < Limits.syncContent
        state.withLock { state in
            state.sources.removeAll { $0.folder == want.folder && $0.digest == want.digest }
            guard !isWhole, state.end == nil else { return }
            state.sources.append(Source(folder: want.folder, digest: want.digest, content: source))
            if state.sources.count > Self.maximumSources { state.sources.removeFirst() }
        }
        return data
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
            state.sources = []
            return state.takeWaiting()
        }
        waiting.fail(error)
    }
}
