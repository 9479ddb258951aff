import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization

/// Tells what happens while items are sent.
final class SendReporter: Sendable {
    private struct State {
        var peer = "the receiver"
        var total: UInt64?
        var sent: UInt64 = 0
    }

    private let console: Console
    private let titles: [String]
    private let state = Mutex(State())
    private let throttle = Throttle<Int>(.milliseconds(200))

    init(_ console: Console, titles: [String]) {
        self.console = console
        self.titles = titles
    }

    func report(_ event: SendEvent) {
        switch event {
        case .connected(let peer): connected(peer)
        case .waitingForAnswer:
            console.remark("Waiting for somebody there to answer…")
            console.emit(Event(.waiting))
        case .started(let item, let representation, let name, let bytes):
            state.withLock { $0 = State(peer: $0.peer, total: bytes) }
            console.beginProgress(title: DisplayText(name.isEmpty ? titles[item] : name).text, total: bytes)
            console.emit(
                .started(item: item, title: .string(titles[item]), representation: representation, total: bytes))
        case .progress(let item, let sent):
            let total = state.withLock { state in
                state.sent = sent
                return state.total
            }
            console.progress(bytes: sent)
            guard throttle.allows(item) else { return }
            console.emit(.progress(item: item, title: .string(titles[item]), bytes: sent, total: total))
        case .broke(let item, let representation, let reason):
            endProgress()
            let sentence = DisplayText(reason, limit: 500).text
            console.diagnose(
                "Representation \(representation + 1) of “\(DisplayText(titles[item], limit: 100))” could not be sent: "
                    + "\(sentence)")
            console.emit(
                Event(
                    .fellBack,
                    [
                        "item": .integer(Int64(item)), "representation": .integer(Int64(representation)),
                        "message": .string(sentence),
                    ]))
        case .settled(let delivery): settled(delivery)
        }
    }

    private func connected(_ peer: RemotePeer) {
        let name = "“\(DisplayText(peer.name, limit: 63))”"
        state.withLock { $0.peer = name }
        // The fingerprint of a peer met for the first time is all there is to be sure by.
        let new = peer.isKnown ? "" : ", met for the first time"
        console.remark("Connected to \(name), \(peer.fingerprint)\(new), at \(peer.address)")
        console.emit(
            Event(
                .connected,
                [
                    "name": .peerText(peer.name), "fingerprint": .string(peer.fingerprint.description),
                    "address": .string(peer.address), "new": .bool(!peer.isKnown),
                ]))
    }

    private func settled(_ delivery: Delivery) {
        let speed = endProgress()
        let peer = state.withLock(\.peer)
        let sentence = delivery.sentence(to: peer)
        if case .stored(let stored, _) = delivery.outcome {
            console.remark(speed.map { sentence.dropLast() + " (" + $0 + ")." } ?? sentence)
            for line in OmissionLine.sentences(stored.omissions) { console.diagnose(line) }
        } else {
            console.diagnose(sentence)
        }
        console.emit(delivery.event)
    }

    @discardableResult
    private func endProgress() -> String? {
        console.endProgress(bytes: state.withLock(\.sent))
    }
}

extension Event {
    static func started(item: Int?, title: JSONValue, representation: Int?, total: UInt64?) -> Event {
        Event(
            .started,
            [
                "item": .optional(item) { .integer(Int64($0)) }, "title": title,
                "representation": .optional(representation) { .integer(Int64($0)) },
                "total": .optional(total) { .unsigned($0) },
            ])
    }

    static func progress(item: Int?, title: JSONValue, bytes: UInt64, total: UInt64?) -> Event {
        Event(
            .progress,
            [
                "item": .optional(item) { .integer(Int64($0)) }, "title": title, "bytes": .unsigned(bytes),
                "total": .optional(total) { .unsigned($0) },
            ])
    }
}
