extension UTType {
    /// A ``Color`` as JSON: an object with `colorSpace` (`sRGB`, `sRGBLinear` or `displayP3`), the numbers `red`,
    /// `green` and `blue`, and `opacity` from 0 to 1, which is 1 where it is left out.
    ///
    /// Apple's own form of a colour (`com.apple.cocoa.pasteboard.color`) is an archive of its colour class whose bytes
    /// are not publicly described; hence a form that is.
    public static let portolanColor = UTType(exportedAs: "org.portolan.color", conformingTo: .json)
}

extension Color: Transferable {
    /// Forms: JSON without loss, then text such as `#3366CCFF` for other programs.
    public static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .portolanColor)
        ProxyRepresentation(exporting: \.hexadecimal) { try Color(hexadecimal: $0) }
    }
}

extension Color: Codable {
    private enum CodingKeys: CodingKey {
        case colorSpace, red, green, blue, opacity
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double {
            let number = try container.decode(Double.self, forKey: key)
            guard number.isFinite, key != .opacity || (0...1).contains(number) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\(number) is no \(key.stringValue) of a colour.")
            }
            return number
        }
        self.init(
            try container.decode(RGBColorSpace.self, forKey: .colorSpace),
            red: try number(.red), green: try number(.green), blue: try number(.blue),
            opacity: container.contains(.opacity) ? try number(.opacity) : 1)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(colorSpace, forKey: .colorSpace)
        try container.encode(red, forKey: .red)
        try container.encode(green, forKey: .green)
        try container.encode(blue, forKey: .blue)
        try container.encode(opacity, forKey: .opacity)
    }
}
