import ArgumentParser
import Portolan
import PortolanSettings

/// Options for the time to wait for a peer that is not reachable yet.
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

    /// Returns a sentence that names the missing peer and the waiting time.
    ///
    /// - Parameter target: name of the peer, as harmless text.
    func sentence(_ error: NodeError, _ target: String) -> String {
        // Lines after the first list the peers in sight, one of which the user may have meant.
        let first = error.description.split(separator: "\n").first.map(String.init) ?? ""
        let ending = " These are there:"
        let reason = first.hasSuffix(ending) ? String(first.dropLast(ending.count)) : first
        return DisplayText(sentence: reason, limit: 500).text
            + " Waiting for “\(target)”, for \(patience.asArgument) at most; Ctrl-C ends it."
    }

    /// Prints ``sentence(_:_:)``, and reports it as an event.
    func tell(_ error: NodeError, _ target: String, on console: Console) {
        let sentence = sentence(error, target)
        if !console.isQuiet { console.diagnose(sentence) }
        console.emit(\.retrying, .init(reason: sentence, milliseconds: 1000, member: nil))
    }
}
