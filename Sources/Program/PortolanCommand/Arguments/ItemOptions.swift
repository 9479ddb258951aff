import ArgumentParser
import PortolanControls
import PortolanProtocol
import PortolanSettings

/// Items to offer, as `send` and `offer` take them.
struct ItemOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Files and folders, each an item of its own; - stands for standard input, and <(…) for the output of a command.",
            valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @Option(help: .value("text", "Offer this text; - reads it from standard input. May be given several times."))
    var text: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "One representation of ONE item, the best first; give it several times.",
            discussion: """
                TYPE is an identifier (public.html), an extension (html) or a MIME type (text/html). VISIBILITY is all, \
                team, group or own-process, and all if left out. The receiver takes the first it can import.
                """,
            valueName: "type[@visibility]=path"),
        transform: RepresentationArgument.parse)
    var representations: [RepresentationArgument] = []

    @Option(
        help: .value("type", "The type of the one path that is given, where its name does not tell."),
        transform: TypeSyntax.parse)
    var type: UTType?

    @Option(
        help: ArgumentHelp(
            "The title for the receiver's user; by default the name of the first representation that the receiver may see.",
            valueName: "text"))
    var title: String?

    @Option(help: .value("text", "A message to the receiver's user, in at most 1024 bytes."))
    var message: String?

    @Option(
        help: ArgumentHelp(
            "A picture to show before anything is sent, made smaller than 32 KiB.",
            discussion: "A picture that was received for a team or group is shown to no others.", valueName: "path"),
        completion: .file())
    var image: String?

    @Option(help: .value("path", "An icon to show, as --image."), completion: .file())
    var icon: String?

    @Flag(
        name: .customLong("no-converters"),
        help: "Offer only the given forms, and none that a converter of this machine could make of it.")
    var withoutConverters = false

    @Option(
        help: .value("name", "The team that 'team' and 'group' representations are for; the default one if left out."),
        completion: Completions.teams, transform: TeamSyntax.parse)
    var team: TeamName?

    @Option(
        name: .customLong("group"),
        help: ArgumentHelp(
            "A group that 'group' representations are for; may be given several times. Without it, your own in that team.",
            valueName: "name"),
        completion: Completions.groups, transform: GroupArgument.parse)
    var groups: [GroupName] = []

    var usesConverters: Bool { !withoutConverters }

    func validate() throws {
        if count == 0 {
            throw ValidationError("Say what to offer: paths, --text, or --as TYPE=PATH.")
        }
        if type != nil, paths.count != 1 {
            throw ValidationError("--type belongs to exactly one path; give each its own command, or use --as.")
        }
        let all = inputs + text.filter { $0 == "-" }.map { _ in STDIN_FILENO }
        if Set(all).count < all.count {
            throw ValidationError("Standard input or a pipe can be read only once, so it can be given only once.")
        }
    }

    private var count: Int { paths.count + text.count + (representations.isEmpty ? 0 : 1) }

    /// Refuses a title for more than one item, where each path and --as are items of their own.
    func checkTitle() throws {
        if title != nil, count != 1 { throw ValidationError("--title belongs to exactly one item.") }
    }

    /// Refuses a file name, unless there is one item without its own.
    func checkName() throws {
        guard count == 1, !text.isEmpty || inputs.count == 1 && representations.isEmpty else {
            throw ValidationError("--name belongs to standard input or to one text; a file has its own name.")
        }
    }

    /// True if the item is one path with further forms, given by --as.
    var isOnePathInForms: Bool { paths.count == 1 && text.isEmpty && !representations.isEmpty }

    /// True if there are several paths and the last one does not exist: it may be a peer without `--to`.
    var endsWithNoFile: Bool {
        guard count > 1, let last = paths.last, OnceReadable.descriptor(of: last) == nil else { return false }
        return access(last.pathBytes, F_OK) != 0
    }

    /// True if an input can be read only once.
    var readsStandardInput: Bool { !inputs.isEmpty }

    private var inputs: [CInt] { (paths + representations.map(\.path)).compactMap(OnceReadable.descriptor) }

    /// Makes the items in this order: paths, texts, the item of `--as`.
    ///
    /// - Parameters:
    ///   - node: knows the teams.
    ///   - target: receiving team, to which the items are restricted unless options say otherwise.
    ///   - name: file name of the one item without its own.
    ///   - console: tells the user that typed text is awaited; nil prints nothing.
    /// - Throws: `NodeError` when a path does not exist or cannot be read, or there is no such team or group;
    ///   `CommandFailure` if standard input is not text.
    func items(
        of node: Node, to target: TeamTarget? = nil, called name: String? = nil, _ console: Console? = nil
    ) async throws -> [Item] {
        var items = try await items(called: name, console)
        guard team ?? target?.team != nil || !groups.isEmpty else { return items }
        let audience = try await node.audience(
            team: (team ?? target?.team)?.text ?? node.configuration.team,
            groups: groups.isEmpty && team ?? target?.team == target?.team ? target?.group.map { [$0] } ?? [] : groups)
        for item in items.indices {
            for form in items[item].representations.indices {
                let requested = items[item].representations[form].requested
                guard requested.lacksAudience else { continue }
                items[item].representations[form].requested = .exactly(requested.completed(with: audience))
            }
        }
        return items
    }

    private func items(called name: String?, _ console: Console?) async throws -> [Item] {
        var items: [Item] = []
        // Each path is sent once, even if it is named repeatedly.
        var seen: Set<String> = []
        for path in paths where seen.insert(path).inserted {
            let form = try await representation(path, called: name, type: type, visibility: .all)
            items.append(Item(title: nil, representations: [form]))
        }
        for words in text {
            if words == "-", isatty(STDIN_FILENO) == 1 {
                console?.remark("Type the text; Ctrl-D at the start of a line ends it.")
            }
            let words = words == "-" ? try await TypedText.read() : PathText.repaired(words)
            items.append(name.map { Self.document(words, called: $0) } ?? .text(words))
        }
        if !representations.isEmpty {
            var forms: [ItemRepresentation] = []
            for argument in representations {
                forms.append(
                    try await representation(argument.path, type: argument.type, visibility: argument.visibility))
            }
            items.append(Item(title: nil, representations: forms))
        }
        if let title { items[0].givenTitle = PathText.repaired(title) }
        if let preview = try await preview() {
            for index in items.indices { items[index].preview = preview }
        }
        return items
    }

    /// A file of words.
    private static func document(_ words: String, called name: String) -> Item {
        let type = UTType.type(ofItemNamed: name, mode: S_IFREG).flatMap { $0.conforms(to: .text) ? $0 : nil }
        let form = ItemRepresentation.data(Data(words.utf8), contentType: type ?? .utf8PlainText, suggestedName: name)
        return Item(title: nil, representations: [form])
    }

    private func preview() async throws -> CandidatePreview? {
        guard message != nil || image != nil || icon != nil else { return nil }
        do {
            let image = if let image { try await picture(image) } else { nil as CandidatePreview.Picture? }
            let icon = if let icon { try await picture(icon) } else { nil as CandidatePreview.Picture? }
            return try CandidatePreview(
                message: PathText.repaired(message ?? ""), image: image, icon: icon)
        } catch let error as InvalidValue {
            throw NodeError(.badInput, "\(error)")
        }
    }

    private func picture(_ path: String) async throws -> CandidatePreview.Picture {
        let file = try await ItemRepresentation.file(at: path)
        guard file.contentType.conforms(to: .image), !file.isFolder else {
            throw NodeError(.badInput, "“\(DisplayText(path))” is no picture by its name.")
        }
        guard let size = file.size, size <= Self.pictureLimit, let data = contents(of: path) else {
            throw NodeError(.noInput, "“\(DisplayText(path))” cannot be read, or is too large for a picture to show.")
        }
        do {
            let picture =
                data.count > Limits.picture
                ? try await ItemPreview.Picture(shrinking: data)
                : try ItemPreview.Picture(type: file.contentType.identifier, data: data)
            return CandidatePreview.Picture(picture, restriction: file.kept)
        } catch {
            throw NodeError(
                .badInput, "“\(DisplayText(path))” cannot be shown: \(DisplayText(oneLine: "\(error)", limit: 400))")
        }
    }

    private func contents(of path: String) -> Data? {
        let number = open(path.pathBytes, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        return try? FileHandle(fileDescriptor: number, closeOnDealloc: true).readToEnd() ?? Data()
    }

    /// Limit for files that are read to make a preview picture, in bytes.
    private static let pictureLimit: UInt64 = 64 << 20

    private func representation(
        _ path: String, called given: String? = nil, type: UTType?, visibility: Visibility
    ) async throws -> ItemRepresentation {
        guard let descriptor = OnceReadable.descriptor(of: path) else {
            return try await ItemRepresentation.file(at: path, contentType: type, visibility: visibility)
        }
        let type = type ?? given.flatMap { UTType.type(ofItemNamed: $0, mode: S_IFREG) } ?? .data
        let plain = type.conforms(to: .plainText) ? "txt" : nil
        let name =
            given ?? ["input", type.preferredFilenameExtension ?? plain].compactMap(\.self).joined(separator: ".")
        let item = try await Item.stream(
            descriptor, contentType: type, suggestedName: name, visibility: visibility)
        return item.representations[0]
    }
}
