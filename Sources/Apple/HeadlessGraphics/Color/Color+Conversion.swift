extension Color {
    /// Returns the same colour in another space; its components may lie outside 0 to 1 there.
    public func converted(to space: RGBColorSpace) -> Color {
        guard space != colorSpace else { return self }
        // The bound is far beyond any colour, and small enough that no step below overflows a Double.
        var linear = [red, green, blue].map { min(max($0, -1e100), 1e100) }
        if colorSpace != .sRGBLinear { linear = linear.map(Self.linear) }
        if colorSpace == .displayP3 { linear = Self.applying(Self.displayP3ToSRGB, to: linear) }
        if space == .displayP3 { linear = Self.applying(Self.sRGBToDisplayP3, to: linear) }
        if space != .sRGBLinear { linear = linear.map(Self.encoded) }
        return Color(space, red: linear[0], green: linear[1], blue: linear[2], opacity: opacity)
    }

    /// Transfer function of IEC 61966-2-1, mirrored at 0 for values outside the gamut.
    private static func linear(_ encoded: Double) -> Double {
        let magnitude = abs(encoded)
        let linear = magnitude <= 0.04045 ? magnitude / 12.92 : pow((magnitude + 0.055) / 1.055, 2.4)
        return encoded < 0 ? -linear : linear
    }

    private static func encoded(_ linear: Double) -> Double {
        let magnitude = abs(linear)
        let encoded = magnitude <= 0.0031308 ? magnitude * 12.92 : 1.055 * pow(magnitude, 1 / 2.4) - 0.055
        return linear < 0 ? -encoded : encoded
    }

    private static func applying(_ matrix: [[Double]], to components: [Double]) -> [Double] {
        matrix.map { row in zip(row, components).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    // Between the primaries of both spaces, whose white point is the same (D65): by way of CIE XYZ from the
    // chromaticities R (0.680, 0.320), G (0.265, 0.690), B (0.150, 0.060) of P3 and R (0.640, 0.330), G (0.300, 0.600),
    // B (0.150, 0.060) of sRGB.
    private static let displayP3ToSRGB = [
        [1.224940176280560, -0.224940176280560, 0.000000000000000],
        [-0.042056954709688, 1.042056954709688, 0.000000000000000],
        [-0.019637554590334, -0.078636045550632, 1.098273600140966],
    ]
    private static let sRGBToDisplayP3 = [
        [0.822461968714362, 0.177538031285638, 0.000000000000000],
        [0.033194198850962, 0.966805801149038, 0.000000000000000],
        [0.017082630721120, 0.072397440663963, 0.910519928614916],
    ]
}
