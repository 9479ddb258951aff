import CoreTransferable
import TestSupport
import Testing

@testable import TransferableRichText

@Suite("Flattened RTFD")
struct FlatRTFDTests {
    private func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    private func named(_ name: String) -> [UInt8] { word(UInt32(name.utf8.count)) + name.utf8 }

    @Test("A text is laid out as macOS does it, without the time of change")
    func layout() throws {
        let rtf = "{\\rtf1 a}"
        let description = word(1) + named("TXT.rtf") + word(16) + word(0) + word(0x1B6) + word(0) + word(0)
        var expected = Array("rtfd".utf8) + word(0) + word(3) + word(2) + named("TXT.rtf") + named(".")
        expected += word(17) + word(43) + word(1) + named(rtf) + word(1) + word(35) + description
        #expect(try FlatRTFD.wrapped(rtf: Data(rtf.utf8)) == Data(expected))
    }

    /// A folder with an attachment, the text behind padding, and a folder in it.
    private var folder: [UInt8] {
        let text = word(1) + word(0x8000_0000) + word(5) + word(3) + [0, 0, 0] + Array("{\\rtf".utf8)
        let image = word(1) + named("PNG")
        let inner = word(3) + word(1) + named("x") + word(11) + image
        var bytes = Array("rtfd".utf8) + word(0) + word(3) + word(3) + named("i.png") + named("d") + named("TXT.rtf")
        for entry in [image, inner, text] { bytes += word(UInt32(entry.count)) }
        return bytes + image + inner + text
    }

    @Test("The text is found among other files, and behind padding")
    func others() throws {
        #expect(try FlatRTFD.rtf(in: Data(folder)) == Data("{\\rtf".utf8))
        // Also for a slice, whose indices do not begin at 0.
        #expect(try FlatRTFD.rtf(in: Data([9] + folder).dropFirst()) == Data("{\\rtf".utf8))
    }

    @Test("A truncated archive and one without a text are refused")
    func refused() {
        for length in 0..<folder.count {
            #expect(throws: TransferError.self, "first \(length) bytes") {
                try FlatRTFD.rtf(in: Data(folder[..<length]))
            }
        }
        for problem in [
            Array("rtfd".utf8) + word(0) + word(1) + named("x"), Array("rtfd".utf8) + word(0) + word(3) + word(0),
            Array("rtfd".utf8) + word(0) + word(3) + word(.max),
            Array("rtfd".utf8) + word(0) + word(3) + word(1) + named("TXT.rtf") + word(8) + word(3) + word(0),
        ] {
            #expect(throws: TransferError.self) { try FlatRTFD.rtf(in: Data(problem)) }
        }
    }

    @Test("Any bytes anywhere give bytes or an error")
    func fuzz() {
        for seed in UInt64(0)..<2000 {
            var random = SeededGenerator(seed: seed)
            var bytes = folder
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do {
                #expect(try FlatRTFD.rtf(in: Data(bytes)).count <= bytes.count, "seed \(seed)")
            } catch {
                #expect((error as? TransferError)?.kind == .malformedContent, "seed \(seed)")
            }
        }
    }
}
