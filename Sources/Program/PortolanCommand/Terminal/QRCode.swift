import CQRCode

/// Text as a square of dark and light modules (ISO/IEC 18004), made by libqrencode if the machine has it.
struct QRCode: Sendable, Hashable {
    /// Modules on each side, the light border not counted.
    let width: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    init(width: Int, modules: [Bool]) {
        precondition(modules.count == width * width)
        self.width = width
        self.modules = modules
    }

    /// - Parameter text: at most some hundred bytes, without a zero byte.
    /// - Throws: `CommandFailure` with the package to install if the library is missing.
    init(_ text: String) throws(CommandFailure) {
        let encoder = try Self.encoder()
        guard let code = text.withCString({ encoder.encode($0, 0, Int32(PORTOLAN_QR_LEVEL_MEDIUM)) }) else {
            throw CommandFailure(.inputOutput, "libqrencode cannot draw this text.")
        }
        defer { encoder.destroy(code) }
        width = Int(code.pointee.width)
        modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// True if a module is dark; outside the square everything is light.
    func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column]
    }

    /// Checks that codes can be drawn, before anything else is done.
    static func checkAvailable() throws(CommandFailure) { _ = try encoder() }

    private static func encoder() throws(CommandFailure) -> PortolanQREncoder {
        var encoder = PortolanQREncoder()
        if portolan_qr_load(&encoder) != nil {
            throw CommandFailure(
                .unreachable,
                "Drawing a code needs libqrencode, which is not here. On Debian: apt-get install libqrencode4. "
                    + "Without --qr, the code is printed in words.")
        }
        return encoder
    }
}

extension QRCode {
    /// Light border for readers to find the square, in modules (ISO/IEC 18004 §6.3.8).
    static let border = 4

    /// Returns the square with its border as lines of a terminal, two rows of modules in each.
    ///
    /// Light modules are drawn as characters, so that the square is right on terminals with light text on a dark
    /// ground.
    ///
    /// - Parameters:
    ///   - colored: sets both colours, so that the square is right on every terminal.
    ///   - plain: draws with ASCII, one row in each line and two characters for each module.
    func lines(colored: Bool, plain: Bool = false) -> [String] {
        let edge = -Self.border..<width + Self.border
        if plain {
            return edge.map { row in edge.map { isDark(row: row, column: $0) ? "  " : "##" }.joined() }
        }
        return stride(from: edge.lowerBound, to: edge.upperBound, by: 2).map { row in
            let line = edge.map { column in
                // With an odd number of rows, the lower half of the last line is outside of the border.
                half(
                    upper: !isDark(row: row, column: column),
                    lower: row + 1 < edge.upperBound && !isDark(row: row + 1, column: column))
            }
            return colored ? "\u{1B}[97;40m" + line.joined() + "\u{1B}[0m" : line.joined()
        }
    }

    private func half(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
