import PortolanCrypto
import PortolanSyncPlan

/// Questions about folders from both sides of a session, and their answers.
///
/// Each side asks and answers; the two directions do not wait for each other. Answers come in any order. Violations by
/// the peer throw; misuse by the owner traps.
///
/// ```swift
/// var machine = SyncMachine()
/// if machine.mayAsk { send(.syncSince(machine.since(folder, position))) }
/// // SyncChanges, SyncRefusal:    switch try machine.receive(message) { … }
/// // SyncSince of the peer:       try machine.receive(message), then one answer and machine.answered(question)
/// ```
package struct SyncMachine: Sendable {
    /// Result of an answer of the peer.
    package enum Answer: Hashable, Sendable {
        /// Another part follows.
        case partly
        /// All changes for the question, and the verified contents and the seals of other devices that came with them.
        case changes(
            [NodeRecord], SyncPosition, contents: [ContentDigest: [UInt8]] = [:], seals: [DeviceID: ReplicaSeal] = [:])
        case refused
    }

    /// Received parts of an answer.
    private struct Changes {
        let wantsContents: Bool
        var records: [NodeRecord] = []
        var contents: [ContentDigest: [UInt8]] = [:]
        var bytes = 0

        /// - Throws: for content that came before.
        mutating func add(_ content: [UInt8]) throws(ProtocolViolation) {
            try ProtocolViolation.check(
                contents.updateValue(content, forKey: ContentDigest(ofContent: content)) == nil, .malformed,
                "Content came twice with changes.")
        }

        /// - Throws: for content that no record names.
        func verifiedContents() throws(ProtocolViolation) -> [ContentDigest: [UInt8]] {
            guard !contents.isEmpty else { return [:] }
            var named: Set<ContentDigest> = []
            for record in records {
                for version in record.contents {
                    let digest = version.value.form.digest
                    guard let content = contents[digest], UInt64(content.count) == version.value.size else { continue }
                    named.insert(digest)
                }
            }
            try ProtocolViolation.check(
                named.count == contents.count, .malformed, "Content came with changes that do not name it.")
            return contents
        }
    }

    private var asked: [UInt64: Changes] = [:]
    private var nextQuestion: UInt64 = 1
    private var open: Set<UInt64> = []
    private var last: UInt64?

    package init() {}

    // MARK: Own questions

    /// True if another question may be asked.
    package var mayAsk: Bool { asked.count < Limits.questions }

    package mutating func since(
        _ folder: SyncFolderID, _ position: SyncPosition?, contents: Message.SyncSince.Contents = .none
    ) -> Message.SyncSince {
        precondition(mayAsk, "At most 16 questions are unanswered")
        defer { nextQuestion += 1 }
        asked[nextQuestion] = Changes(wantsContents: contents != .none)
        return Message.SyncSince(question: nextQuestion, folder: folder, position: position, contents: contents)
    }

    package mutating func receive(_ changes: Message.SyncChanges) throws(ProtocolViolation) -> Answer {
        guard var all = asked.removeValue(forKey: changes.question) else {
            throw ProtocolViolation(.unexpected, "Changes came that answer no question.")
        }
        try ProtocolViolation.check(
            changes.contents.isEmpty || all.wantsContents, "Content came with changes that was not asked for.")
        all.bytes += changes.size
        try ProtocolViolation.check(
            all.records.count + changes.records.count <= Limits.changes.records
                && all.contents.count + changes.contents.count <= Limits.changes.records
                && all.bytes <= Limits.changes.bytes, .limit, "More changes came than a folder can have.")
        all.records += changes.records
        for content in changes.contents { try all.add(content) }
        if let latest = changes.latest {
            return .changes(all.records, latest, contents: try all.verifiedContents(), seals: changes.seals)
        }
        asked[changes.question] = all
        return .partly
    }

    package mutating func receive(_ refusal: Message.SyncRefusal) throws(ProtocolViolation) -> Answer {
        try ProtocolViolation.check(
            asked.removeValue(forKey: refusal.question) != nil, "A SyncRefusal came that answers nothing.")
        return .refused
    }

    // MARK: The peer's questions

    package mutating func receive(_ since: Message.SyncSince) throws(ProtocolViolation) {
        if let last, since.question <= last {
            throw ProtocolViolation(.unexpected, "A question came with the number of an earlier one, or less.")
        }
        try ProtocolViolation.check(
            open.count < Limits.questions, .limit, "More than \(Limits.questions) questions wait for an answer.")
        last = since.question
        open.insert(since.question)
    }

    /// Notes that the last part of the answer to this question was sent.
    package mutating func answered(_ question: UInt64) {
        guard open.remove(question) != nil else { preconditionFailure("Each question is answered once") }
    }
}

extension ContentDigest {
    /// The digest that a version has of this content.
    package init(ofContent bytes: [UInt8]) {
        guard let digest = ContentDigest(bytes.withUnsafeBytes { ContentDigester(of: $0).finalize() }) else {
            preconditionFailure("A digest has 32 bytes")
        }
        self = digest
    }
}
