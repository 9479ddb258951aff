import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

/// The question that a person is asked about an offer, as a peer would forge it.
@Suite struct OfferTextTests {
    private let fingerprint = Fingerprint(of: DeviceKey.generate().publicKey)
    private var short: String { String(fingerprint.description.prefix(9)) }

    private func question(
        name: String = "mallory", title: String = "x", type: String = "public.jpeg", description: String? = nil,
        message: String = "", sizes: [UInt64?] = [1000], localName: String? = nil, namesakeOf: Fingerprint? = nil,
        isKnown: Bool = false, inFull: Bool = false
    ) throws -> [String] {
        let preview = try ItemPreview(message: message)
        let items = sizes.map { size in
            IncomingOffer.Item(
                transfer: TransferID(item: 0), title: title, contentType: type, typeDescription: description,
                suggestedName: nil, representation: 0,
                representationCount: 1, size: size, apparentSize: size, mostBytes: size, isFolder: false,
                restriction: .everyone, preview: preview, forms: [])
        }
        let peer = RemotePeer(
            name: name, fingerprint: fingerprint, address: "192.0.2.7:1", isKnown: isKnown, localName: localName,
            namesakeOf: namesakeOf, standing: .anyone)
        let offer = IncomingOffer(peer: peer, items: items, notImportable: [])
        let text = "\(OfferText.body(offer, inFull: inFull))\n\(OfferText.question(offer))"
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func programTextIsOnSeparateLinesBeforeThePeersText() throws {
        let lines = try question(name: "ada", title: "Holiday", message: "Look!")
        #expect(
            lines == [
                "Offered by a device that is new here, at 192.0.2.7:1,", "  which calls itself “ada”; its key is",
                "  \(fingerprint)", "1. JPEG image, 1.00 kB", "     “Holiday”", "     “Look!”",
                "Take 1 item, 1.00 kB, from “ada” (new here, \(short))?",
            ])
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func knownKeyIsShownShortenedUnlessInFull() throws {
        let lines = try question(name: "ada", isKnown: true)
        #expect(lines[0] == "Offered by “ada” (known, \(short)), at 192.0.2.7:1:")
        #expect(lines.last == "Take 1 item, 1.00 kB, from “ada” (known, \(short))?")
        #expect(try question(name: "ada", isKnown: true, inFull: true)[0].contains("\(fingerprint)"))
        let renamed = try question(name: "debian", localName: "debian (2)", isKnown: true)
        #expect(
            renamed[0]
                == "Offered by “debian (2)” (known, \(short)), at 192.0.2.7:1, calls itself “debian”:")
    }

    @Test(
        "the kind of an item is shown in a person's words",
        arguments: [
            ("public.jpeg", "JPEG image"), ("public.disk-image", "disk image"), ("public.data", "file"),
            ("com.apple.macbinary-archive", "file"), ("dyn.age80k55e", "file"), ("com.example.mallory", "file"),
            ("public.folder", "folder"),
        ])
    func kinds(type: String, words: String) throws {
        #expect(KindText.words(type) == words)
        #expect(KindText.words(type, isFolder: true) == "folder")
        #expect(try question(type: type)[3] == "1. \(words), 1.00 kB")
    }

    @Test func questionAboutANamesakeExplainsTheOtherKeyAndTheResultOfYes() throws {
        let other = Fingerprint(of: DeviceKey.generate().publicKey)
        let lines = try question(name: "debian", localName: "debian (2)", namesakeOf: other)
        #expect(
            lines.prefix(6) == [
                "Offered by a device that is new here, at 192.0.2.7:1,", "  which calls itself “debian”; its key is",
                "  \(fingerprint)", "Another device is known here by that name, with the key", "  \(other)",
                "If you take it, this one is kept as “debian (2)”.",
            ])
        #expect(lines.last == "Take 1 item, 1.00 kB, from “debian (2)” (new here, \(short))?")
        // Neither name can close its quotation marks.
        let forged = try question(name: "a” b\n1. c", localName: "a” b\n1. c (2)", namesakeOf: other)
        #expect(forged.count == lines.count)
        #expect(forged.map { $0.count { "“”".contains($0) } } == lines.map { $0.count { "“”".contains($0) } })
    }

    @Test func namesakeIsDeclinedWithoutATerminalWithAdviceForBothSides() throws {
        let other = Fingerprint(of: DeviceKey.generate().publicKey)
        func peer(namesakeOf: Fingerprint?) -> RemotePeer {
            RemotePeer(
                name: "ada@debian", fingerprint: fingerprint, address: "192.0.2.7:1", isKnown: false,
                localName: "ada@debian (2)", namesakeOf: namesakeOf, standing: .anyone)
        }
        #expect(Decider.namesakeRefusal(peer(namesakeOf: nil)) == nil)
        guard case .decline(let detail, let reason?)? = Decider.namesakeRefusal(peer(namesakeOf: other)) else {
            Issue.record("it was not declined")
            return
        }
        for way in ["portolan id --name NAME", "without --yes", "portolan pair"] { #expect(detail.contains(way)) }
        // The detail is shown to the sender whole, between quotation marks, and reveals nothing about the other device.
        #expect(DisplayText(detail, limit: 400).text == detail)
        #expect(!detail.contains(other.description))
        for part in ["\(other)", "\(fingerprint)", "without --yes", "portolan pair", "--forget 'ada@debian'"] {
            #expect(reason.contains(part))
        }
        #expect(DisplayText(sentence: reason, limit: 700).text == reason)
    }

    @Test(
        "a peer's text neither ends its quotation nor begins a line nor pads one",
        arguments: [
            "ada” (known), k3xq-7m2a", "ada\u{2800}\u{2800}\u{2800}(known)", "ada\n1. public.jpeg", "ada\u{2028}known",
            "ada        (known)", "ada\u{3164}", "\u{202E}nwonk", "ada\u{1B}[1A\u{1B}[2K", "\u{FF02}ada\u{301E}",
            "ada\u{E0020}\u{FE0F}\u{34F}",
        ])
    func cannotBeForged(text: String) throws {
        let honest = try question(name: "a", title: "b", type: "x.unknown", description: "d", message: "c")
        let forged = try question(name: text, title: text, type: "x.unknown", description: text, message: text)
        #expect(forged.count == honest.count)
        for (forgedLine, line) in zip(forged, honest) {
            #expect(forgedLine.count { "“”".contains($0) } == line.count { "“”".contains($0) })
            #expect(DisplayText.isHarmless(forgedLine))
            #expect(!forgedLine.unicodeScalars.contains(where: DisplayText.isBlank))
            #expect(!forgedLine.drop { $0 == " " }.contains("  "))
            if !line.contains("“") { #expect(forgedLine == line) }
        }
    }

    @Test func unknownTypeIsDescribedByThePeersText() throws {
        let lines = try question(type: "com.example.mallory", description: "JPEG image")
        #expect(lines[3] == "1. file, 1.00 kB")
        #expect(lines.contains("     its sender calls it “JPEG image”"))
        #expect(try !question(description: "something else").joined().contains("something else"))
    }

    @Test func sizesDoNotWrapAround() throws {
        let last = try #require(try question(sizes: [UInt64](repeating: 1 << 62, count: 5)).last)
        #expect(last.hasPrefix("Take 5 items, 18.4 EB"))
    }

    @Test func longOfferRepeatsTheSender() throws {
        let long = String(repeating: "\u{E0041}", count: 250)
        let lines = try question(name: long, title: long, message: long, sizes: [UInt64?](repeating: nil, count: 1024))
        #expect(lines.allSatisfy { $0.count < 500 })
        #expect(lines.last == "Take 1024 items, size unknown, from \(name(long)) (new here, \(short))?")
    }

    private func name(_ text: String) -> String { "“\(DisplayText(text, limit: 63))”" }
}
