import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanValues
import Synchronization

/// A receiver that listens on this machine, once for all executions; each execution has its own inbox.
final class ServedInbox: Sendable {
    static let shared = ServedInbox()

    private let port = Mutex<UInt16>(0)
    private let current = Mutex<Receiver?>(nil)
    private let isReady = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    private init() {
        Task.detached { [self] in await listen() }
        isReady.wait()
    }

    private func listen() async {
        do {
            let listener = try await Listener(
                sockets: [ListeningSocket.open(port: 0, interface: "lo")], identity: LocalIdentity(Parties.own),
                door: .open, timing: SessionDeadlines(offerDeadline: .seconds(60), silence: .seconds(60)))
            port.withLock { $0 = listener.port }
            isReady.signal()
            for await arrival in listener.arrivals {
                if case .session(let session) = arrival, let receiver = current.withLock(\.self) {
                    var roles = SessionRoles()
                    roles.receiving = { { Reception(receiver) } }
                    try? await SessionDriver.run(on: session, ledger: NoTeams(), roles: roles) {
                        try await $0.stay()
                    }
                }
                isOver.signal()
            }
        } catch {
            fatalError("Nothing can be listened on: \(error)")
        }
    }

    /// Receives one peer's items into a folder.
    ///
    /// - Returns: true if the session was over in time.
    func serve(_ path: String, _ choices: [UInt8], _ speak: (_ port: UInt16) -> HostileConnection) -> Bool {
        let inbox = valid { try Inbox(path: path, createIfMissing: false) }
        current.withLock { $0 = Receiver(inbox, FuzzInput(choices)) }
        let peer = speak(port.withLock(\.self))
        // Its last records arrive only if it does not hang up before.
        let isInTime = withExtendedLifetime(peer) { isOver.wait(timeout: .now() + 600) == .success }
        current.withLock { $0 = nil }
        return isInTime
    }
}

private struct NoTeams: TeamLedger {
    func teams(sharedWith peer: RemoteIdentity) -> [SharedTeam] { [] }
    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) -> Bool { false }
}

/// Receiver that takes the chosen items into an inbox.
private final class Receiver: ItemReceiver {
    private let inbox: Inbox
    private let choices: Mutex<FuzzInput>

    init(_ inbox: Inbox, _ choices: FuzzInput) {
        self.inbox = inbox
        self.choices = Mutex(choices)
    }

    private func choice() -> UInt8 { choices.withLock { $0.byte() } }

    var sizeLimit: UInt64? { 1 << 40 }

    func decide(on offer: Offer) -> [ItemDecision] {
        offer.items.map { item in
            let choice = choice()
            guard choice < 250 else { return .decline(Decline(.notWanted)) }
            return .take(representation: Int(choice) % item.representations.count)
        }
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        offered.representations.indices.first { !tried.contains($0) }
    }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        let choice = choice()
        return LaneTerms(asks: choice & 1 == 1, lanes: choice & 6 == 6 ? 1 : 0)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        let name = try FileName(begin.name.isEmpty ? Array("item".utf8) : begin.name)
        let about = PartialAbout(representation, as: begin, called: name)
        let partial = try inbox.receive(about, called: name, for: representation.restriction, asking: begin.asks)
        return try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) {
            partial, name, omissions in
            .stored(try StoredItem(partial.publish(as: name), omissions: omissions))
        }
    }

    func report(_ event: ReceivingEvent) {}
}
