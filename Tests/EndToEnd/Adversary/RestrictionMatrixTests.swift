import Foundation
import Glibc
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanConverters
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing
import UniformTypeIdentifiers

/// Products of restricted content before every kind of peer: derived forms, titles, previews, standard input, received
/// files and outputs. A cell leaks if the peer learns of content that is hidden from it.
@Suite(.serialized) struct RestrictionMatrixTests {
    /// Way in which restricted content could become known.
    enum Probe: String, CaseIterable, Sendable {
        /// A converted form of it.
        case derived
        /// A form of its type that a converter makes of unrestricted content; it must not be suppressed.
        case suppressing
        /// Restricted forms, as many as an item holds; they must not use up the limit for visible ones.
        case filling
        /// A form that was offered before the peer lost its right.
        case withdrawn
        case title
        case picture
        case received
        case standardInput
        case output
        /// The sender's rehearsal of an offer to the peer.
        case rehearsed
    }

    @Test("no cell of the matrix reveals restricted content", arguments: Probe.allCases)
    func noCellRevealsRestrictedContent(probe: Probe) async throws {
        var leaks: [String] = []
        for cell in VisibilityCell.all where try await !holds(probe, cell) {
            leaks.append("\(probe.rawValue): \(cell.testDescription)")
        }
        print("\(VisibilityCell.all.count) cells of \(probe.rawValue), \(leaks.count) wrong")
        #expect(leaks.isEmpty)
    }

    @Test("a pipe gets the content, with a warning that it cannot store the restriction")
    func pipeGetsContentAndAWarning() async throws {
        let scene = try VisibilityScene(.stranger)
        defer { scene.remove() }
        let pipe = Pipe()
        let output = pipe.fileHandleForWriting.fileDescriptor
        let result = try await OutputScene.receive(to: output, scene.restriction(.group), home: scene.home)
        guard case .stored? = result.receipt else {
            Issue.record("\(result)")
            return
        }
        #expect(result.warnings.filter { $0.contains("only for group design") }.count == 1, "\(result.warnings)")
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("it".utf8))
    }

    @Test("an output that cannot store the restriction is not written")
    func refusesOutputsThatAreTooSmall() async throws {
        let scene = try VisibilityScene(.stranger)
        defer { scene.remove() }
        let groups = try (10..<10 + Audience.maximumGroups).map {
            try GroupName(String(repeating: "g", count: 61) + "\($0)")
        }
        let team = try #require(TeamID(bytes: Array(1...16)))
        let restriction = Restriction(.group, for: try Audience(team: team, groups: groups))
        let path = scene.path("out.txt")
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        defer { close(file) }
        let result = try await OutputScene.receive(to: file, restriction, home: scene.home)
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        switch result.receipt {
        case .stored: #expect(try await Item.file(at: path).representations.map(\.kept) == [restriction])
        case .failed(let failure): #expect(failure.cause == .visibility && content.isEmpty)
        case nil: Issue.record("no receipt came")
        }
    }

    private func holds(_ probe: Probe, _ cell: VisibilityCell) async throws -> Bool {
        let scene = try VisibilityScene(cell.viewer, converters: Self.textAsHTML)
        defer { scene.remove() }
        let restriction = scene.restriction(cell.visibility)
        let open = scene.form("open", .json)
        switch probe {
        case .derived:
            let item = Item(title: "it", representations: [scene.form("it", .utf8PlainText, for: restriction), open])
            let expected: [UTType] = cell.isVisible ? [.utf8PlainText, .json, .html] : [.json]
            return try await scene.types(of: item) == expected
        case .suppressing:
            let text = scene.form("it", .utf8PlainText)
            let with = Item(title: "it", representations: [scene.form("it", .html, for: restriction), text])
            let without = Item(title: "it", representations: [text])
            if cell.isVisible { return try await scene.types(of: with) == [.html, .utf8PlainText] }
            let (shown, bare) = (try await scene.offer(of: with), try await scene.offer(of: without))
            let types = try await scene.types(of: with)
            return try types == [.utf8PlainText, .html] && shown.bytesWithoutSources == bare.bytesWithoutSources
        case .filling:
            let many = (0..<31).map { _ in scene.form("it", .png, for: restriction) }
            let item = Item(title: "it", representations: many + [scene.form("it", .utf8PlainText)])
            let types = try await scene.types(of: item)
            return cell.isVisible ? types.count == 32 : types == [.utf8PlainText, .html]
        case .withdrawn:
            guard cell.isVisible else { return true }
            let item = Item(title: "it", representations: [scene.form("it", .utf8PlainText, for: restriction), open])
            let reaction = try await scene.answer(to: item, with: 2) { try scene.withdraw() }
            return reaction == (cell.visibility == .all ? .isSent : .isEnded(.badIndex))
        case .title:
            let item = Item(
                title: nil,
                representations: [
                    scene.form("it", .html, for: restriction, named: "secret.html"),
                    scene.form("it", .json, named: "open.json"),
                ])
            return try await scene.offer(of: item).items[0].title == (cell.isVisible ? "secret.html" : "open.json")
        case .picture:
            let picture = try ItemPreview.Picture(type: "public.png", data: Data([1, 2, 3]))
            let preview = try CandidatePreview(
                message: "m", image: CandidatePreview.Picture(picture, restriction: restriction),
                icon: CandidatePreview.Picture(picture))
            let item = Item(title: "it", representations: [open], preview: preview)
            let shown = try await scene.offer(of: item).items[0].preview
            return shown?.image == (cell.isVisible ? picture : nil) && shown?.icon == picture && shown?.message == "m"
        case .received:
            let item = try await Item.file(at: scene.file("it.txt", keptFor: restriction))
            return try await !scene.types(of: item).isEmpty == cell.isVisible
        case .standardInput:
            let file = Glibc.open(try scene.file("it.txt", keptFor: restriction), O_RDONLY)
            defer { close(file) }
            let item = try await Item.stream(file, contentType: .utf8PlainText, suggestedName: "input.txt")
            return try await scene.isOffered(item) == cell.isVisible
        case .output:
            guard cell.visibility != .ownProcess else { return true }
            let path = scene.path("out.txt")
            try await scene.receive(into: path, restriction)
            let item = try await Item.file(at: path)
            return try await !scene.types(of: item).isEmpty == cell.isVisible
        case .rehearsed:
            let item = Item(title: "it", representations: [scene.form("it", .utf8PlainText, for: restriction), open])
            let alone = Item(title: "it", representations: [scene.form("it", .utf8PlainText, for: restriction)])
            let (rehearsed, shown) = (try await scene.rehearsed(item), try await scene.types(of: item))
            let (rehearsedAlone, shownAlone) = (try await scene.rehearsed(alone), try await scene.types(of: alone))
            return rehearsed == shown && rehearsedAlone == shownAlone
        }
    }

    private static var textAsHTML: [Converter] {
        let declaration: [String: Any] = [
            "PortolanConverterFrom": "public.plain-text", "PortolanConverterTo": "public.html",
            "PortolanConverterCommand": ["/bin/cp", "{input}", "{output}"],
        ]
        return ConverterDeclarations.parse(["PortolanConverters": [declaration]], from: "html.plist").converters
    }
}

extension VisibilityScene {
    func path(_ name: String) -> String { home.appending(path: name).path }

    /// Receives a text with this restriction into a regular file, as standard output may be one.
    func receive(into path: String, _ restriction: Restriction) async throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        defer { close(file) }
        guard case .stored? = try await OutputScene.receive(to: file, restriction, home: home).receipt else {
            throw HostileSocket.Gone()
        }
    }
}

/// A device that receives one item to a descriptor, and its reports.
enum OutputScene {
    /// - Returns: the receipt, and the warnings of the receiver.
    static func receive(
        to file: CInt, _ restriction: Restriction, home: URL
    ) async throws -> (receipt: Message.Receipt.Outcome?, warnings: [String]) {
        // A separate home, because a receiving device renews the scene's team.
        let node = try Node(blocking: .onLoopback("receiver", home: home.appending(path: "receiver")))
        let warnings = Mutex<[String]>([])
        let (port, receiving) = try await node.startReceiving(to: file) { event in
            if case .warning(let message) = event { warnings.withLock { $0.append(message) } }
        }
        defer { receiving.cancel() }
        let receipt = try await withHostileThread {
            let peer = try HostilePeer(port: port)
            try peer.shakeHands()
            let form = try OfferedRepresentation(
                type: OfferedType(.utf8PlainText), restriction: restriction, channel: .file)
            try peer.send(.offer(Offer(id: 1, items: [OfferedItem(title: "it", representations: [form])])))
            guard case .answer? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            try peer.begin(.file, name: Array("it.txt".utf8))
            // If the item is refused at once, its lane may close before all of it is sent.
            try? peer.sendWholeFile(Array("it".utf8))
            return try peer.nextReceipt()
        }
        if case .stored? = receipt { try await receiving.value }
        return (receipt, warnings.withLock(\.self))
    }
}
