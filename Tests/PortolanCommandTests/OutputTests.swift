import Foundation
import Portolan
import PortolanTrust
import Testing

@testable import PortolanCommand

@Suite struct OutputTests {
    @Test func theExitCodesAreThoseDocumented() {
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

    @Test func anErrorNobodyKnewIsShownSafely() {
        struct Strange: Error, CustomStringConvertible { let description = "a\u{1B}[2J" }
        #expect(CommandFailure(Strange()).description == "a\\u{1B}[2J")
    }

    @Test func jsonIsOneLineThatReadsBackAsItWas() throws {
        let hostile = "a\"b\\c\n\t\u{1B}[2J\u{9B}\u{202E}\u{200B}\u{2028}\u{E0041}é東👩‍💻"
        let value = JSONValue.object([
            "b": .string(hostile), "a": .array([.null, true, -1, .unsigned(.max)]), "c": .object([:]),
        ])
        #expect(value.text.unicodeScalars.allSatisfy { !DisplayText.isHarmful($0) })
        #expect(value.text.hasPrefix("{\"a\":[null,true,-1,18446744073709551615],\"b\":"))
        let read = try JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? [String: Any]
        #expect(read?["b"] as? String == hostile)
    }

    @Test func textOfAPeerIsEscapedVisiblyInJSON() throws {
        let text = JSONValue.peerText("a\u{1B}[2J").text
        #expect(text == #""a\\u{1B}[2J""#)
    }

    @Test func anEventBeginsWithItsKind() {
        #expect(Event(.waiting, ["member": .null]).text == #"{"event":"waiting","member":null}"#)
        let event = Event(.note, ["message": "hello"])
        #expect(event.text == #"{"event":"note","message":"hello"}"#)
    }

    @Test func everyEventIsDocumented() {
        for kind in EventKind.allCases {
            #expect(EventKind.table.contains("  \(kind.rawValue)  ("))
            #expect(Set(kind.fields.map(\.name)).count == kind.fields.count)
            for field in kind.fields { #expect(EventKind.table.contains("\(field.name): \(field.meaning)")) }
        }
    }

    @Test(
        "only a clear yes is a yes",
        arguments: [
            ("y\n", true), ("Y\n", true), ("yes\n", true), (" Yes \n", true), ("", false), ("\n", false),
            ("n\n", false),
            ("yesterday\n", false), ("y y\n", false), ("\u{1B}y\n", false), ("ja\n", false),
        ])
    func yes(line: String, expected: Bool) {
        #expect(Question.isYes(Array(line.utf8)) == expected)
    }
}
