import Foundation
import HeadlessGraphics
import Testing
import UniformTypeIdentifiers

@Suite("Colours")
struct ColorTests {
    @Test(
        "CSS hexadecimal notation with 3, 4, 6 and 8 digits is read",
        arguments: [
            ("#36c", "#3366CCFF"), ("#36C8", "#3366CC88"), ("#3366cc", "#3366CCFF"), ("#3366CC80", "#3366CC80"),
            (" \t#000\n", "#000000FF"), ("#ffffff00", "#FFFFFF00"),
        ])
    func hexadecimal(_ text: String, _ canonical: String) throws {
        let color = try Color(hexadecimal: text)
        #expect(color.hexadecimal == canonical && color.colorSpace == .sRGB)
        #expect(try Color(hexadecimal: canonical) == color)
    }

    @Test(
        "Other text is no colour",
        arguments: [
            "", "#", "36c", "#3", "#36", "#36c36", "#36c36c3", "#36c36c36c", "#36g", "#３６c", "# 36c", "##36c", "#36 c",
            "#36c #36c", "red", "rgb(1, 2, 3)", "#+12", "#-12", "#0x1", "#é6", String(repeating: "#", count: 100_000),
        ])
    func notHexadecimal(_ text: String) {
        let error = #expect(throws: ColorError.self) { try Color(hexadecimal: text) }
        #expect(error?.description.contains("#RRGGBB") == true)
    }

    @Test("Every 8-bit component survives being written and read")
    func everyComponent() throws {
        for value in UInt8.min...UInt8.max {
            let component = Double(value) / 255
            let color = Color(red: component, green: 1 - component, blue: 0, opacity: component)
            #expect(try Color(hexadecimal: color.hexadecimal).hexadecimal == color.hexadecimal)
            #expect(color.hexadecimal.hasPrefix(value < 16 ? "#0" : "#\(String(value >> 4, radix: 16).uppercased())"))
        }
    }

    @Test("Display P3 and linear sRGB convert as the definitions of both say")
    func conversion() {
        let red = Color(.displayP3, red: 1, green: 0, blue: 0).converted(to: .sRGB)
        // The published example of CSS Color 4: color(display-p3 1 0 0) is color(srgb 1.0930 -0.2267 -0.1501).
        #expect(abs(red.red - 1.0930) < 1e-4 && abs(red.green + 0.2267) < 1e-4 && abs(red.blue + 0.1501) < 1e-4)
        let grey = Color(.sRGBLinear, white: 0.214041140482232)
        #expect(abs(grey.converted(to: .sRGB).red - 0.5) < 1e-12)
        #expect(Color(.displayP3, red: 1, green: 0, blue: 0).hexadecimal == "#FF0000FF")
        for space in Color.RGBColorSpace.allCases {
            for other in Color.RGBColorSpace.allCases {
                let color = Color(space, red: 0.2, green: -0.1, blue: 1.3, opacity: 0.4)
                let back = color.converted(to: other).converted(to: space)
                #expect(abs(back.red - 0.2) < 1e-9 && abs(back.green + 0.1) < 1e-9 && abs(back.blue - 1.3) < 1e-9)
                #expect(back.opacity == 0.4 && back.colorSpace == space)
            }
        }
    }

    @Test("Components of any size have a notation")
    func extremes() {
        let color = Color(.displayP3, red: .greatestFiniteMagnitude, green: -.greatestFiniteMagnitude, blue: 1e200)
        #expect(color.hexadecimal == "#FF00FFFF")
        #expect(Color(white: 0.5, opacity: 7).opacity == 1 && Color(white: 0.5, opacity: -1).opacity == 0)
        #expect(Color.white.opacity(0.5).hexadecimal == "#FFFFFF80" && Color.clear.hexadecimal == "#00000000")
    }

    @Test("A colour leaves as JSON that keeps everything, then as text")
    func exports() async throws {
        let color = Color(.displayP3, red: 0.1, green: 0.2, blue: 1.25, opacity: 0.75)
        #expect(color.exportedContentTypes() == [.portolanColor, .utf8PlainText])
        #expect(UTType.portolanColor.conforms(to: .json))
        let json = try await color.exported(as: .json)
        #expect(try await Color(importing: json, contentType: .portolanColor) == color)
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(object["colorSpace"] as? String == "displayP3" && object["blue"] as? Double == 1.25)
        #expect(Set(object.keys) == ["colorSpace", "red", "green", "blue", "opacity"])
        let text = try await Color(red: 0.2, green: 0.4, blue: 0.8).exported(as: .plainText)
        #expect(text == Data("#3366CCFF".utf8))
    }

    @Test("A colour comes in from either, and from JSON without opacity")
    func imports() async throws {
        #expect(Color.importedContentTypes() == [.portolanColor, .utf8PlainText])
        let fromText = try await Color(importing: Data("#f00".utf8), contentType: .utf8PlainText)
        #expect(fromText == Color(red: 1, green: 0, blue: 0))
        let json = Data(#"{"colorSpace":"sRGB","red":1,"green":0,"blue":0}"#.utf8)
        #expect(try await Color(importing: json, contentType: nil) == fromText)
        let error = await #expect(throws: TransferError.self) {
            try await Color(importing: Data("blue".utf8), contentType: .utf8PlainText)
        }
        #expect(error?.underlying is ColorError)
    }

    @Test(
        "JSON that is no colour is refused",
        arguments: [
            "", "[]", "{}", #"{"colorSpace":"CMYK","red":1,"green":0,"blue":0}"#,
            #"{"colorSpace":"sRGB","red":1,"green":0}"#, #"{"colorSpace":"sRGB","red":"1","green":0,"blue":0}"#,
            #"{"colorSpace":"sRGB","red":1e999,"green":0,"blue":0}"#,
            #"{"colorSpace":"sRGB","red":1,"green":0,"blue":0,"opacity":1.5}"#,
            #"{"colorSpace":"sRGB","red":1,"green":0,"blue":0,"opacity":null}"#,
        ])
    func notJSON(_ text: String) async {
        await #expect(throws: (any Error).self) {
            try await Color(importing: Data(text.utf8), contentType: .portolanColor)
        }
    }
}
