/// Lists and requests of this side, and their answers.
///
/// Each is answered once: a list by a Listing or a Refusal, a request by an Offer that names it or a Refusal. Answers
/// come in any order. Violations by the holder throw; misuse by the owner traps.
///
/// ```swift
/// var machine = RequestingMachine()
/// if machine.mayAsk { send(.list(machine.list(after: [], most: 100))) }
/// if machine.mayAsk { send(.request(machine.request(item))) }
/// // Listing, Refusal:    try machine.receive(…)
/// // an Offer:            if let request = offer.request { try machine.receiveOffer(answering: request) };
/// //                      then as any offer
/// // the end record:      questions without an answer get none; they may be asked in another session
/// ```
package struct RequestingMachine: Sendable {
    private enum Question {
        case list(Message.List)
        case request
    }

    private var open: [UInt64: Question] = [:]
    private var nextID: UInt64 = 1

    package init() {}

    /// Lists and requests that have no answer yet.
    package var unanswered: Int { open.count }

    /// True if another list or request may be sent.
    package var mayAsk: Bool { unanswered < Limits.questions }

    /// Asks for a part of the items that the holder shows this side.
    ///
    /// - Parameters:
    ///   - after: `next` of the part before; empty for the first.
    ///   - most: the number of items that the answer may have; 0 leaves it to the holder.
    package mutating func list(after: [UInt8], most: Int) -> Message.List {
        let list = Message.List(id: nextID, after: after, most: most)
        ask(.list(list))
        return list
    }

    /// Asks for an item.
    package mutating func request(_ item: ItemID) -> Message.Request {
        let request = Message.Request(id: nextID, item: item)
        ask(.request)
        return request
    }

    /// Asks for contents of a folder.
    package mutating func want(_ contents: [Message.SyncWant.Content], of folder: SyncFolderID) -> Message.SyncWant {
        let want = Message.SyncWant(id: nextID, folder: folder, contents: contents)
        ask(.request)
        return want
    }

    package mutating func receive(_ listing: Message.Listing) throws(ProtocolViolation) {
        guard case .list(let list)? = open.removeValue(forKey: listing.id) else {
            throw ProtocolViolation(.unexpected, "A Listing came that answers no list.")
        }
        try ProtocolViolation.check(
            list.most == 0 || listing.items.count <= list.most,
            "A Listing of \(listing.items.count) items came where at most \(list.most) were wanted.")
        try ProtocolViolation.check(
            listing.next.isEmpty || listing.next != list.after, "A Listing leads back to where it began.")
    }

    package mutating func receive(_ refusal: Message.Refusal) throws(ProtocolViolation) {
        try ProtocolViolation.check(open.removeValue(forKey: refusal.id) != nil, "A Refusal came that answers nothing.")
    }

    /// Notes an offer that names the request it answers.
    package mutating func receiveOffer(answering id: UInt64) throws(ProtocolViolation) {
        guard case .request? = open.removeValue(forKey: id) else {
            throw ProtocolViolation(.unexpected, "An offer came that answers no request.")
        }
    }

    private mutating func ask(_ question: Question) {
        precondition(mayAsk, "At most 16 lists and requests are unanswered")
        open[nextID] = question
        nextID += 1
    }
}
