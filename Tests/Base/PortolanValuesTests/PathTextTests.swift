import PortolanValues
import Testing

@Suite("Paths as text")
struct PathTextTests {
    @Test("every path has a unique text, from which it is decoded")
    func everyByte() {
        var paths: [[UInt8]] = (1...255).map { [UInt8(ascii: "a"), $0, UInt8(ascii: "z")] }
        paths += (0x80...0xFF).flatMap { upper in (0x80...0xFF).map { [upper, $0] } }
        paths += [
            [], [0xE9], [0xC3, 0xA9], [0xEF, 0xBF, 0xBD], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80],
            [0xEF], [0xEF, 0xB7], [0xEF, 0xB7, 0x90], [0xEF, 0xB7, 0x98, 0xEF, 0xB7, 0xA9], [0xE2, 0x82],
            [0xEF, 0xB7, 0x98, 0xE9, 0xEF, 0xB7], Array("/home/ada/Ø 🎉\u{301}.txt".utf8),
        ]
        var texts: Set<[UInt8]> = []
        for path in paths {
            let text = PathText.text(of: path)
            #expect(PathText.bytes(of: text) == path)
            #expect(text.pathBytes == path.map { CChar(bitPattern: $0) } + [0])
            texts.insert(Array(text.utf8))
            // A text that came so far is no path of bytes by itself.
            #expect(PathText.isPlain(text) == (Array(text.utf8) == path))
        }
        #expect(texts.count == Set(paths).count)
    }

    @Test("a path that looks like an escaped text gets another text than the path for which that stands")
    func namedAlike() {
        let odd = PathText.text(of: [0xE9])
        let real = PathText.text(of: Array(odd.utf8))
        #expect(real != odd)
        #expect(PathText.bytes(of: real) == Array(odd.utf8))
    }

    @Test("U+FFFD in a real name is kept, and invalid UTF-8 is repaired in text that is no path")
    func replacement() {
        let name = "caf\u{FFFD}"
        #expect(PathText.text(of: Array(name.utf8)) == name)
        #expect(PathText.text(of: [0x63, 0x61, 0x66, 0xE9]) != name)
        #expect(PathText.repaired(PathText.text(of: [0x63, 0x61, 0x66, 0xE9])) == name)
    }

    @Test("no text turns into a slash, a dot, a NUL or any other ASCII")
    func noASCII() {
        let scalars = (0xFDD0...0xFDEF).compactMap { Unicode.Scalar(UInt32($0)) }
        for first in scalars {
            for second in scalars {
                var view = String.UnicodeScalarView()
                view.append(contentsOf: [first, second])
                #expect(PathText.bytes(of: String(view)).allSatisfy { $0 >= 0x80 })
            }
        }
    }

    @Test("a person is shown the bytes")
    func shown() {
        #expect(DisplayText(PathText.text(of: Array("caf".utf8) + [0xE9] + Array(".txt".utf8))).text == "caf\\xE9.txt")
        // A peer cannot use escaped bytes to get forbidden characters displayed.
        #expect(DisplayText.isHarmless(DisplayText(PathText.text(of: [0xE2, 0x80, 0xAE, 0xE9])).text))
    }
}
