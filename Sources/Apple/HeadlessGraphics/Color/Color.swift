/// A colour as a value: three components in a colour space, and an opacity.
///
/// Unlike SwiftUI's view of that name, this type draws nothing, and its components alone define the colour: colours
/// that depend on the appearance of a screen (`.primary`, `.accentColor`) do not exist here.
public struct Color: Sendable, Hashable {
    /// Colour space of the components.
    public enum RGBColorSpace: String, Sendable, Hashable, Codable, CaseIterable {
        /// IEC 61966-2-1.
        case sRGB
        /// The primaries of sRGB without its transfer function.
        case sRGBLinear
        /// The primaries of DCI-P3 with the white point and transfer function of sRGB.
        case displayP3
    }

    public let colorSpace: RGBColorSpace

    /// Red component, 0 to 1 within the gamut of the space. Other values name colours that the space cannot show, and
    /// are kept.
    public let red: Double
    public let green: Double
    public let blue: Double

    /// Opacity, from 0 (transparent) to 1.
    public let opacity: Double

    /// - Parameters:
    ///   - red: A finite number, as `green` and `blue`.
    ///   - opacity: Clamped to 0 to 1.
    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        precondition(
            red.isFinite && green.isFinite && blue.isFinite && opacity.isFinite, "A colour has finite components.")
        self.colorSpace = colorSpace
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = min(max(opacity, 0), 1)
    }

    /// A shade of grey.
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    public static let black = Color(white: 0)
    public static let white = Color(white: 1)
    public static let clear = Color(white: 0, opacity: 0)

    /// This colour with its opacity multiplied, as in SwiftUI.
    public func opacity(_ factor: Double) -> Color {
        Color(colorSpace, red: red, green: green, blue: blue, opacity: opacity * factor)
    }
}
