import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
}

/// Runs `body` with a generator, and reports the seed if it fails.
func withSeed(_ seed: UInt64, _ body: (inout SeededGenerator) throws -> Void) {
    var random = SeededGenerator(seed: seed)
    do {
        try body(&random)
    } catch {
        Issue.record("seed \(seed): \(error)")
    }
}

extension [UInt8] {
    /// A copy with one to four small damages: bits, bytes, cuts, repetitions.
    func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = self
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty else { return [UInt8.random(in: 0...255, using: &random)] }
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] ^= 1 << random.below(8)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)]
            case 2: bytes.removeSubrange(place..<Swift.min(bytes.count, place + 1 + random.below(4)))
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 4: bytes.removeSubrange(place...)
            default: bytes += bytes[place...]
            }
        }
        return bytes
    }
}

/// A device that is only a seed.
func device(_ name: String, _ seed: UInt8) throws -> DeviceIdentity {
    DeviceIdentity(name: try DeviceName(name), key: try DeviceKey(seed: [UInt8](repeating: seed, count: 32)))
}

func type(_ identifier: String, _ ancestors: String...) throws -> OfferedType {
    try OfferedType(identifier: identifier, ancestors: ancestors)
}

/// An offer of so many items, each with a file, a folder and two pieces of data to choose from.
func sampleOffer(id: UInt64 = 1, items: Int = 2) throws -> Offer {
    let source = [UInt8](repeating: 7, count: 16)
    let item = try OfferedItem(
        title: "item",
        representations: [
            OfferedRepresentation(type: type("public.png"), channel: .file, size: 5, source: source),
            OfferedRepresentation(type: type("public.folder"), channel: .file, isFolder: true, source: source),
            OfferedRepresentation(type: type("public.utf8-plain-text"), channel: .data, size: 4),
            OfferedRepresentation(type: type("public.data"), channel: .data),
        ])
    return try Offer(id: id, items: Array(repeating: item, count: items))
}

/// Content that may come with a sample offer: its file, or its text.
func inlineSample(of representation: Int) throws -> InlineContent {
    let content =
        representation == 0
        ? try TreeSample.record([.file(0, content: [1, 2, 3])], transfer: 0) : [UInt8](repeating: 0x61, count: 4)
    return try InlineContent(representation: representation, name: Array("n".utf8), content: Data(content))
}

/// The violation that `body` throws.
func violation(_ body: () throws -> Void) -> ProtocolViolation.Kind? {
    do {
        try body()
        return nil
    } catch let violation as ProtocolViolation {
        return violation.kind
    } catch {
        Issue.record("Not a violation: \(error)")
        return nil
    }
}
