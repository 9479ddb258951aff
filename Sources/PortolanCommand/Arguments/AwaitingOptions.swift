import ArgumentParser
import Portolan
import PortolanValues

/// How long a peer is waited for that is not there yet.
struct AwaitingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long to wait for a peer that is not there yet: 90s, 10m, 1h; 0 or nothing does not wait.",
            discussion: """
                While it is not in sight, its name has no address, or nothing answers there, it is looked for again. A name that \
                two peers have ends it at once. To leave it to the agent instead: 'portolan send --queue'.
                """,
            valueName: "time"),
        transform: RetrySyntax.parse)
    var wait: Duration?

    var patience: Duration { wait ?? .zero }

    /// What is missing, and how long it is waited for.
    ///
    /// - Parameter target: whom, as harmless text.
    func sentence(_ error: NodeError, _ target: String) -> String {
        // Below the first line stand those that are there, for somebody who meant another one.
        let first = error.description.split(separator: "\n").first.map(String.init) ?? ""
        let ending = " These are there:"
        let reason = first.hasSuffix(ending) ? String(first.dropLast(ending.count)) : first
        return DisplayText(sentence: reason, limit: 500).text
            + " Waiting for “\(target)”, for \(patience.asArgument) at most; Ctrl-C ends it."
    }

    /// Says ``sentence(_:_:)``, and reports it.
    func tell(_ error: NodeError, _ target: String, on console: Console) {
        let sentence = sentence(error, target)
        if !console.isQuiet { console.diagnose(sentence) }
        console.emit(\.retrying, .init(reason: sentence, milliseconds: 1000, member: nil))
    }
}
