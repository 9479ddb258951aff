import PortolanProtocol
import PortolanTransport

extension FuzzTarget {
    /// Whole sessions of a receiver over real connections on this machine, with the threads, lanes and disk of a
    /// program. A peer that has shaken hands seals the input and sends it.
    static let connection = FuzzTarget("connection", longest: 8192) { input in
        Scratch.with { path in
            let choices = input.piece()
            let isInTime = ServedInbox.shared.serve(path, choices) { port in
                guard let peer = HostileConnection(to: port) else { fatalError("There is no session") }
                while !input.isEmpty, peer.isOpen { peer.say(&input) }
                peer.saysNothingMore()
                return peer
            }
            require(isInTime, "A session does not end")
        }
    }
}
