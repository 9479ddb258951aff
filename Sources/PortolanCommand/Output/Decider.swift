import Portolan
import PortolanConcurrency
import PortolanCrypto
import PortolanValues

/// Says whether an offer is taken: always, or as the person at the terminal says, or never where there is nobody.
///
/// An offer of a peer whose name is known with another key needs a person, or a team that knows the peer by its key.
struct Decider: Sendable {
    /// Whose offers are taken without asking.
    enum Trust: Sendable {
        case nobody
        /// `--yes`
        case everybody
        /// `--from`: whoever is no member is refused before it can offer anything.
        case members
    }

    private let console: Console
    private let trust: Trust
    /// Lets one question at a time onto the terminal.
    private let terminal = TaskLock()

    init(_ console: Console, trust: Trust) {
        self.console = console
        self.trust = trust
    }

    /// Called for several peers at once; cancelled when the sender goes away.
    func decide(on offer: IncomingOffer) async -> Decision {
        switch trust {
        case .members: return .accept
        case .everybody: return Self.namesakeRefusal(offer.peer).map { Decision($0) } ?? .accept
        case .nobody: break
        }
        do {
            return try await terminal.withLock { try await ask(offer) }
        } catch {
            let name = DisplayText(offer.peer.localName, limit: 63)
            console.diagnose("The offer of “\(name)” is over; an answer to its question counts no more.")
            return .decline(detail: "The question was withdrawn.")
        }
    }

    private func ask(_ offer: IncomingOffer) async throws -> Decision {
        let answer = try await console.ask(OfferText.question(offer))
        // An answer that comes with the end of the offer is not dropped in silence.
        try Task.checkCancellation()
        switch answer {
        // Both keys were shown.
        case true?: return .acceptNamesake
        case false?: return .decline(detail: "The person there said no.", because: "you said no.")
        case nil:
            if let refusal = Self.namesakeRefusal(offer.peer) { return Decision(refusal) }
            console.diagnose("There is no terminal to ask on, so it is declined. Take without asking: --yes")
            return .decline(detail: "Nobody is there to ask.")
        }
    }

    /// The answer to a peer whose name is known with another key, where nobody can be asked; nil for any other peer.
    static func namesakeRefusal(_ peer: RemotePeer) -> Decision.Answer? {
        guard let owner = peer.doubtfulNamesakeOf else { return nil }
        return .decline(
            detail: "A device of this name is known here with another key. Give yours another name (portolan id --name "
                + "NAME), or have somebody answer the question here (receive without --yes), or pair the two (portolan pair).",
            because: "a device of this name is known here with the key \(owner), and this one has the key "
                + "\(peer.fingerprint). To take from it as “\(DisplayText(peer.localName, limit: 63))”, receive without --yes at a "
                + "terminal and answer the question, or pair with it: portolan pair. If it is the same device, set up anew: "
                + "portolan peers --forget \(DisplayText.shellWord(peer.name))")
    }
}
