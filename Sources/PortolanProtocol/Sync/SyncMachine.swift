import PortolanSyncModel

/// The questions about folders that both sides of a session ask, and their answers.
///
/// Each side asks and answers; the two directions do not wait for each other. Answers come in any order. What the peer must not do throws,
/// what the owner must not do traps.
///
/// ```swift
/// var machine = SyncMachine()
/// if machine.mayAsk { send(.syncSince(machine.since(folder, position))) }
/// // SyncChanges, SyncContent, SyncRefusal:   switch try machine.receive(message) { … }
/// // SyncSince, SyncWant of the peer:         try machine.receive(message), then one answer and machine.answered(question)
/// ```
package struct SyncMachine: Sendable {
    /// What an answer of the peer comes to.
    package enum Answer: Hashable, Sendable {
        /// Another part follows.
        case partly
        /// All changes of the question are here.
        case changes([NodeRecord], SyncPosition)
        case content([UInt8])
        case refused
    }

    private enum Question {
        case since(records: [NodeRecord], bytes: Int)
        case want
    }

    private var asked: [UInt64: Question] = [:]
    private var nextQuestion: UInt64 = 1
    private var open: Set<UInt64> = []
    private var last: UInt64?

    package init() {}

    // MARK: Own questions

    /// Whether another question may be asked.
    package var mayAsk: Bool { asked.count < Limits.questions }

    package mutating func since(_ folder: SyncFolderID, _ position: SyncPosition?) -> Message.SyncSince {
        Message.SyncSince(question: ask(.since(records: [], bytes: 0)), folder: folder, position: position)
    }

    package mutating func want(
        _ digest: ContentDigest, of folder: SyncFolderID, from offset: UInt64
    ) -> Message.SyncWant {
        Message.SyncWant(question: ask(.want), folder: folder, digest: digest, offset: offset)
    }

    private mutating func ask(_ question: Question) -> UInt64 {
        precondition(mayAsk, "At most 16 questions are unanswered")
        defer { nextQuestion += 1 }
        asked[nextQuestion] = question
        return nextQuestion
    }

    package mutating func receive(_ changes: Message.SyncChanges) throws(ProtocolViolation) -> Answer {
        guard case .since(var records, var bytes)? = asked.removeValue(forKey: changes.question) else {
            throw ProtocolViolation(.unexpected, "Changes came that answer no question.")
        }
        bytes += changes.size
        guard records.count + changes.records.count <= Limits.changes.records, bytes <= Limits.changes.bytes else {
            throw ProtocolViolation(.limit, "More changes came than a folder can have.")
        }
        records += changes.records
        if let latest = changes.latest { return .changes(records, latest) }
        asked[changes.question] = .since(records: records, bytes: bytes)
        return .partly
    }

    package mutating func receive(_ content: Message.SyncContent) throws(ProtocolViolation) -> Answer {
        guard case .want? = asked.removeValue(forKey: content.question) else {
            throw ProtocolViolation(.unexpected, "Content came that answers no question.")
        }
        return .content(content.data)
    }

    package mutating func receive(_ refusal: Message.SyncRefusal) throws(ProtocolViolation) -> Answer {
        guard asked.removeValue(forKey: refusal.question) != nil else {
            throw ProtocolViolation(.unexpected, "A SyncRefusal came that answers nothing.")
        }
        return .refused
    }

    // MARK: The peer's questions

    package mutating func receive(_ since: Message.SyncSince) throws(ProtocolViolation) { try take(since.question) }

    package mutating func receive(_ want: Message.SyncWant) throws(ProtocolViolation) { try take(want.question) }

    /// The last part of the answer to this question was sent.
    package mutating func answered(_ question: UInt64) {
        guard open.remove(question) != nil else { preconditionFailure("Each question is answered once") }
    }

    private mutating func take(_ question: UInt64) throws(ProtocolViolation) {
        if let last, question <= last {
            throw ProtocolViolation(.unexpected, "A question came with the number of an earlier one, or less.")
        }
        guard open.count < Limits.questions else {
            throw ProtocolViolation(.limit, "More than \(Limits.questions) questions wait for an answer.")
        }
        last = question
        open.insert(question)
    }
}
