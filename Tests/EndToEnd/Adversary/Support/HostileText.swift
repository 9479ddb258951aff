import PortolanValues
import Testing

/// A text of a hostile peer as an argument of a test, which is shown in the test's own output.
struct HostileText: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    var testDescription: String { DisplayText(text).text }
}
