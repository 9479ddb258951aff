import Portolan
import PortolanCrypto
import PortolanTrust

/// Tells what happens between making or entering a code and its end.
struct CodeReporter: Sendable {
    let console: Console

    /// Shows a code that was made here: first of all, and alone on its line, so that a script can read it.
    ///
    /// - Parameters:
    ///   - lifetime: how long it can be used.
    ///   - command: what is typed on the other machine, the code left out.
    ///   - invitation: what it lets others into; nil for pairing.
    func announce(
        _ code: PairingCode, options: CodeOptions, command: String, invitation: Invitation? = nil
    ) throws {
        console.say(code.text)
        console.emit(
            Event(
                .code,
                [
                    "code": .string(code.text), "seconds": .integer(options.lifetime.wholeSeconds),
                    "team": .optional(invitation) { .string($0.team.name.text) },
                    "groups": .array(invitation?.groups.map { .string($0.text) } ?? []),
                    "uses": .integer(Int64(invitation?.uses ?? 1)),
                ]))
        if options.qr {
            for line in try QRCode(code.text).lines(colored: Terminal.output.isTerminal) { console.say(line) }
        }
        let machines = Human.count(invitation?.uses ?? 1, "machine")
        console.remark(
            "Good for \(options.lifetime.asArgument) and \(machines). On the other one: \(command) \(code.text)")
    }

    /// What a code invites to.
    struct Invitation {
        let team: Team
        let groups: [GroupName]
        let uses: Int
    }

    func report(_ event: CodeEvent) {
        switch event {
        case .waiting(let port, let discovery):
            let isFound = discovery != Node.Configuration.Discovery.off.rawValue
            console.remark(
                "Waiting on port \(port), \(isFound ? "found by \(discovery)" : "to be reached with --at HOST:PORT"). "
                    + "Ctrl-C ends it, and the code with it.")
            console.emit(Event(.awaiting, ["port": .integer(Int64(port)), "discovery": .string(discovery)]))
        case .found(let address):
            console.remark("Found the machine that shows the code, at \(DisplayText(address)).")
            console.emit(Event(.found, ["address": .peerText(address)]))
        case .refused(let address, let reason):
            console.diagnose(
                "A connection from \(DisplayText(address)) was refused: \(DisplayText(sentence: reason, limit: 500))")
            console.emit(Event(.refused, ["address": .peerText(address), "reason": .peerText(reason)]))
        case .warning(let message):
            console.diagnose(DisplayText(sentence: message, limit: 500).text)
            console.emit(Event(.note, ["message": .peerText(message)]))
        }
    }
}
