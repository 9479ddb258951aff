import Portolan
import PortolanConcurrency
import Synchronization

/// Decides on offers: takes all, or asks the user, or takes none without a terminal.
///
/// An offer of a peer whose name belongs to another key needs the user, or a team that has the peer's key.
final class Decider: Sendable {
    /// Senders whose offers are taken without a question.
    enum Trust: Sendable {
        case nobody
        /// `--yes`
        case everybody
        /// `--from`: a sender that is not named is refused before it can offer items.
        case chosen
    }

    private let console: Console
    private let trust: Trust
    /// Lets one question at a time onto the terminal.
    private let terminal = TaskLock()
    /// Contacts for which the user has answered “always”.
    private let always = Mutex<Set<Fingerprint>>([])

    init(_ console: Console, trust: Trust) {
        self.console = console
        self.trust = trust
    }

    /// Called for several peers at once; cancelled when the sender disconnects.
    func decide(on offer: IncomingOffer) async -> Decision {
        switch trust {
        case .chosen: return .accept
        case .everybody: return Self.namesakeRefusal(offer.peer).map { Decision($0) } ?? .accept
        case .nobody: break
        }
        if takesAlways(from: offer.peer) { return .accept }
        do {
            return try await terminal.withLock {
                // The answer “always” may have been given while this offer waited for its turn.
                if takesAlways(from: offer.peer) { return .accept }
                return try await ask(offer)
            }
        } catch {
            let name = DisplayText(offer.peer.localName, limit: 63)
            guard error is CancellationError else {
                console.diagnose("You cannot be asked about the offer of “\(name)”, so it is declined: \(error).")
                return .decline(detail: "The question could not be asked.")
            }
            console.diagnose("The offer of “\(name)” is over; an answer to its question counts no more.")
            return .decline(detail: "The question was withdrawn.")
        }
    }

    /// True if a person answered “always” for the peer and the peer is still a contact, which is looked up for each
    /// session.
    private func takesAlways(from peer: RemotePeer) -> Bool {
        peer.standing.isContact && always.withLock { $0.contains(peer.fingerprint) }
    }

    private func ask(_ offer: IncomingOffer) async throws -> Decision {
        // The key of a peer that is no contact was not confirmed.
        let offersAlways = offer.peer.standing.isContact
        let choices = OfferReply.choices(offersAlways: offersAlways)
        let name = DisplayText(offer.peer.localName, limit: 63).text
        var remark = OfferText.body(offer, inFull: console.isVerbose)
        while true {
            let reply = try await console.put("\(remark)\n\(OfferText.question(offer)) \(choices) ")
            // An answer that comes together with the end of the offer is not dropped silently.
            try Task.checkCancellation()
            switch reply {
            case .nobody:
                if let refusal = Self.namesakeRefusal(offer.peer) { return Decision(refusal) }
                console.diagnose("There is no terminal to ask on, so it is declined. Take without asking: --yes")
                return .decline(detail: "There is no person to ask.")
            case .ended: return .decline(detail: "The person there said no.", because: "you said no.")
            case .line(let line):
                switch OfferReply(line, offersAlways: offersAlways) {
                case .yes?: return .acceptNamesake  // Both keys were shown.
                case .no?: return .decline(detail: "The person there said no.", because: "you said no.")
                case .always?:
                    always.withLock { _ = $0.insert(offer.peer.fingerprint) }
                    return .acceptNamesake
                case .help?: remark = OfferReply.explanation(offersAlways: offersAlways, name)
                case nil: remark = "Please answer with one of these letters; ? says more."
                }
            }
        }
    }

    /// Refusal of a peer whose name belongs to another key, if the user cannot be asked; nil for any other peer.
    static func namesakeRefusal(_ peer: RemotePeer) -> Decision.Answer? {
        guard let owner = peer.doubtfulNamesakeOf else { return nil }
        return .decline(
            detail:
                "A device of this name is known here with another key. Give yours another name (portolan id --name NAME), "
                + "have a person answer here (receive without --yes), or pair the two (portolan pair).",
            because:
                "the name is known here with another key. Known: \(owner). Now: \(peer.fingerprint). To take from it as "
                + "“\(DisplayText(peer.localName, limit: 63))”: receive without --yes and answer, or portolan pair. The same "
                + "device, set up anew: portolan peers --forget \(DisplayText.shellWord(peer.name))")
    }
}
