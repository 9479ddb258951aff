import ArgumentParser
import Portolan
import PortolanProtocol
import PortolanSettings
import Synchronization

/// `portolan get`: an item that a peer shares.
struct GetCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "get", "Fetch an item that a peer shares.",
        examples: """
            portolan get workstation:plan
            portolan get workstation:plan.html --as md --into ~/Drop
            portolan get 192.0.2.7:47217:photos
            portolan get workstation:photos.tar --output - | tar xf -
            """,
        manual: """
            The item is named by its title or name, the beginning of one, or the identifier that 'portolan ls' shows. Of its forms the \
            first is taken that can be used here, or the one that --as names.

            The item has a type that 'portolan ls' shows, or is refused with 80; under another name than it was listed \
            with it gets the listed type's extension, and a single file is executable only with --require mode.

            With --output - the item is written to standard output when all of it has come; everything else is said on standard error. \
            Folders are not written there, and an item for a team or group stays so in a regular file alone.

            With --wait, a peer that is not there yet is waited for; else this ends with 69.

            When the connection breaks, it is tried again for 10 minutes, or as long as --retry says, and goes on \
            where it stopped. Ctrl-C ends it with 75, and so does a peer that is there and sends nothing for 60 \
            seconds, or as long as --stall-timeout says; the partial is kept, hidden in the folder, and the same \
            command goes on from there. An item that is not shared with this device and one that does not exist are \
            the same: 66. --as with a type that the item does not have ends with 81.
            """)

    @Argument(
        help: .value("peer:item", "The peer and the item."),
        completion: Completions.peersOfItems, transform: SharedItemArgument.parse)
    var item: SharedItemArgument

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Take the form of this type: an identifier, an extension or a MIME type; may be given several times.",
            valueName: "type"),
        transform: TypeSyntax.parse)
    var types: [UTType] = []

    @Option(
        help: .value("dir", "The folder to store in, made if missing; this one if left out."), completion: .directory)
    var into: String?

    @Option(
        help: .value("-", "Write the item to standard output and not into a folder: -"),
        transform: OutputArgument.parse)
    var output: OutputArgument?

    @Option(
        help: ArgumentHelp(
            "Receive at most so many bytes a second: 500K, 20M, 1G (units of 1024); the configured limit if left out.",
            valueName: "rate"),
        transform: RateSyntax.parse)
    var limitRate: UInt64?

    @Option(
        help: ArgumentHelp(
            "Properties that must not be lost: mode, the permissions; a single file is executable with this, and never without.",
            valueName: "property"),
        transform: Self.parseRequirement)
    var require: Node.SendOptions.Requirement?

    @OptionGroup var awaiting: AwaitingOptions
    @OptionGroup var retrying: RetryOptions

    @OptionGroup var omissions: OmissionOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
        if output != nil, into != nil {
            throw ValidationError("--into stores in a folder, --output writes to standard output; give one of them.")
        }
    }

    /// Standard output belongs to the item, if it is written there.
    func makeConsole() -> Console { shared.makeConsole(output: output == nil ? .output : .diagnostics) }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(network, stallWait: retrying.stallTimeout))
        let folder = try output == nil ? into.map(WorkingFolder.absolute) ?? WorkingFolder.path() : passage()
        let isWritten = output != nil
        defer { if isWritten { try? FileManager.default.removeItem(atPath: folder) } }
        let reporter = ReceiveReporter(console, node: node, inbox: isWritten ? ReceivedItem.output : folder)
        let (wanted, types) = (item.item, types)
        let hasMet = Atomic(false)
        let options = receiveOptions(settings)
        let retry = retrying.retry ?? settings.sendOptions.retry
        let stored = try await node.awaiting(item.peer, for: awaiting.patience) {
            hasMet.load(ordering: .relaxed)
        } absent: { error in
            awaiting.tell(error, DisplayText(item.peer, limit: 300).text, on: console)
        } _: {
            let peer = try await node.find(item.peer, withEveryInstance: true)
            return try await node.fetch(
                from: peer, into: folder, accepting: types.isEmpty ? nil : types, options: options, retry: retry
            ) { event in
                if case .stored = event, isWritten { return }
                reporter.report(event)
            } choose: { items in
                hasMet.store(true, ordering: .relaxed)
                let item = try Self.choose(wanted, as: types, among: items)
                guard isWritten, types.isEmpty, item.forms.first?.isFolder ?? false else { return item }
                throw CommandFailure(
                    .nothingInCommon, "“\(DisplayText(item.title, limit: 100))” is a folder; fetch it with --into.")
            }
        }
        if isWritten {
            let (item, isKept) = try await node.write(stored, to: STDOUT_FILENO)
            if !isKept {
                console.diagnose(
                    "“\(DisplayText(item.title, limit: 100))” is only for \(item.restriction), and the output is no file that could "
                        + "keep that. Keep its reader from showing it to others.")
            }
            reporter.report(.stored(item))
        }
        let status = omissions.status(stored.omissions.missing > 0 ? .incomplete : .done)
        try console.end(status)
    }

    /// Makes a folder of this user alone for an item for standard output, which is removed at the end.
    private func passage() throws -> String {
        var path = Array((FileManager.default.temporaryDirectory.path + "/portolan-get-XXXXXX").utf8CString)
        guard mkdtemp(&path) != nil else {
            throw CommandFailure(.cannotCreate, "No temporary folder can be made: \(String(cString: strerror(errno))).")
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func receiveOptions(_ settings: Settings) -> Node.ReceiveOptions {
        var options = settings.receiveOptions(limitRate: limitRate)
        options.requiresPermissions = require == .permissions
        return options
    }

    private static func parseRequirement(_ text: String) throws(ValueError) -> Node.SendOptions.Requirement {
        guard text == Node.SendOptions.Requirement.permissions.rawValue else {
            throw ValueError("“\(DisplayText(text, limit: 40))” cannot be required of a peer; mode can.")
        }
        return .permissions
    }

    private static func choose(
        _ text: String, as types: [UTType], among items: [SharedItem]
    ) throws -> SharedItem {
        let meant = SharedItem.meant(by: text, among: items)
        guard let item = meant.first else {
            throw CommandFailure(
                .noInput,
                "The other side shares no “\(DisplayText(text, limit: 100))” with this device; 'portolan ls' shows what it does."
            )
        }
        guard meant.count == 1 else {
            let names = meant.prefix(10).map {
                "“\(DisplayText($0.title, limit: 60))” (\($0.id.description.prefix(8)))"
            }
            throw CommandFailure(
                .usage,
                "“\(DisplayText(text, limit: 100))” can mean several: \(names.joined(separator: ", ")). Say more of it."
            )
        }
        let forms = item.forms.compactMap { UTType($0.type.identifier) }
        // For a type that is unknown here, the peer's description says more than the type's name.
        let isKnown = forms.count == item.forms.count && forms.allSatisfy(\.isDeclared)
        guard types.isEmpty || !isKnown || forms.contains(where: { form in types.contains { form.conforms(to: $0) } })
        else {
            let names = forms.map { form in
                let kind = KindText.words(form.identifier)
                return form.preferredFilenameExtension.map { "\(kind) (--as \($0))" } ?? kind
            }
            throw CommandFailure(
                .nothingInCommon,
                "“\(DisplayText(item.title, limit: 100))” has no such form; it has \(names.joined(separator: ", ")).")
        }
        return item
    }
}

/// Peer and one of its items: `workstation:plan`, `192.0.2.7:47217:plan`, `[fe80::1%eth0]:47217:plan`.
struct SharedItemArgument: Sendable, Hashable {
    let peer: String
    let item: String

    /// - Throws: `ValueError` with the expected form.
    static func parse(_ text: String) throws(ValueError) -> SharedItemArgument {
        let parts = split(text)
        guard let parts, !parts.peer.isEmpty, !parts.item.isEmpty else {
            throw ValueError("“\(DisplayText(text, limit: 100))” is no PEER:ITEM, such as workstation:plan.html.")
        }
        return parts
    }

    /// The first colon ends the peer, unless a port follows it.
    private static func split(_ text: String) -> SharedItemArgument? {
        let start = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard let first = text[start...].firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: first)...]
        if let second = rest.firstIndex(of: ":"), UInt16(rest[..<second]) != nil {
            return SharedItemArgument(peer: String(text[..<second]), item: String(rest[rest.index(after: second)...]))
        }
        return SharedItemArgument(peer: String(text[..<first]), item: String(rest))
    }
}
