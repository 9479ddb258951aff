import Foundation
import Glibc
import Testing

@testable import PortolanCommand

@Suite struct QRCodeTests {
    static let hasLibrary = (try? QRCode.checkAvailable()) != nil
    static let reader = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg"].first(
        where: FileManager.default.isExecutableFile)

    /// Three modules by three, dark where there is a `#`.
    private let small = QRCode(width: 3, modules: "##..#..##".map { $0 == "#" })

    @Test func eachLineDrawsTheLightModulesOfTwoRows() {
        let lines = small.lines(colored: false)
        // Three modules and four of border on each side are eleven rows, the last line's lower half empty.
        #expect(lines.count == 6)
        #expect(lines.allSatisfy { $0.count == 11 })
        #expect(lines[0] == "███████████")
        #expect(lines[1] == lines[0])
        #expect(lines[2] == "████▄ █████")
        #expect(lines[3] == "█████▄▄████")
        #expect(lines[4] == lines[0])
        #expect(lines[5] == "▀▀▀▀▀▀▀▀▀▀▀")
    }

    @Test func withASCIIAModuleIsTwoCharacters() {
        let lines = small.lines(colored: true, plain: true)
        #expect(lines.count == 11)
        #expect(lines.allSatisfy { $0.count == 22 })
        #expect(lines[0] == String(repeating: "#", count: 22))
        // The first row of the square: dark, dark, light.
        #expect(lines[4] == "########    ##########")
    }

    @Test func theDrawingHoldsEveryModuleAndALightBorder() {
        let drawing = Drawing(small.lines(colored: false))
        for row in 0..<11 {
            for column in 0..<11 {
                let isDark = small.isDark(row: row - QRCode.border, column: column - QRCode.border)
                #expect(drawing.isDark(row: row, column: column) == isDark, "row \(row), column \(column)")
            }
        }
    }

    @Test func onATerminalBothColorsAreSet() {
        for line in small.lines(colored: true) {
            #expect(line.hasPrefix("\u{1B}[97;40m"))
            #expect(line.hasSuffix("\u{1B}[0m"))
        }
    }

    @Test(.enabled(if: hasLibrary, "libqrencode is not here"))
    func aCodeHasThreeFinderPatternsAndTimingBetweenThem() throws {
        let code = try QRCode("7-walnut-harbor")
        #expect([21, 25].contains(code.width))
        let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
        let end = code.width - 7
        for (top, left) in [(0, 0), (0, end), (end, 0)] {
            for (row, line) in finder.enumerated() {
                for (column, module) in line.enumerated() {
                    #expect(code.isDark(row: top + row, column: left + column) == (module == "#"))
                }
            }
        }
        for place in 8..<code.width - 8 {
            #expect(code.isDark(row: 6, column: place) == (place % 2 == 0))
            #expect(code.isDark(row: place, column: 6) == (place % 2 == 0))
        }
    }

    @Test(
        "a reader finds the text and nothing else",
        .enabled(if: hasLibrary, "libqrencode is not here"),
        .enabled(if: reader != nil, "zbarimg is not here (Debian: zbar-tools)"),
        arguments: ["7-walnut-harbor", "99-umbrella-elephant"])
    func read(text: String) throws {
        let code = try QRCode(text)
        let drawing = Drawing(code.lines(colored: false))
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("portolan-\(UUID()).pbm")
        defer { try? FileManager.default.removeItem(at: picture) }
        try drawing.bitmap(side: code.width + 2 * QRCode.border).write(to: picture)
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.reader))
        process.arguments = ["--quiet", "--raw", picture.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let found = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: found, as: UTF8.self) == text + "\n")
    }

    @Test(.enabled(if: hasLibrary, "libqrencode is not here"))
    func tooLongTextIsReported() {
        #expect(throws: CommandFailure.self) { try QRCode(String(repeating: "x", count: 5000)) }
    }
}

/// Visible modules of a drawing, as an eye distinguishes them.
private struct Drawing {
    let lines: [[Character]]

    init(_ lines: [String]) { self.lines = lines.map(Array.init) }

    func isDark(row: Int, column: Int) -> Bool {
        switch lines[row / 2][column] {
        case "█": false
        case "▀": row % 2 == 1
        case "▄": row % 2 == 0
        default: true
        }
    }

    /// A portable bitmap of four dots a module.
    func bitmap(side: Int) -> Data {
        var text = "P1\n\(side * 4) \(side * 4)\n"
        for row in 0..<side * 4 {
            text +=
                (0..<side * 4).map { isDark(row: row / 4, column: $0 / 4) ? "1" : "0" }.joined(separator: " ") + "\n"
        }
        return Data(text.utf8)
    }
}
