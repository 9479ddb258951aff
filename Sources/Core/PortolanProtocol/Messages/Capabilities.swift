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

    /// Version of SYNC.md by which this program keeps folders alike.
    package static let syncVersion = 8
    /// Keeps folders alike with the other side by this version, if that says so, too.
    package static let syncs = syncs(by: syncVersion)

    private static func syncs(by version: Int) -> Capabilities { Capabilities(rawValue: 4 << UInt64(version)) }

    /// Versions of SYNC.md by which the side keeps folders alike.
    package var syncVersions: [Int] { (1...8).filter { contains(.syncs(by: $0)) } }

    private static let known: Capabilities = (1...8).reduce([.takes, .serves, .stays]) { $0.union(.syncs(by: $1)) }

    /// Refuses a message for which the side that reads it did not say the capability.
    package func check(_ message: Message) throws(ProtocolViolation) {
        switch message {
        case .offer(let offer) where offer.request == nil && !contains(.takes):
            throw ProtocolViolation(.unexpected, "An offer came that was not requested, and none is taken here.")
        case .list, .request:
            try ProtocolViolation.check(contains(.serves), "\(message.name) came, and nothing can be requested here.")
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
