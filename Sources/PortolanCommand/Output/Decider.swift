import Portolan
import PortolanCrypto
import PortolanTrust

/// Says whether an offer is taken: always, or as the person at the terminal says, or never where there is nobody.
struct Decider: Sendable {
    private let console: Console
    private let takesEverything: Bool
    private let turn = Turn()

    init(_ console: Console, takesEverything: Bool) {
        self.console = console
        self.takesEverything = takesEverything
    }

    /// Called for several peers at once; cancelled when the sender goes away.
    func decide(on offer: IncomingOffer) async -> Decision {
        if takesEverything { return .accept }
        do {
            return try await turn.alone { try await ask(offer) }
        } catch {
            return .decline(detail: "The question was withdrawn.")
        }
    }

    private func ask(_ offer: IncomingOffer) async throws -> Decision {
        switch try await console.ask(OfferText.question(offer)) {
        case true?: return .accept
        case false?: return .decline(detail: "The person there said no.", because: "you said no.")
        case nil:
            console.diagnose("There is no terminal to ask on, so it is declined. Take without asking: --yes")
            return .decline(detail: "Nobody is there to ask.")
        }
    }
}

/// Lets one question at a time onto the terminal.
private actor Turn {
    private var isTaken = false

    private func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    private func giveBack() { isTaken = false }

    nonisolated func alone<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        while !(await take()) { try await Task.sleep(for: .milliseconds(50)) }
        do {
            let result = try await body()
            await giveBack()
            return result
        } catch {
            await giveBack()
            throw error
        }
    }
}
