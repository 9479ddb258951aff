import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization

/// Tells what happens while items are sent.
final class SendReporter: Sendable {
    private struct State {
        var peer: String
        var total: ProgressTotal = .unknown
        var transferred: UInt64 = 0
    }

    private let console: Console
    private let titles: [String]
    /// The member of a team that this is about, while others get the same.
    private let member: DeviceName?
    private let state: Mutex<State>
    private let throttle = Throttle<Int>(.milliseconds(200))
    /// Text of the progress line once all bytes are sent.
    static let ending = "being stored there"

    /// - Parameter member: nil where there is one receiver, who has the progress line for itself.
    init(_ console: Console, titles: [String], member: DeviceName? = nil) {
        self.console = console
        self.titles = titles
        self.member = member
        state = Mutex(State(peer: member.map { "“\($0)”" } ?? "the receiver"))
    }

    func report(_ event: SendEvent) {
        switch event {
        case .connected(let peer): connected(peer)
        case .waitingForAnswer:
            console.remark("Waiting for somebody \(member.map { "at “\($0)”" } ?? "there") to answer…")
            console.emit(Event(.waiting, ["member": memberValue]))
        case .started(let item, let representation, let name, let bytes):
            let total = ProgressTotal(bytes)
            state.withLock { $0 = State(peer: $0.peer, total: total) }
            if member == nil {
                console.beginProgress(
                    title: DisplayText(name.isEmpty ? titles[item] : name).text, ending: Self.ending, total: total)
            }
            console.emit(
                .started(
                    item: item, title: .string(titles[item]), representation: representation, total: bytes,
                    member: memberValue))
        case .progress(let item, let done, let transferred):
            let total = state.withLock { state in
                state.transferred = transferred
                return state.total
            }
            if member == nil { console.progress(bytes: done, transferred: transferred) }
            guard throttle.allows(item) else { return }
            console.emit(
                .progress(
                    item: item, title: .string(titles[item]), bytes: done, transferred: transferred, total: total,
                    member: memberValue))
        case .found(_, let bytes, let isAll):
            let total = ProgressTotal(found: bytes, isAll: isAll)
            state.withLock { $0.total = total }
            if member == nil { console.progress(total: total) }
        case .broke(let item, let representation, let reason):
            endProgress()
            let sentence = DisplayText(sentence: reason, limit: 500).text
            console.diagnose(
                "Representation \(representation + 1) of “\(DisplayText(titles[item], limit: 100))” could not be sent"
                    + "\(member.map { " to “\($0)”" } ?? ""): \(sentence)")
            console.emit(
                Event(
                    .fellBack,
                    [
                        "item": .integer(Int64(item)), "representation": .integer(Int64(representation)),
                        "message": .string(sentence), "member": memberValue,
                    ]))
        case .settled(let delivery): settled(delivery)
        case .resumed(let item, let kept): resumed(item, kept: kept)
        case .retrying(let reason, let wait): retrying(because: reason, after: wait)
        }
    }

    private func resumed(_ item: Int, kept: UInt64) {
        console.remark(
            "“\(DisplayText(titles[item], limit: 100))” need not be sent whole: \(Human.size(kept)) of it are there already."
        )
        console.emit(.resumed(item: item, title: .string(titles[item]), kept: kept, member: memberValue))
    }

    private func retrying(because reason: String, after wait: Duration) {
        endProgress()
        let sentence = DisplayText(sentence: reason, limit: 500).text
        console.diagnose(
            "\(member.map { "To “\($0)”: " } ?? "")\(sentence) Trying again in \(Human.duration(wait.inSeconds)).")
        console.emit(
            Event(
                .retrying,
                [
                    "reason": .string(sentence), "milliseconds": .integer(Int64((wait.inSeconds * 1000).rounded())),
                    "member": memberValue,
                ]))
    }

    private func connected(_ peer: RemotePeer) {
        let name = "“\(member.map { DisplayText($0.text) } ?? DisplayText(peer.localName, limit: 63))”"
        if member == nil { state.withLock { $0.peer = name } }
        // The fingerprint of a peer met for the first time is all there is to be sure by.
        let new = peer.isKnown ? "" : ", met for the first time"
        console.remark("Connected to \(name), \(peer.fingerprint)\(new), at \(peer.address)")
        console.emit(
            Event(
                .connected,
                [
                    "name": .peerText(peer.name), "fingerprint": .string(peer.fingerprint.description),
                    "address": .string(peer.address), "new": .bool(!peer.isKnown), "member": memberValue,
                    "localName": .peerText(peer.localName),
                ]))
    }

    private func settled(_ delivery: Delivery) {
        let peer = state.withLock(\.peer)
        if case .stored(let stored, _) = delivery.outcome {
            // The last report may be a while ago, and of a small item there is none.
            let speed = endProgress(transferred: stored.bytes - min(stored.bytes, stored.keptBytes))
            console.remark(delivery.sentence(to: peer, speed: speed))
            for line in OmissionLine.sentences(stored.omissions) { console.diagnose(line) }
        } else {
            endProgress()
            console.diagnose(delivery.sentence(to: peer))
        }
        for line in WithheldLine.sentences(delivery.withheld) { console.diagnose(line) }
        console.emit(delivery.event(member: memberValue))
    }

    private var memberValue: JSONValue { .optional(member) { .string($0.text) } }

    @discardableResult
    private func endProgress(transferred: UInt64? = nil) -> String? {
        member == nil ? console.endProgress(transferred: transferred ?? state.withLock(\.transferred)) : nil
    }
}

extension Event {
    static func started(item: Int?, title: JSONValue, representation: Int?, total: UInt64?, member: JSONValue = .null)
        -> Event
    {
        Event(
            .started,
            [
                "item": .optional(item) { .integer(Int64($0)) }, "title": title,
                "representation": .optional(representation) { .integer(Int64($0)) },
                "total": .optional(total) { .unsigned($0) }, "member": member,
            ])
    }

    static func progress(
        item: Int?, title: JSONValue, bytes: UInt64, transferred: UInt64, total: ProgressTotal,
        member: JSONValue = .null
    ) -> Event {
        Event(
            .progress,
            [
                "item": .optional(item) { .integer(Int64($0)) }, "title": title, "bytes": .unsigned(bytes),
                "transferred": .unsigned(transferred), "total": .optional(total.bytes) { .unsigned($0) },
                "counting": .bool(total.isCounting),
                "member": member,
            ])
    }

    /// - Parameter peer: whom it comes from; null where it is sent.
    static func resumed(
        item: Int?, title: JSONValue, peer: JSONValue = .null, kept: UInt64, member: JSONValue = .null
    ) -> Event {
        Event(
            .resumed,
            [
                "item": .optional(item) { .integer(Int64($0)) }, "title": title, "peer": peer, "kept": .unsigned(kept),
                "member": member,
            ])
    }
}
