import Foundation
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

@Suite struct OutputTests {
    @Test func exitCodesMatchTheDocumentation() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 23, 64, 65, 66, 69, 73, 74, 75, 77, 80, 81, 82])
        #expect(Set(ExitStatus.allCases.map(\.word)).count == ExitStatus.allCases.count)
        for status in ExitStatus.allCases {
            #expect(ExitStatus.table.contains("\(status.rawValue)  \(status.word)"))
        }
    }

    @Test func errorsOfTheLibraryHaveTheirCodes() {
        let expected: [(NodeError.Kind, Int32)] = [
            (.badInput, 65), (.noInput, 66), (.unreachable, 69), (.cannotCreate, 73), (.inputOutput, 74),
            (.interrupted, 75), (.notTrusted, 77), (.declined, 80), (.nothingInCommon, 81), (.notDelivered, 82),
        ]
        for (kind, code) in expected {
            #expect(CommandFailure(NodeError(kind, "A sentence.")).status.rawValue == code)
        }
        #expect(CommandFailure(CancellationError()).status == .interrupted)
        #expect(CommandFailure(HomeError.noHome).status == .usage)
        #expect(CommandFailure(RosterNameError.empty).status == .usage)
        let open = StoreError(.tooOpen(mode: 0o644), path: "/k")
        #expect(CommandFailure(open).status == .notTrusted)
        #expect(CommandFailure(StoreError(.damaged(reason: "x"), path: "/k")).status == .badData)
    }

    @Test func unknownErrorIsShownSafely() {
        struct Strange: Error, CustomStringConvertible { let description = "a\u{1B}[2J" }
        #expect(CommandFailure(Strange()).description == "a\\u{1B}[2J")
    }

    @Test func jsonIsOneLineAndDecodesUnchanged() throws {
        let hostile = "a\"b\\c/\n\t\u{7F}\u{1B}[2J\u{9B}\u{202E}\u{200B}\u{2028}\u{A0}\u{E0041}é東👩‍💻"
        let event = NodeEvent(
            \.started, .init(TransferID(item: 0), item: -1, title: hostile, representation: nil, total: .max))
        #expect(event.line.unicodeScalars.allSatisfy { !DisplayText.isHarmful($0) && !DisplayText.isBlank($0) })
        #expect(
            event.line.hasPrefix(#"{"event":"started","item":-1,"member":null,"representation":null,"title":"a\"b\\c/"#)
        )
        #expect(event.line.contains(#"","total":18446744073709551615,"transfer":""#))
        let read = try JSONSerialization.jsonObject(with: Data(event.line.utf8)) as? [String: Any]
        #expect(read?["title"] as? String == hostile)
    }

    @Test func textOfAPeerIsEscapedVisiblyInJSON() throws {
        #expect(String(peerText: "a\u{1B}[2J") == #"a\u{1B}[2J"#)
        #expect(NodeEvent(\.note, .init("a\u{1B}[2J")).line == #"{"event":"note","message":"a\\u{1B}[2J"}"#)
    }

    @Test func anEventBeginsWithItsKind() {
        #expect(NodeEvent(\.waiting, .init(member: nil)).line == #"{"event":"waiting","member":null}"#)
        #expect(NodeEvent(\.note, .init("hello")).line == #"{"event":"note","message":"hello"}"#)
    }

    @Test func everyEventIsDocumented() {
        for kind in NodeEvent.kinds.values {
            #expect(JSONOutputPage.page.contains("  \(kind.word)  (\(kind.meaning))"))
            #expect(Set(kind.fields.map(\.name)).count == kind.fields.count)
            for field in kind.fields { #expect(JSONOutputPage.page.contains("\(field.name): \(field.meaning)")) }
        }
    }

    @Test(
        "only a clear word is an answer",
        arguments: [
            ("y\n", .yes), ("Y\n", .yes), ("yes\n", .yes), (" Yes \n", .yes), ("n\n", .no), ("No\n", .no),
            ("a\n", .always), ("always\n", .always), ("?\n", .help), ("", nil), ("\n", nil), ("yesterday\n", nil),
            ("y n\n", nil), ("\u{1B}y\n", nil), ("ja\n", nil), ("h\n", nil),
        ] as [(String, OfferReply?)])
    func answers(line: String, expected: OfferReply?) {
        #expect(OfferReply(Array(line.utf8), offersAlways: true) == expected)
        #expect(OfferReply(Array(line.utf8), offersAlways: false) == (expected == .always ? nil : expected))
    }

    @Test func everyChoiceIsExplained() {
        for offersAlways in [false, true] {
            let explanation = OfferReply.explanation(offersAlways: offersAlways, "ben")
            let choices = OfferReply.choices(offersAlways: offersAlways).dropFirst().dropLast().split(separator: "/")
            #expect(explanation.split(separator: "\n").map { $0.dropFirst(2).prefix(1) } == choices)
        }
    }
}
