import ArgumentParser
import Portolan
import PortolanSettings

/// Options of `send` for transfers.
struct TransferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send at most so many bytes a second to each receiver: 500K, 20M, 1G (units of 1024); the configured limit if left out.",
            valueName: "rate"),
        transform: RateSyntax.parse)
    var limitRate: UInt64?

    @Option(
        help: ArgumentHelp(
            "Compress with Zstandard: \(CompressionSyntax.words); if left out auto, which is where it helps.",
            valueName: "when"),
        transform: CompressionSyntax.parse)
    var compress: Node.SendOptions.Compression = .automatic

    @Option(
        help: ArgumentHelp(
            "Properties that must not be lost, separated by commas: \(RequirementArgument.words).",
            discussion: """
                An item of which the receiver cannot keep one of these fails. Other properties that could not be kept \
                are reported on both sides. Owners are never taken from a peer. Set-user-ID, set-group-ID and sticky \
                bits, access control lists and capabilities of programs never travel: 'mode' fails an item with one of \
                the former, 'xattrs' one with the latter. 'content' fails an item of which anything that the receiver \
                may see, or that this device cannot tell whether it may, cannot be read, changes while it is sent, or \
                cannot be stored there.
                """,
            valueName: "list"),
        transform: RequirementArgument.parse)
    var require = RequirementArgument()

    @Flag(help: "Send extended attributes of files and folders, too: those whose name begins with 'user.'.")
    var xattrs = false

    @OptionGroup var omissions: OmissionOptions

    @OptionGroup var retrying: RetryOptions

    var parcelOptions: ParcelOptions {
        var options = ParcelOptions()
        options.compression = compress
        options.rateLimit = limitRate
        options.requirements = require.requirements
        options.attributes = xattrs
        options.retrySeconds = retrying.retry?.wholeSeconds
        options.stallSeconds = retrying.stallTimeout?.wholeSeconds
        options.allowsOmissions = omissions.allowOmissions
        return options
    }
}

/// Option that decides if an incomplete item counts as complete.
struct OmissionOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "End with 0, not with 23, where something was left out.",
            discussion:
                "It is reported all the same. 23 is for content: a file without its time or its permissions is no reason for it."
        ))
    var allowOmissions = false

    /// The status to end with.
    func status(_ status: ExitStatus) -> ExitStatus { Self.status(status, allowing: allowOmissions) }

    static func status(_ status: ExitStatus, allowing allowOmissions: Bool) -> ExitStatus {
        allowOmissions && status == .incomplete ? .done : status
    }
}

/// Kinds of metadata that must not be lost, as the command line writes them: words separated by commas.
struct RequirementArgument: Sendable, Hashable {
    var requirements: Set<Node.SendOptions.Requirement> = []

    static let words = ChoiceSyntax<Node.SendOptions.Requirement>.words

    static func parse(_ text: String) throws(ValueError) -> RequirementArgument {
        var argument = RequirementArgument()
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let requirement = Node.SendOptions.Requirement(rawValue: String(word)) else {
                throw ValueError(
                    "“\(DisplayText(String(word), limit: 40))” cannot be required; the words are \(words), "
                        + "with commas between them.")
            }
            argument.requirements.insert(requirement)
        }
        return argument
    }
}

/// Options for a connection that breaks or stalls.
struct RetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long to go on trying when the connection breaks: 90s, 10m, 1h; 0 gives up at once. As configured, or 10m, if left out.",
            valueName: "time"),
        transform: RetrySyntax.parse)
    var retry: Duration?

    @Option(
        help: ArgumentHelp(
            "How long the other side may get no further: 90s, 10m, 1h; 0 waits without end. As configured, or 60s, if left out.",
            discussion: """
                For a peer that is there and neither takes nor gives anything. It ends with 75, and the partial is \
                kept. The time of a decision about an offer does not count.
                """,
            valueName: "time"),
        transform: RetrySyntax.parse)
    var stallTimeout: Duration?
}
