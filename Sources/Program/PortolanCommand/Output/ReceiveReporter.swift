import Portolan
import PortolanProtocol
import Synchronization

/// Reports events of receiving, and keeps the running transfers.
final class ReceiveReporter: Sendable {
    private struct Progress {
        let session: RandomID
        var total: ProgressTotal
        var transferred: UInt64 = 0
    }

    private struct Expected {
        var items: Int
        var hasStored = false
        /// True if the items are so many that those without remarks are only counted.
        let areMany: Bool
        var tally = ItemTally()

        init(_ items: Int) {
            self.items = items
            areMany = items > ItemTally.few
        }

        /// True if something was stored and no item is missing. False for a resumed offer, whose number of items is
        /// unknown until its session ends.
        var isComplete: Bool { hasStored && items <= 0 }
    }

    private struct State {
        var underWay: [TransferID: Progress] = [:]
        /// Transfer in the progress line, which has room for one.
        var shown: TransferID?
        /// Expected items of each session's offers, and whether any was stored.
        var expected: [RandomID: Expected] = [:]
        /// True if a session ended in which something was stored.
        var hasReceived = false
        var isStopping = false
        var brokeOff = false
        /// True if everything that was expected of a session was stored before `stop`.
        var wasComplete = false
        var hasOmissions = false
        /// Items whose text was shown on the terminal or written to the pipe.
        var shownTexts: Set<TransferID> = []
    }

    private let console: Console
    private let node: Node
    /// Folder that receives the items; nil if none does.
    private let inbox: String?
    private let texts: TextDisplay
    private let state = Mutex(State())
    private let throttle = Throttle(.milliseconds(200))
    private let received = AsyncStream.makeStream(of: Void.self)

    init(_ console: Console, node: Node, inbox: String?) {
        texts = TextDisplay(console: console)
        self.console = console
        self.node = node
        self.inbox = inbox
    }

    /// True if `stop` broke a transfer off.
    var brokeSomethingOff: Bool { state.withLock(\.brokeOff) }

    /// True if everything that one session offered was stored before `stop`, which broke nothing off.
    var wasComplete: Bool { state.withLock(\.wasComplete) }

    /// True if a stored item lacks content.
    var hasOmissions: Bool { state.withLock(\.hasOmissions) }

    /// Called when the user stops the command: sessions that end early from now on do so because of that.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.brokeOff = !state.underWay.isEmpty
            state.wasComplete =
                !state.brokeOff && (state.hasReceived || state.expected.values.contains(where: \.isComplete))
        }
    }

    /// Returns after the first session in which an item was stored.
    func waitUntilSomethingWasReceived() async {
        for await _ in received.stream { return }
    }

    /// Shows an item that is words as such. Called when it is stored, and before its sender has the receipt.
    func show(_ item: ReceivedItem) async {
        guard item.isText, item.omissions.missing == 0 else { return }
        let place = ReceivedLine.place(item, in: inbox)
        let file = TextDisplay.File(path: item.path, place: place, size: item.bytes)
        guard await texts.show(file, called: item.title, "Text from \(shown(item.peer))\(ReceivedLine.level(item))")
        else { return }
        state.withLock { _ = $0.shownTexts.insert(item.transfer) }
    }

    func report(_ event: ReceiveEvent) {
        switch event {
        case .listening(let port, let name, let discovery): listening(port: port, name: name, discovery: discovery)
        case .renamed(let name):
            console.diagnose(
                "The name is taken on this network, by another device or by another process of this one, so others may see this "
                    + "one as “\(DisplayText(name))”.")
            console.emit(\.renamed, .init(name: name))
        case .connected: break
        case .offered(let offer):
            state.withLock { $0.expected[offer.peer.session] = Expected(offer.items.count) }
            console.emit(\.offer, .init(offer))
        case .declined(let peer, let reason):
            state.withLock { $0.expected[peer.session] = nil }
            if peer.namesakeOf == nil {
                console.remark("Declined the offer of \(shown(peer)): \(sentence(reason))")
            } else {
                // The peer has no stored name, and its user may ask for the reason.
                console.diagnose("Declined the offer of “\(DisplayText(peer.name, limit: 63))”: \(sentence(reason))")
            }
            console.emit(\.declined, .init(peer, reason: reason))
        case .declinedItem(let transfer, let reason):
            state.withLock { $0.expected[transfer.peer.session]?.items -= 1 }
            console.remark("Declined \(shown(transfer)): \(sentence(reason))")
            tellMany(of: transfer.peer)
            console.emit(\.declined, .init(transfer, reason: reason))
        case .started(let transfer, let bytes): started(transfer, bytes: bytes)
        case .found(let transfer, let bytes, let isAll):
            found(transfer.id, ProgressTotal(found: bytes, isAll: isAll))
        case .resumed(let transfer, let kept):
            console.remark(
                "\(shown(transfer)) need not come whole: \(Human.size(kept)) of it are here already.")
            console.emit(
                \.resumed,
                .init(
                    transfer.id, item: nil, title: String(peerText: transfer.title), peer: transfer.peer, kept: kept
                ))
        case .progress(let transfer, let done, let transferred):
            progress(transfer, bytes: done, transferred: transferred)
        case .stored(let item):
            stored(item)
            console.emit(\.stored, .init(item))
        case .quarantined(let item):
            stored(item, isQuarantined: true)
            console.emit(\.quarantined, .init(item))
        case .failed(let transfer, let reason):
            end(transfer.id)
            state.withLock { $0.expected[transfer.peer.session]?.items -= 1 }
            console.diagnose("\(shown(transfer)) was not received: \(sentence(reason))")
            tellMany(of: transfer.peer)
            console.emit(\.failed, .init(transfer, reason: reason))
        case .disconnected(let peer, let reason):
            let cut = state.withLock { $0.underWay.filter { $0.value.session == peer.session }.map(\.key) }
            for transfer in cut { end(transfer) }
            let reason = state.withLock(\.isStopping) ? "This side was stopped." : reason
            console.diagnose("The session with \(shown(peer)) ended early: \(sentence(reason))")
            console.emit(\.disconnected, .init(peer, reason: reason))
            // A sender that has not sent everything returns with the rest.
            finished(peer, unless: { $0.items > 0 })
        case .finished(let peer):
            finished(peer)
        case .refused(let address, let reason):
            console.diagnose("A connection from \(DisplayText(address)) was refused: \(sentence(reason))")
            console.emit(\.refused, .init(address: address, reason: reason))
        case .warning(let message):
            console.diagnose(sentence(message))
            console.emit(\.note, .init(message))
        }
    }

    private func listening(port: UInt16, name: String, discovery: String) {
        let doing =
            switch inbox {
            case nil: "shares"
            case ReceivedItem.output?: "receives to standard output"
            case let folder?: "receives into \(DisplayText(folder, limit: 4096))"
            }
        let isFound = discovery != Node.Configuration.Discovery.off.rawValue
        console.remark(
            """
            “\(DisplayText(name))” \(doing)
            on port \(port), \(isFound ? "found by \(discovery)" : "to be reached by its address")
            fingerprint \(node.identity.fingerprint)
            """)
        console.emit(
            \.listening,
            .init(
                name: name, fingerprint: node.identity.fingerprint, port: port, discovery: discovery, inbox: inbox)
        )
    }

    private func started(_ transfer: IncomingTransfer, bytes: UInt64?) {
        let total = ProgressTotal(bytes)
        let isShown = state.withLock { state in
            state.underWay[transfer.id] = Progress(session: transfer.peer.session, total: total)
            state.expected[transfer.peer.session]?.tally.begin(at: .now)
            if state.shown == nil { state.shown = transfer.id }
            return state.shown == transfer.id
        }
        if isShown {
            console.beginProgress(title: DisplayText(transfer.title).text, ending: "being stored", total: total)
        }
        console.emit(
            \.started,
            .init(
                transfer.id, item: nil, title: String(peerText: transfer.title), representation: nil, total: bytes)
        )
    }

    private func found(_ transfer: TransferID, _ total: ProgressTotal) {
        let isShown = state.withLock { state in
            state.underWay[transfer]?.total = total
            return state.shown == transfer
        }
        if isShown { console.progress(total: total) }
    }

    private func progress(_ transfer: IncomingTransfer, bytes: UInt64, transferred: UInt64) {
        let (isShown, total) = state.withLock { state in
            state.underWay[transfer.id]?.transferred = transferred
            return (state.shown == transfer.id, state.underWay[transfer.id]?.total ?? .unknown)
        }
        if isShown { console.progress(bytes: bytes, transferred: transferred) }
        guard throttle.allows(transfer.id) else { return }
        console.emit(
            \.progress,
            .init(
                transfer.id, item: nil, title: String(peerText: transfer.title), bytes: bytes,
                transferred: transferred, total: total.bytes, isCounting: total.isCounting))
    }

    private func stored(_ item: ReceivedItem, isQuarantined: Bool = false) {
        // Holes take no time, so the transferred bytes are at most the content.
        let most = state.withLock { $0.underWay[item.transfer]?.total.bytes } ?? .max
        let speed = end(item.transfer, transferred: min(item.bytes - min(item.bytes, item.keptBytes), most))
        let isTold = state.withLock { state in
            // The rest of a resumed item is not offered again, so only the sender's last message shows that the item is
            // complete.
            var expected = state.expected[item.peer.session] ?? Expected(.max)
            expected.items -= 1
            expected.hasStored = true
            let isSummed = expected.areMany && !isQuarantined && !console.isVerbose && ReceivedLine.isPlain(item)
            if isSummed {
                expected.tally.add(bytes: item.bytes, kept: item.keptBytes, isRenamed: item.title != item.name)
            }
            state.expected[item.peer.session] = expected
            if item.omissions.missing > 0 { state.hasOmissions = true }
            return state.shownTexts.remove(item.transfer) != nil || isSummed
        }
        if isTold { return tellMany(of: item.peer) }
        let line = "\(isQuarantined ? "In quarantine: " : "")\(ReceivedLine.text(item, in: inbox, speed: speed))"
        console.say("\(line) from \(shown(item.peer))")
        for line in OmissionLine.sentences(item.omissions) { console.diagnose(line) }
        tellMany(of: item.peer)
    }

    /// Reports the items of an offer that were only counted, after the last one.
    private func tellMany(of peer: RemotePeer, isOver: Bool = false) {
        let tally = state.withLock { state -> ItemTally? in
            guard let expected = state.expected[peer.session], expected.tally.count > 0, isOver || expected.items <= 0
            else { return nil }
            state.expected[peer.session]?.tally = ItemTally()
            return expected.tally
        }
        guard let tally else { return }
        console.say("\(Human.count(tally.count, "item")), \(tally.amount(at: .now)), from \(shown(peer))")
    }

    private func finished(_ peer: RemotePeer, unless isIncomplete: (Expected) -> Bool = { _ in false }) {
        tellMany(of: peer, isOver: true)
        let hasReceived = state.withLock { state in
            guard let expected = state.expected.removeValue(forKey: peer.session), expected.hasStored,
                !isIncomplete(expected)
            else { return false }
            state.hasReceived = true
            return true
        }
        if hasReceived { received.continuation.yield() }
    }

    @discardableResult
    private func end(_ transfer: TransferID, transferred: UInt64? = nil) -> String? {
        throttle.forget(transfer)
        let (wasShown, known) = state.withLock { state in
            let wasShown = state.shown == transfer
            if wasShown { state.shown = nil }
            return (wasShown, state.underWay.removeValue(forKey: transfer)?.transferred ?? 0)
        }
        return wasShown ? console.endProgress(transferred: transferred ?? known) : nil
    }

    private func shown(_ peer: RemotePeer) -> String { "“\(DisplayText(peer.localName, limit: 63))”" }

    private func shown(_ transfer: IncomingTransfer) -> String {
        "“\(DisplayText(transfer.title, limit: 100))” from \(shown(transfer.peer))"
    }

    private func sentence(_ text: String) -> String { DisplayText(sentence: text, limit: 700).text }
}
