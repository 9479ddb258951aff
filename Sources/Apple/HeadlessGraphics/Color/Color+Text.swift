extension Color {
    /// Parses a colour in CSS hexadecimal notation (CSS Color Module Level 4, section 5.2), in sRGB: `#` and 3, 4, 6 or
    /// 8 digits in either case, with white space around it.
    /// - Throws: ``ColorError`` for anything else.
    public init(hexadecimal text: String) throws(ColorError) {
        let digits = try Self.digits(of: text)
        let isShort = digits.count <= 4
        let components =
            isShort
            ? digits.map { $0 * 17 }
            : stride(from: 0, to: digits.count, by: 2)
                .map { digits[$0] * 16 + digits[$0 + 1] }
        let values = components.map { Double($0) / 255 }
        self.init(red: values[0], green: values[1], blue: values[2], opacity: values.count == 4 ? values[3] : 1)
    }

    /// The nearest colour that `#RRGGBBAA` can write: in sRGB, each component of 8 bits. Components outside the gamut
    /// of sRGB are clamped.
    public var hexadecimal: String {
        let color = converted(to: .sRGB)
        let components = [color.red, color.green, color.blue, color.opacity].map { component in
            let value = UInt8((min(max(component, 0), 1) * 255).rounded())
            return (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
        }
        return "#" + components.joined()
    }

    /// Digit by digit, 3, 4, 6 or 8 of them.
    private static func digits(of text: String) throws(ColorError) -> [Int] {
        let trimmed = Substring(text).trimmingPrefix(while: \.isWhitespace)
        guard trimmed.first == "#" else { throw .notHexadecimal }
        let body = trimmed.dropFirst().prefix { !$0.isWhitespace }
        guard trimmed[body.endIndex...].allSatisfy(\.isWhitespace), [3, 4, 6, 8].contains(body.utf8.count) else {
            throw .notHexadecimal
        }
        let digits = body.utf8.compactMap { byte in
            Character(UnicodeScalar(byte)).hexDigitValue
        }
        guard digits.count == body.utf8.count else { throw .notHexadecimal }
        return digits
    }
}
