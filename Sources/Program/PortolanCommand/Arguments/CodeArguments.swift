import ArgumentParser
import Portolan
import PortolanSettings

/// A code that another machine shows, and the ways to hand it over.
struct CodeArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The code that the other machine shows, or - to read it from standard input.",
            discussion: """
                While the command runs, other users of this machine can see its arguments, and a code among them. Where that \
                matters, use - or --code-fd, or type it when asked.
                """,
            valueName: "code"),
        completion: .custom { _, _, prefix in PairingCode.completions(of: prefix) })
    var code: String?

    @Option(name: .customLong("code-fd"), help: .value("number", "Read the code from this file descriptor."))
    var descriptor: Int32?

    func validate() throws {
        if code != nil, descriptor != nil {
            throw ValidationError("Give the code as an argument or with --code-fd, not both.")
        }
        if let descriptor, descriptor < 0 { throw ValidationError("A file descriptor is a number from 0.") }
        guard let code, code != "-" else { return }
        _ = try translating(PairingCode(code)) { (error: PairingCodeError) in ValidationError(error.description) }
    }

    /// Source of the code; nil if the command line names none.
    var source: CodeSource? {
        if let descriptor { return .descriptor(descriptor) }
        guard let code else { return nil }
        return code == "-" ? .descriptor(STDIN_FILENO) : (try? PairingCode(code)).map(CodeSource.given)
    }
}

/// Options for the lifetime of a code that is made here, and for its display.
struct CodeOptions: ParsableArguments {
    /// Time to walk over to the other machine.
    static let usualLifetime = Duration.seconds(600)

    @Option(
        help: ArgumentHelp(
            "How long the code can be used: 90s, 10m, 1h; \(CodeOptions.usualLifetime.asArgument) if left out.",
            valueName: "time"),
        transform: DurationSyntax.parse)
    var valid: Duration?

    @Flag(help: "Draw the code as a QR code, too. It holds the words and nothing else.")
    var qr = false

    var lifetime: Duration { valid ?? Self.usualLifetime }

    /// Checks everything that could keep the code from being shown, before the code is made.
    func check() throws {
        if qr { try QRCode.checkAvailable() }
    }

    /// - Throws: `ValidationError` where a drawing would make the lines of `--json` unreadable.
    func validate(with shared: SharedOptions) throws {
        if qr, shared.json { throw ValidationError("--qr draws for people; leave it out with --json.") }
    }
}

/// Options for the search for the machine that shows a code.
struct CodeSearch: ParsableArguments {
    static let usualWait = Duration.seconds(60)

    @Option(
        help: ArgumentHelp(
            "How long to look for the machine that shows the code: 90s, 10m, 1h; \(CodeSearch.usualWait.asArgument) if left out.",
            valueName: "time"),
        transform: DurationSyntax.parse)
    var wait: Duration?

    @OptionGroup var at: CodePlace

    var place: String? { at.place }
    var duration: Duration { wait ?? Self.usualWait }
}

/// Option for the place of the machine that shows a code.
struct CodePlace: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where the machine that shows the code is, if it cannot be found by the code's number.",
            valueName: "host:port"))
    var place: String?
}
