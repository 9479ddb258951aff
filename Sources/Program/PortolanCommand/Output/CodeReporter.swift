import Portolan

/// Reports the progress of a code, from making or entering it to its end.
struct CodeReporter: Sendable {
    let console: Console

    /// Shows a new code first, alone on its line, so that a script can read it.
    ///
    /// - Parameters:
    ///   - options: lifetime of the code and number of its uses.
    ///   - command: command for the other machine, without the code.
    ///   - invitation: membership that the code invites to; nil for pairing.
    func announce(
        _ code: PairingCode, options: CodeOptions, command: String, invitation: Invitation? = nil
    ) throws {
        console.say(code.text)
        console.emit(
            \.code,
            .init(
                code, seconds: options.lifetime.wholeSeconds, team: invitation?.team.name,
                groups: invitation?.groups ?? [], uses: invitation?.uses ?? 1))
        if options.qr {
            let output = Terminal.output
            for line in try QRCode(code.text).lines(colored: output.hasColors, plain: output.isPlain) {
                console.say(line)
            }
        }
        let machines = Human.count(invitation?.uses ?? 1, "machine")
        console.remark(
            "Good for \(options.lifetime.asArgument) and \(machines). On the other one: \(command) \(code.text)")
    }

    /// Membership that a code invites to.
    struct Invitation {
        let team: Team
        let groups: [GroupName]
        let uses: Int
    }

    func report(_ event: CodeEvent) {
        console.emit(NodeEvent(event))
        switch event {
        case .waiting(let port, let discovery):
            let isFound = discovery != Node.Configuration.Discovery.off.rawValue
            console.remark(
                "Waiting on port \(port), \(isFound ? "found by \(discovery)" : "to be reached with --at HOST:PORT"). "
                    + "Ctrl-C ends it, and the code with it.")
        case .found(let address):
            console.remark("Found the machine that shows the code, at \(DisplayText(address)).")
        case .refused(let address, let reason):
            console.diagnose(
                "A connection from \(DisplayText(address)) was refused: \(DisplayText(sentence: reason, limit: 500))")
        case .warning(let message):
            console.diagnose(DisplayText(sentence: message, limit: 500).text)
        }
    }
}
