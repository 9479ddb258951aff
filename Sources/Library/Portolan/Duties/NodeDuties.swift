import PortolanProtocol
import PortolanTransport
import Synchronization

/// Duties of a node to peers: the ways in which it receives, whether it shares, and further roles.
final class NodeDuties: Sendable {
    /// Duty of the node, from ``add(_:)`` to ``remove(_:)``.
    enum Duty: Sendable {
        case receiving(ReceiveRoute)
        /// Answers lists and requests of peers.
        case sharing
        /// Role besides those for offers, lists and requests.
        case role(RoleMaker)
    }

    private struct State {
        var routes: [Int: ReceiveRoute] = [:]
        var sharings: Set<Int> = []
        var makers: [Int: RoleMaker] = [:]
        var next = 0
    }

    /// Notifies waiters of changes of the duties.
    let bells = ChangeNotifier()
    private let keepsSessions: Bool
    private let state = Mutex(State())

    init(keepsSessions: Bool) { self.keepsSessions = keepsSessions }

    /// - Returns: number of the duty, for ``remove(_:)``.
    func add(_ duty: Duty) -> Int {
        state.withLock { state in
            state.next += 1
            switch duty {
            case .receiving(let route): state.routes[state.next] = route
            case .sharing: state.sharings.insert(state.next)
            case .role(let maker): state.makers[state.next] = maker
            }
            return state.next
        }
    }

    /// Removes a duty; does nothing if it was removed before.
    func remove(_ number: Int) {
        state.withLock { state in
            state.routes[number] = nil
            state.sharings.remove(number)
            state.makers[number] = nil
        }
    }

    /// Makers of further roles, in the order of their addition.
    var makers: [RoleMaker] { state.withLock { state in state.makers.sorted { $0.key < $1.key }.map(\.value) } }

    /// Receive routes by number.
    var routes: [Int: ReceiveRoute] { state.withLock(\.routes) }

    var isSharing: Bool { state.withLock { !$0.sharings.isEmpty } }

    /// Capabilities that this node declares at the beginning of a session.
    var capabilities: Capabilities {
        state.withLock { state in
            var capabilities: Capabilities = keepsSessions ? .stays : []
            if !state.routes.isEmpty { capabilities.insert(.takes) }
            if !state.sharings.isEmpty { capabilities.insert(.serves) }
            for maker in state.makers.values { capabilities.formUnion(maker.capabilities) }
            return capabilities
        }
    }
}
