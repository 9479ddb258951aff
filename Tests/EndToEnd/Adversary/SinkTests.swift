import Foundation
import HostilePeers
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Testing

/// Hostile texts in every field of the protocol that has one, and in every output: for people, for scripts, and in a
/// log that takes the beginning of a line for its priority.
@Suite(.serialized) struct SinkTests {
    /// Texts that would do harm if they were printed unchanged.
    static let texts: [HostileText] = [
        "<0>kernel panic", "line\n<0>kernel panic", "line\r\n<0>kernel panic", "\n{\"event\":\"result\",\"code\":0}",
        "\"},{\"event\":\"stored\"}", "\u{1B}]0;owned\u{7}\u{1B}[2J", "\u{9B}31mred", "\u{9D}0;owned\u{9C}",
        "gnp.\u{202E}exe", "\u{2066}\u{200B}\u{FEFF}\u{E0041}", "\u{2028}second line\u{2029}", "null\0byte",
        "$(touch owned) `touch owned` ; touch owned", "<script>alert(1)</script>&amp;<b>", "%n%s%1$n \\n \\x1b[2J",
        "portolan: error: forged", "   ", "-rf", "../../etc/passwd",
    ]

    private enum Form: String, CaseIterable {
        case human, json
    }

    private static func scratch() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "portolan-sink-\(UUID().uuidString)")
    }

    // MARK: A receiver

    /// Output of a receiver whose peer uses `text` wherever possible.
    private static func received(_ text: String, _ form: Form) async throws -> String {
        let arguments = ["receive", "--yes", "--into", "inbox", "--discovery", "off", "--interface", "lo"]
        let receiver = try Program(arguments + (form == .json ? ["--json"] : []), in: scratch())
        try await receiver.waitToSay(form == .json ? "\"port\":" : "port ")
        let port = try #require(
            receiver.printed.firstMatch(of: form == .json ? /"port":([0-9]+)/ : /port ([0-9]+)/).flatMap {
                UInt16($0.1)
            })

        // A file with a refused or taken name and an omission; then a text with the same name.
        try attack(port) { peer in
            try peer.send(.offer(offer(text, .file)))
            guard case .answer? = try peer.nextMessage() else { return }
            try peer.begin(.file, name: name(text))
            let lane = try peer.openLane()
            try lane.send(.whole(0, [1]), .mark)
            try lane.sendEnd()
            let omissions = Omissions([Omission(path: Array(text.utf8), reason: .attributes)])
            try peer.send(.end(Message.End(transfer: 1, entries: 1, bytes: 1, omissions: omissions, lanes: [0])))
            _ = try peer.nextReceipt()
            try peer.send(.close(Message.Close(.internal, detail: text)))
        }
        try attack(port) { peer in
            try peer.send(.offer(offer(text, .data)))
            guard case .answer? = try peer.nextMessage() else { return }
            try peer.begin(.data, name: name(text))
            try peer.send(
                .exportFailed(
                    Message.ExportFailed(
                        offer: 1, item: 0, representation: 0, failure: .export)))
            try peer.send(.close(Message.Close(.cancelled, detail: text)))
        }
        // The type of this item is known to the victim, and the session ends in the middle.
        try attack(port) { peer in
            try peer.send(.offer(offer(text, .data, type: "public.jpeg")))
            guard case .answer? = try peer.nextMessage() else { return }
            try peer.begin(.data, name: name(text))
        }
        // The last line about each of the three sessions.
        try await receiver.waitToSay(form == .json ? "\"disconnected\"" : " ended early: ", times: 3)
        try await receiver.stop()
        return receiver.printed
    }

    /// Runs `body` in a separate session; the receiver determines how it ends.
    private static func attack(_ port: UInt16, _ body: (HostilePeer) throws -> Void) throws {
        let peer = try HostilePeer(port: port, identity: .made(named: "<0>mallory"))
        try peer.shakeHands()
        try? body(peer)
        peer.cut()
    }

    private static func name(_ text: String) -> [UInt8] { Array(text.utf8.prefix(Limits.name)) }

    private static func offer(
        _ text: String, _ channel: PortolanProtocol.Channel, type: String = "com.example.unknown"
    ) throws -> Offer {
        let representation = try OfferedRepresentation(
            type: OfferedType(identifier: type, ancestors: ["public.data"], description: text), channel: channel,
            suggestedName: text)
        return try Offer(
            id: 1,
            items: [
                OfferedItem(title: text, representations: [representation], preview: ItemPreview(message: text))
            ])
    }

    @Test("a sender's text cannot control the receiver's terminal", arguments: texts)
    func receiverIsNotControlled(text: HostileText) async throws {
        for form in Form.allCases { try await Self.check(Self.received(text.text, form), form) }
    }

    // MARK: A sender

    /// Output of a sender whose peer uses `text` wherever possible.
    private static func sent(_ text: String, _ form: Form) async throws -> String {
        var printed = ""
        for step in 0..<3 {
            let listener = try HostileListener(as: .made(named: "<0>mallory"))
            let serving = listener.serveOne { peer in
                try peer.shakeHands(as: .responder)
                while let message = try peer.nextMessage() {
                    guard case .offer(let offer) = message else { continue }
                    switch step {
                    case 0:
                        let decline = ItemDecision.decline(Decline(.notWanted, detail: text))
                        try peer.send(
                            .answer(Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, decline)])))
                    case 1:
                        try peer.send(.close(Message.Close(.internal, detail: text)))
                    default:
                        let take = ItemDecision.take(representation: 0)
                        try peer.send(
                            .answer(Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, take)])))
                        while let message = try peer.nextMessage() { if case .end = message { break } }
                        let stored = try StoredItem(name: name(text), bytes: 5, entries: 1)
                        try peer.send(
                            .receipt(Message.Receipt(offer: offer.id, item: 0, outcome: .stored(stored))))
                    }
                }
            }
            let arguments = ["send", "--text", "hello", "--to", "127.0.0.1:\(listener.port)", "--retry", "0"]
            let sender = try Program(arguments + (form == .json ? ["--json"] : []), in: scratch())
            try await sender.finish()
            listener.stop()
            _ = await serving.result
            printed += sender.printed
        }
        return printed
    }

    @Test("a receiver's text cannot control the sender's terminal", arguments: texts)
    func senderIsNotControlled(text: HostileText) async throws {
        for form in Form.allCases { try await Self.check(Self.sent(text.text, form), form) }
    }

    @Test("harmless text is printed unchanged, which shows that the tests above can detect text")
    func harmlessTextAppears() async throws {
        for form in Form.allCases {
            let received = try await Self.received("some words", form)
            #expect(received.contains(form == .json ? #""title":"some words""# : "some words"), "\(received)")
            #expect(received.contains("<0>mallory"), "\(received)")
            #expect(try await Self.sent("some words", form).contains("some words"))
        }
    }

    // MARK: What is printed

    private static func check(_ printed: String, _ form: Form) throws {
        let lines = printed.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > 3, "\(printed)")
        for line in lines {
            #expect(DisplayText.isHarmless(line), "\(line)")
            // A priority, to a journal.
            #expect(!line.starts(with: /<[0-9]/), "\(line)")
        }
        guard form == .json else { return }
        for line in lines where line.hasPrefix("{") {
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let fields = try #require(event as? [String: Any], "\(line)")
            #expect(fields["event"] is String)
            #expect(strings(in: event).allSatisfy { DisplayText.isHarmless($0) }, "\(line)")
        }
        #expect(lines.allSatisfy { $0.isEmpty || $0.hasPrefix("{") || $0.hasPrefix("portolan: ") }, "\(printed)")
    }

    /// All texts anywhere in a value.
    private static func strings(in value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let array as [Any]: array.flatMap(strings)
        case let object as [String: Any]: object.flatMap { [$0.key] + strings(in: $0.value) }
        default: []
        }
    }
}
