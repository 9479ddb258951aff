import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// Options that choose between sending now and leaving it to the agent.
struct QueueOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Leave it to the agent, which delivers it when the receiver is there; ends when it is safe in the agent's outbox.",
            discussion: """
                Files are referred to by their path: a file that changes meanwhile is delivered as it is then, unless \
                --copy is given. 'portolan outbox' shows its outcome. Ends with 69 if no agent runs.
                """))
    var queue = false

    @Option(
        help: .value("time", "Do not deliver it any more after so long: 90s, 12h, 3d."),
        transform: DurationSyntax.withinAYear)
    var expires: Duration?

    @Flag(
        help: ArgumentHelp(
            "With --queue: have the agent keep a copy of the files as they are now, and deliver that.",
            discussion: """
                The copy takes no room where the file system can share blocks. It is removed when the parcel is delivered, expired or \
                cancelled; such a parcel cannot be tried again.
                """))
    var copy = false

    @OptionGroup var agent: AgentOptions

    func check() throws {
        if agent.withoutAgent, queue { throw ValidationError("--queue leaves it to the agent; leave --no-agent out.") }
        if copy, !queue { throw ValidationError("--copy is about queued items; give --queue, too.") }
        if expires != nil, !queue { throw ValidationError("--expires is about queued items; give --queue, too.") }
    }

    /// Longest time that the agent takes to copy files.
    private static let copyTime = Duration.seconds(7 * 86_400)

    /// Puts a parcel for each target into the agent's outbox.
    ///
    /// - Throws: `CommandFailure`, or errors of the library and the agent.
    func queue(
        _ items: [Item], to targets: [String], _ options: ParcelOptions, by node: Node, _ settings: Settings,
        _ console: Console
    ) async throws {
        let client = try agent.neededClient(settings, console, timeout: copy ? Self.copyTime : nil)
        let expires = expires.map { Date().addingTimeInterval(TimeInterval($0.components.seconds)) }
        for target in targets {
            if let warning = try await KnownTarget.warning(target, at: client, node, settings) {
                console.diagnose(warning)
            }
            let parcel = try await node.parcel(items, to: target, options: options)
            let document = try translating(parcel.document()) { (error: ParcelError) in
                CommandFailure(.badData, error.description)
            }
            let queued = try await client.queue(
                AgentAPI.NewParcel(
                    target: target, document: Data(document), copy: copy ? true : nil, expires: expires))
            console.remark("Queued for “\(DisplayText(target, limit: 100))” as \(queued.id).")
            try console.emit(.parcel, queued)
        }
    }
}

extension DurationSyntax {
    /// Reads a time from a second to a year.
    static func withinAYear(_ text: String) throws(ValueError) -> Duration {
        try parse(text, within: .seconds(1)...(.seconds(366 * 86_400)))
    }
}
