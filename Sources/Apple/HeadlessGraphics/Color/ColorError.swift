/// Reason why a received value is no colour.
public struct ColorError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    public let description: String

    public var errorDescription: String? { description }

    static let notHexadecimal = ColorError(
        description: "The text is no colour: expected #RGB, #RGBA, #RRGGBB or #RRGGBBAA.")
}
