import CoreTransferable
import TestSupport
import Testing

@testable import TransferableRichText

@Suite("RTF that means harm, or is damaged", .aside)
struct RTFHostileInputTests {
    /// Any text, or an error that says what is wrong with the RTF.
    private func survives(_ rtf: some Collection<UInt8>, _ comment: @autoclosure () -> String) {
        do {
            let text = try RTFReader.text(of: Data(rtf))
            #expect(text.unicodeScalars.count <= rtf.count, "\(comment())")
        } catch let error as TransferError {
            #expect(error.kind == .malformedContent && error.description.contains("public.rtf"), "\(comment())")
        } catch {
            Issue.record(error, "\(comment())")
        }
    }

    private func problem(_ rtf: String) -> String? {
        do {
            _ = try RTFReader.text(of: Data(rtf.utf8))
            return nil
        } catch {
            return (error as? TransferError)?.description
        }
    }

    @Test("A document cut off anywhere is an error")
    func truncation() throws {
        for (name, rtf) in RTFCorpus.all {
            let bytes = Array(rtf.utf8)
            let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
            let accepted = (0...end).filter { (try? RTFReader.text(of: Data(bytes[..<$0]))) != nil }
            #expect(accepted == [], "\(name)")
        }
    }

    @Test("A document changed anywhere gives a text or an error")
    func mutations() throws {
        let words = Array(RTFKeyword.all.keys).sorted()
        for round in UInt64(0)..<2000 {
            var random = SeededGenerator(seed: round)
            let (name, rtf) = RTFCorpus.all[Int(round) % RTFCorpus.all.count]
            var bytes = Array(rtf.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let length = min(Int.random(in: 1...40, using: &random), bytes.count - place)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<place + length)
                case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
                case 3: bytes.insert([0x7B, 0x7D, 0x5C, 0x2A, 0x3B].randomElement(using: &random) ?? 0, at: place)
                case 4:
                    let numbers = ["", "0", "-1", "-32768", "65535", "4294967296", "99999999999999999999"]
                    let word = words.randomElement(using: &random) ?? "",
                        number = numbers.randomElement(using: &random) ?? ""
                    bytes.insert(contentsOf: "\\\(word)\(number) ".utf8, at: place)
                default: bytes.replaceSubrange(place..<place + length, with: repeatElement(0xE9, count: length))
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            survives(bytes, "\(name), seed \(round)")
        }
    }

    @Test("Every word with every awkward number, anywhere a group can be")
    func words() {
        for word in RTFKeyword.all.keys.sorted() {
            for number in ["", "0", "-1", "9", "-2147483649", "2147483648", "9223372036854775808"] {
                for place in [
                    "", "\\fonttbl", "\\*\\listtable\\list", "\\*\\listoverridetable", "\\stylesheet", "\\*\\pn",
                    "\\*\\fldinst",
                ] {
                    let rtf =
                        "{\\rtf1{\(place){\\\(word)\(number) x\\\(word)\(number);}y}\\\(word)\(number) z\\ls1 z\\par}"
                    survives(rtf.utf8, rtf)
                }
            }
        }
    }

    @Test("An error tells that the content is not RTF")
    func notRTF() {
        for rtf in ["", " ", "text", "{", "{}", "{\\rt", "{rtf1}", "\\rtf1", "{{\\rtf1}}", "rtfd\0\0\0\0"] {
            #expect(
                problem(rtf) == "The public.rtf received is not rich text: it does not begin with {\\rtf.", "\(rtf)")
        }
        #expect(problem("{\\rtf1}}}} and more") == nil)
    }

    @Test("Groups that are too deep or stay open say where")
    func groups() {
        #expect(
            problem("{\\rtf1" + String(repeating: "{", count: 5000))?.contains(
                "nested more than 1000 groups deep, at byte") == true)
        #expect(problem("{\\rtf1" + String(repeating: "{", count: 999) + String(repeating: "}", count: 1000)) == nil)
        #expect(problem("{\\rtf1 {a")?.contains("ends at byte 9 with 2 groups still open") == true)
    }

    @Test("Binary data longer than the document says where it begins")
    func binary() throws {
        #expect(
            problem("{\\rtf1{\\pict\\bin99 }}")?.contains("\\bin at byte 12 announces 99 bytes where 2 follow") == true)
        #expect(problem("{\\rtf1{\\pict\\bin99999999999999999999 }}") != nil)
        #expect(try RTFReader.text(of: Data("{\\rtf1{\\pict\\bin3 }}}}\\bin-5 a\\bin b}".utf8)) == "ab")
    }

    @Test("A document too large, and one that changes its format too often, is refused")
    func limits() {
        #expect(throws: TransferError.self) { try RTFReader.text(of: Data(count: 64 << 20 + 1)) }
        #expect(
            problem("{\\rtf1" + String(repeating: "\\b a\\b0 a", count: 50_001))?.contains("too finely formatted")
                == true)
    }

    @Test("Tables without end cost no more than their length")
    func tables() throws {
        let fonts = (0..<70_000).map { "{\\f\($0) Courier;}" }.joined()
        #expect(try RTFReader.text(of: Data("{\\rtf1{\\fonttbl\(fonts)}\\f0 a}".utf8)).characters.count == 1)
        let name = String(repeating: "x", count: 1 << 20)
        #expect(try RTFReader.text(of: Data("{\\rtf1{\\fonttbl\\f0 \(name);}{\\stylesheet \(name);}a}".utf8)) == "a")
        #expect(
            try RTFReader.text(of: Data("{\\rtf1{\\field{\\*\\fldinst HYPERLINK \(name)}{\\fldrslt a}}}".utf8))
                .characters.count == 1)
        let pages = (0..<2000).map { "\\ansicpg\($0)\\'e9" }.joined()
        #expect(try RTFReader.text(of: Data("{\\rtf1\(pages)}".utf8)).unicodeScalars.count <= 4000)
    }
}
