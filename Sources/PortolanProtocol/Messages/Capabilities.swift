/// The parts of the protocol that a side takes in a session, as its Hello says.
package struct Capabilities: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Takes offers that it did not request.
    package static let takes = Capabilities(rawValue: 1)
    /// Answers lists and requests.
    package static let serves = Capabilities(rawValue: 2)
    /// Keeps a session in which nothing is going on, if the other side does so, too.
    package static let stays = Capabilities(rawValue: 4)

    /// Keeps folders alike with the other side, if that says so, too.
    package static let syncs = Capabilities(rawValue: 8)

    private static let known: Capabilities = [.takes, .serves, .stays, .syncs]

    /// Refuses a message for which the side that reads it did not say the capability.
    package func check(_ message: Message) throws(ProtocolViolation) {
        switch message {
        case .offer(let offer) where offer.request == nil && !contains(.takes):
            throw ProtocolViolation(.unexpected, "An offer came that was not requested, and none is taken here.")
        case .list, .request:
            guard contains(.serves) else {
                throw ProtocolViolation(.unexpected, "\(message.name) came, and nothing can be requested here.")
            }
        case _ where message.route == .syncing && !contains(.syncs):
            throw ProtocolViolation(.unexpected, "\(message.name) came, and no folder is kept alike here.")
        default: return
        }
    }
}

// MARK: - Wire

extension Capabilities {
    /// Bits of a later version are passed over.
    init(wire: UInt64) { self = Capabilities(rawValue: wire).intersection(.known) }
}
