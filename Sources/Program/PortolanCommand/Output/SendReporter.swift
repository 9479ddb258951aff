import Portolan
import PortolanProtocol
import Synchronization

/// Reports events of sending items.
final class SendReporter: Sendable {
    private struct State {
        var peer: String
        var total: ProgressTotal = .unknown
        var transferred: UInt64 = 0
    }

    private let console: Console
    private let titles: [String]
    /// Receiver of this report, if there are several: a member of a team, or a target as given.
    private let member: String?
    private let state: Mutex<State>
    private let tally = Mutex(ItemTally())
    private let throttle = Throttle(.milliseconds(200))
    /// Text of the progress line once all bytes are sent.
    static let ending = "being stored there"

    /// - Parameter member: nil for a single receiver, whose progress is shown.
    init(_ console: Console, titles: [String], member: String? = nil) {
        self.console = console
        self.titles = titles
        self.member = member
        state = Mutex(State(peer: member.map { "“\($0)”" } ?? "the receiver"))
    }

    func report(_ event: SendEvent) {
        switch event {
        case .connected(let peer): connected(peer)
        case .waitingForAnswer:
            console.remark("Waiting for a person \(member.map { "at “\($0)”" } ?? "there") to answer…")
            console.emit(\.waiting, .init(member: member))
        case .started(let transfer, let representation, let name, let bytes):
            let total = ProgressTotal(bytes)
            tally.withLock { $0.begin(at: .now) }
            state.withLock { $0 = State(peer: $0.peer, total: total) }
            if member == nil {
                console.beginProgress(
                    title: DisplayText(name.isEmpty ? titles[transfer.item] : name).text, ending: Self.ending,
                    total: total)
            }
            console.emit(
                \.started,
                .init(
                    transfer, item: transfer.item, title: titles[transfer.item], representation: representation,
                    total: bytes, member: member))
        case .progress(let transfer, let done, let transferred):
            let total = state.withLock { state in
                state.transferred = transferred
                return state.total
            }
            if member == nil { console.progress(bytes: done, transferred: transferred) }
            guard throttle.allows(transfer) else { return }
            console.emit(
                \.progress,
                .init(
                    transfer, item: transfer.item, title: titles[transfer.item], bytes: done,
                    transferred: transferred, total: total.bytes, isCounting: total.isCounting, member: member))
        case .found(_, let bytes, let isAll):
            let total = ProgressTotal(found: bytes, isAll: isAll)
            state.withLock { $0.total = total }
            if member == nil { console.progress(total: total) }
        case .broke(let transfer, let representation, let reason):
            endProgress()
            let sentence = DisplayText(sentence: reason, limit: 500).text
            console.diagnose(
                "Form \(representation + 1) of “\(DisplayText(titles[transfer.item], limit: 100))” could not be sent"
                    + "\(member.map { " to “\($0)”" } ?? ""): \(sentence)")
            console.emit(\.fellBack, .init(transfer, representation: representation, message: sentence, member: member))
        case .settled(let delivery): settled(delivery)
        case .resumed(let transfer, let kept): resumed(transfer, kept: kept)
        case .retrying(let reason, let wait): retrying(because: reason, after: wait)
        case .looking(let time):
            let sentence = "It was seen lately, and is not found yet."
            console.remark(
                "\(member.map { "“\($0)”: " } ?? "")\(sentence) Looking for it for \(Human.duration(time.inSeconds)).")
            console.emit(\.retrying, .init(reason: sentence, milliseconds: 0, member: member))
        }
    }

    private func resumed(_ transfer: TransferID, kept: UInt64) {
        let title = titles[transfer.item]
        console.remark(
            "“\(DisplayText(title, limit: 100))” need not be sent whole: \(Human.size(kept)) of it are there already."
        )
        console.emit(\.resumed, .init(transfer, item: transfer.item, title: title, kept: kept, member: member))
    }

    private func retrying(because reason: String, after wait: Duration) {
        endProgress()
        let sentence = DisplayText(sentence: reason, limit: 500).text
        console.diagnose(
            "\(member.map { "To “\($0)”: " } ?? "")\(sentence) Trying again in \(Human.duration(wait.inSeconds)).")
        console.emit(
            \.retrying,
            .init(
                reason: sentence, milliseconds: Int64((wait.inSeconds * 1000).rounded()), member: member))
    }

    private func connected(_ peer: RemotePeer) {
        let name = "“\(member ?? DisplayText(peer.localName, limit: 63).text)”"
        if member == nil { state.withLock { $0.peer = name } }
        // The fingerprint of a new peer is the only means to verify it.
        if peer.isKnown {
            let key = FingerprintText.text(peer.fingerprint, inFull: console.isVerbose)
            console.remark("Connected to \(name) (\(key)) at \(peer.address)")
        } else {
            console.remark("Connected to \(name), met for the first time, at \(peer.address)")
            console.remark("  with the key \(peer.fingerprint)")
        }
        console.emit(\.connected, .init(peer, member: member))
    }

    private func settled(_ delivery: Delivery) {
        let peer = state.withLock(\.peer)
        if case .stored(let stored, _) = delivery.outcome {
            // The last report may be some time ago, and a small item has none. Holes take no time, so the transferred
            // bytes are at most the content.
            let most = state.withLock(\.total.bytes) ?? .max
            let speed = endProgress(transferred: min(stored.bytes - min(stored.bytes, stored.keptBytes), most))
            if !sums(delivery, stored) { console.remark(delivery.sentence(to: peer, speed: speed)) }
            let lines = OmissionLine.sentences(stored.omissions, named: delivery.withheld.unknown)
            for line in lines { console.diagnose(line) }
        } else {
            endProgress()
            console.diagnose(delivery.sentence(to: peer))
        }
        for line in WithheldLine.sentences(delivery.withheld) { console.diagnose(line) }
        console.emit(\.settled, .init(delivery, member: member))
    }

    /// True if an item is only counted: it is one of many and needs no remark.
    private func sums(_ delivery: Delivery, _ stored: StoredItem) -> Bool {
        guard titles.count > ItemTally.few, !console.isVerbose, stored.omissions.count == 0, stored.surplusEntries == 0,
            delivery.withheld.count == 0
        else { return false }
        let isRenamed = !stored.name.isEmpty && stored.name != Array(delivery.title.utf8)
        tally.withLock { $0.add(bytes: stored.bytes, kept: stored.keptBytes, isRenamed: isRenamed) }
        return true
    }

    /// Reports in one line the items without a line of their own. Called at the end.
    func conclude() {
        let tally = tally.withLock(\.self)
        guard tally.count > 0 else { return }
        let items = tally.count == 1 ? "1 item is" : "\(Human.number(tally.count)) items are"
        console.remark("\(items) stored at \(state.withLock(\.peer)), \(tally.amount(at: .now)).")
    }

    @discardableResult
    private func endProgress(transferred: UInt64? = nil) -> String? {
        member == nil ? console.endProgress(transferred: transferred ?? state.withLock(\.transferred)) : nil
    }
}
