import Portolan

/// Journal entries about peers that appear and disappear. Contacts and members of teams get an entry each time;
/// strangers, who can advertise any number of names, are combined.
struct PeerSightings: Sendable {
    private let append: @Sendable (EventJournal.Entry) -> Void
    private let appeared = StrangerEntries(foldedAs: .peersAppeared) { number, _ in
        number == 1 ? "and 1 more stranger appeared" : "and \(number) more strangers appeared"
    }
    private let gone = StrangerEntries(foldedAs: .peersGone) { number, _ in
        number == 1 ? "and 1 more stranger went" : "and \(number) more strangers went"
    }

    init(_ append: @escaping @Sendable (EventJournal.Entry) -> Void) { self.append = append }

    func noteAppeared(_ peer: Peer) { note(.peerAppeared, peer, appeared) }

    func noteGone(_ peer: Peer) { note(.peerGone, peer, gone) }

    private func note(_ kind: JournalKind, _ peer: Peer, _ strangers: StrangerEntries) {
        guard peer.standing != .anyone || strangers.isTold() else { return }
        append(
            .init(
                kind: kind,
                values: [
                    "name": .text(peer.localName ?? peer.name),
                    "fingerprint": JournalValue(peer.fingerprint?.description),
                    "foundBy": .text(peer.foundBy),
                ]))
    }

    /// Writes combined entries until the task is cancelled. Called once.
    func run() async {
        async let _ = appeared.run(append)
        await gone.run(append)
    }

    /// Writes combined entries now.
    func fold() { for entry in appeared.fold() + gone.fold() { append(entry) } }
}
