import Foundation
import Testing

@testable import PortolanValues

/// Dates in documents have the form that Foundation reads and writes.
@Suite struct DocumentDateTests {
    private static let formatted = Date.ISO8601FormatStyle.iso8601

    @Test func datesAreWrittenLikeFoundationsAndRoundTrip() throws {
        for days in stride(from: -130_000, to: 2_900_000, by: 977) {
            let date = Date(timeIntervalSince1970: Double(days * 86_400 + days % 86_400))
            let text = try #require(DocumentDate.text(date))
            #expect(text == date.formatted(Self.formatted))
            #expect(DocumentDate.date(text) == date)
        }
    }

    @Test func leapDaysAndBordersAreRight() throws {
        for text in [
            "1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2024-02-29T00:00:00Z", "1999-12-31T23:59:59Z",
            "1600-02-29T00:00:00Z", "9999-12-31T23:59:59Z",
        ] {
            let date = try #require(DocumentDate.date(text))
            #expect(try date == Date(text, strategy: Self.formatted))
            #expect(DocumentDate.text(date) == text)
        }
    }

    @Test func partsOfASecondAreLeftOut() {
        #expect(DocumentDate.text(Date(timeIntervalSince1970: 0.9)) == "1970-01-01T00:00:00Z")
        #expect(DocumentDate.text(Date(timeIntervalSince1970: -0.1)) == "1969-12-31T23:59:59Z")
    }

    @Test(
        "text that is no date, or has another form, is left to Foundation",
        arguments: [
            "", "2026-11-25", "2026-11-25T19:20:00", "2026-11-25T19:20:00+01:00", "2026-11-25 19:20:00Z",
            "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "-026-01-01T00:00:00Z", "2026-01-01T00:00:0 Z",
        ])
    func otherTextIsLeftToFoundation(text: String) { #expect(DocumentDate.date(text) == nil) }

    @Test(arguments: [-62_135_596_801.0, 253_402_300_800.0, .infinity, -.infinity])
    func datesWithoutAFourDigitYearAreNotWritten(seconds: Double) {
        #expect(DocumentDate.text(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test func otherDateNotationsAreRead() throws {
        struct Body: Codable { var since: Date }
        let text = #"{"since":"2026-11-25T20:20:00+01:00","version":1}"#
        let read = try DocumentForm(nil, versions: 1...1).read(Body.self, from: Array(text.utf8)).body
        #expect(read.since == Date(timeIntervalSince1970: 1_795_634_400))
        let wrong = #"{"since":"yesterday","version":1}"#
        #expect(throws: DocumentDefect.self) {
            try DocumentForm(nil, versions: 1...1).read(Body.self, from: Array(wrong.utf8))
        }
    }
}
