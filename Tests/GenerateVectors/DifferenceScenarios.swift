import Crypto
import Foundation

/// Digests, chunks and groups of contents under a key (FILES.md 7.6.1), made without the library.
func differenceScenarios() -> [Scenario] {
    func scenario(_ name: String, _ comment: String, size: Int, seed: UInt64) -> Scenario {
        let content = KeyedContent(size: size, seed: seed, key: Array(0..<32))
        return Scenario(
            name, kind: "difference", comment,
            [
                "key": hex(content.key), "size": String(size), "seed": String(seed),
                "digest": hex(content.digest(of: content.bytes[...])), "file_digest": hex(content.fileDigest),
                "chunk_list": hex(SHA256.hash(data: content.chunkList)), "groups": content.groups.map { hex($0) },
            ])
    }
    return [
        scenario("difference-digests", "A file of several blocks, chunks and groups.", size: 2_500_000, seed: 2),
        scenario(
            "difference-digests-short", "One block, which is no whole number of the cipher's blocks.", size: 1000,
            seed: 2),
        scenario("difference-digests-empty", "No content.", size: 0, seed: 3),
    ]
}

/// Content from a seed, and the messages of two sides with a key about it.
private struct KeyedContent {
    let key: [UInt8]
    let bytes: [UInt8]
    private let tags: SymmetricKey
    private var chunks: [[UInt8]] = []

    init(size: Int, seed: UInt64, key: [UInt8]) {
        self.key = key
        bytes = Self.numbers(size, seed: seed)
        let pseudoRandom = SymmetricKey(data: key)
        func expand(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.expand(pseudoRandomKey: pseudoRandom, info: Array(info.utf8), outputByteCount: count)
        }
        tags = expand("Portolan content tags", 32)
        let table = expand("Portolan gear table", 2048).withUnsafeBytes { Array($0) }
        let gear = (0..<256).map { number in
            table[8 * number..<8 * number + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.chunkLength(of: rest, gear))
            // The length in three bytes, the lowest first.
            let length = (0..<3).map { UInt8(truncatingIfNeeded: chunk.count >> (8 * $0)) }
            chunks.append(length + digest(of: chunk))
            rest = rest.dropFirst(chunk.count)
        }
    }

    /// The numbers of SplitMix64, each as eight bytes, the lowest first.
    private static func numbers(_ size: Int, seed: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var state = seed
        while bytes.count < size {
            state &+= 0x9E37_79B9_7F4A_7C15
            var number = state
            number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
            number ^= number >> 31
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(size))
    }

    private static func chunkLength(of rest: ArraySlice<UInt8>, _ gear: [UInt64]) -> Int {
        var hash: UInt64 = 0
        var length = 0
        for byte in rest.prefix(262_144) {
            hash = hash << 1 &+ gear[Int(byte)]
            length += 1
            if length >= 16_384, hash >> (64 - (length >= 53_248 ? 14 : 18)) == 0 { break }
        }
        return length
    }

    func digest(of content: ArraySlice<UInt8>) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(
                Data(), using: tags, nonce: AES.GCM.Nonce(data: Data(count: 12)), authenticating: Data(content))
            return Array(SHA256.hash(data: box.tag).prefix(16))
        } catch {
            fatalError("A tag cannot fail: \(error)")
        }
    }

    /// The digest with which a file ends that has copies.
    var fileDigest: [UInt8] {
        let blocks = stride(from: 0, to: bytes.count, by: 262_144).map { start in
            digest(of: bytes[start..<min(start + 262_144, bytes.count)])
        }
        return Array(SHA256.hash(data: Array(blocks.joined())).prefix(16))
    }

    var chunkList: [UInt8] { Proto.varint(UInt64(chunks.count)) + chunks.joined() }

    var groups: [[UInt8]] {
        var groups: [[UInt8]] = []
        var open: [[UInt8]] = []
        for (place, chunk) in chunks.enumerated() {
            open.append(chunk)
            guard chunk[18] & 15 == 0 || open.count == 64 || place == chunks.count - 1 else { continue }
            let named = Array("Portolan chunk group".utf8) + open.joined()
            groups.append(Array(SHA256.hash(data: named).prefix(16)))
            open = []
        }
        return groups
    }
}
