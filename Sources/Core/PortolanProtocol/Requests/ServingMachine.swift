/// Lists and requests of the peer; this side answers each of them once, in any order.
///
/// Violations by the requester throw; misuse by the owner traps.
///
/// ```swift
/// var machine = ServingMachine()
/// // a List or Request:  try machine.receive(…), then look up what its sender may see at this moment, and
/// //                     send(.listing(…)), send(.offer(…)) with the request's number, or send(.refusal(…))
/// // after each answer:  machine.answered(id)
/// ```
package struct ServingMachine: Sendable {
    private var open: Set<UInt64> = []
    private var last: UInt64?

    package init() {}

    /// Lists and requests that were not answered yet.
    package var unanswered: Int { open.count }

    package mutating func receive(_ list: Message.List) throws(ProtocolViolation) { try receive(list.id) }

    package mutating func receive(_ request: Message.Request) throws(ProtocolViolation) { try receive(request.id) }

    package mutating func receive(_ want: Message.SyncWant) throws(ProtocolViolation) { try receive(want.id) }

    /// Notes that the answer to this List or Request was sent.
    package mutating func answered(_ id: UInt64) {
        guard open.remove(id) != nil else { preconditionFailure("Each list and request is answered once") }
    }

    private mutating func receive(_ id: UInt64) throws(ProtocolViolation) {
        if let last, id <= last {
            throw ProtocolViolation(.unexpected, "A list or request came with the number of an earlier one, or less.")
        }
        try ProtocolViolation.check(
            open.count < Limits.questions, .limit,
            "More than \(Limits.questions) lists and requests wait for an answer.")
        last = id
        open.insert(id)
    }
}
