import HostilePeers
import PortolanProtocol
import PortolanSyncPlan
import TestSupport
import Testing

/// The vectors of what a member of a folder says (SYNC.md 7), played against a device with the files on its disk.
@Suite(.serialized) struct SyncConductVectorTests {
    @Test func membersActAsInTheVectors() async throws {
        let vectors = try VectorFile.all(ofKind: "sync_conduct")
        #expect(vectors.count == 18)
        for vector in vectors {
            let conduct = try Conduct(vector)
            try await SyncScene.withFolder(conduct.folder, of: conduct.files, unshared: conduct.unshared) { scene in
                let peer = try HostilePeer(port: scene.port, identity: scene.friend)
                try peer.shakeHands(capabilities: [.syncs])
                var play = ConductPlay(peer, conduct.folder)
                do {
                    try play.waitUntilReady()
                    for step in conduct.steps { try play.take(step) }
                    #expect(play.unanswered.isEmpty, "\(conduct.name): the member asks too much")
                } catch let error as VectorError {
                    Issue.record("\(conduct.name): \(error)")
                }
            }
        }
    }
}

private struct Conduct: Sendable {
    enum Step: Sendable {
        case other(Message)
        case member(Message)
    }

    let name: String
    let folder: SyncFolderID
    let unshared: SyncFolderID
    let files: [String: [UInt8]]
    let steps: [Step]

    init(_ vector: VectorObject) throws {
        name = vector.path
        folder = try #require(SyncFolderID(vector.bytes("folder")))
        unshared = try #require(SyncFolderID(vector.bytes("unshared")))
        files = try Dictionary(
            uniqueKeysWithValues: vector.objects("files").map { (try $0.text("name"), try $0.bytes("content")) })
        steps = try vector.objects("steps").map { step in
            let message = try Message(decoding: step.bytes("plaintext"))
            return try step.text("from") == "other" ? .other(message) : .member(message)
        }
    }
}

/// The other side of the member. Its answers are to the last question and offer of the member that were expected.
private struct ConductPlay {
    private let peer: HostilePeer
    private let folder: SyncFolderID
    private var question: UInt64 = 0
    /// Number of the member's last offer.
    private var offer: UInt64 = 0
    /// Questions for changes that were not expected so far.
    private(set) var unanswered: [Message.SyncSince] = []

    init(_ peer: HostilePeer, _ folder: SyncFolderID) {
        self.peer = peer
        self.folder = folder
    }

    /// Waits until the member has looked at its files.
    mutating func waitUntilReady() throws {
        while true {
            if case .syncFolders(let told) = try next(), of(told)?.latest != nil { return }
        }
    }

    mutating func take(_ step: Conduct.Step) throws {
        switch step {
        case .other(.syncChanges(let changes)):
            let answer = Message.SyncChanges(
                question: question, records: changes.records, latest: changes.latest, contents: changes.contents,
                seals: changes.seals)
            try peer.send(.syncChanges(answer))
        case .other(.syncRefusal): try peer.send(.syncRefusal(.init(question: question)))
        case .other(.answer(let answer)):
            try peer.send(.answer(try Message.Answer(offer: offer, choices: answer.choices)))
        case .other(let message): try peer.send(message)
        case .member(.syncSince(let since)): try expect(since)
        case .member(.syncChanges(let changes)): try expect(changes)
        case .member(.syncFolders(let folders)): try expect(of(folders)?.taken)
        case .member(.offer(let offer)): try expect(offer)
        case .member(let message): try expect(message)
        }
    }

    private func of(_ folders: Message.SyncFolders) -> Message.SyncFolders.Folder? {
        folders.folders.first { $0.id == folder }
    }

    private mutating func next() throws -> Message {
        guard let message = try peer.nextMessage() else { throw VectorError("the member has ended") }
        if case .syncSince(let since) = message { unanswered.append(since) }
        return message
    }

    /// Contents that the member wants are not offered.
    private static func isPassedOver(_ message: Message) -> Bool {
        switch message {
        case .syncChanges, .syncRefusal, .refusal, .offer, .syncHeard, .close: false
        default: true
        }
    }

    /// Expects exactly this message.
    private mutating func expect(_ wanted: Message) throws {
        while true {
            let message = try next()
            if message == wanted { return }
            guard Self.isPassedOver(message) else { throw VectorError("\(message) instead of \(wanted)") }
        }
    }

    /// Expects an offer, whatever its number is.
    private mutating func expect(_ wanted: Offer) throws {
        while true {
            let message = try next()
            if case .offer(let offer) = message, offer.request == wanted.request, offer.items == wanted.items {
                self.offer = offer.id
                return
            }
            guard Self.isPassedOver(message) else { throw VectorError("\(message) instead of \(wanted)") }
        }
    }

    /// Expects a question, whatever its number is and which contents may come along.
    private mutating func expect(_ wanted: Message.SyncSince) throws {
        func isWanted(_ since: Message.SyncSince) -> Bool {
            since.folder == wanted.folder && since.position == wanted.position
        }
        while true {
            if let place = unanswered.firstIndex(where: isWanted) {
                question = unanswered.remove(at: place).question
                return
            }
            let message = try next()
            guard Self.isPassedOver(message) else { throw VectorError("\(message) instead of \(wanted)") }
        }
    }

    /// Expects an announcement that changes of this side are done.
    private mutating func expect(_ taken: SyncPosition?) throws {
        while true {
            let message = try next()
            if case .syncFolders(let told) = message, of(told)?.taken == taken { return }
            guard Self.isPassedOver(message) else { throw VectorError("\(message) instead of what was done") }
        }
    }

    /// Expects all parts of an answer. Beside records of other devices it has those of the member itself.
    private mutating func expect(_ wanted: Message.SyncChanges) throws {
        var records: [NodeRecord] = []
        while true {
            let message = try next()
            guard case .syncChanges(let changes) = message, changes.question == wanted.question else {
                guard Self.isPassedOver(message) else { throw VectorError("\(message) instead of changes") }
                continue
            }
            records += changes.records
            guard changes.latest != nil else { continue }
            let others = records.filter { $0.id.creation.replica.epoch == Self.epoch }
            guard Set(others) == Set(wanted.records), others.count == wanted.records.count else {
                throw VectorError("the changes are \(others) instead of \(wanted.records)")
            }
            guard wanted.seals.allSatisfy({ changes.seals[$0.key] == $0.value }) else {
                throw VectorError("the seals are \(changes.seals) instead of \(wanted.seals)")
            }
            return
        }
    }

    /// Epoch of all changes of this side; that of the member is random.
    private static let epoch: UInt64 = 7
}
