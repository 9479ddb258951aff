import Crypto
import Foundation

/// Digests, chunks and groups of contents under a key (FILES.md 7.6.1), made without the library.
func differenceScenarios() -> [Scenario] {
    /// Sums of ranges: start, length, bytes of a block and of a strong sum.
    typealias Sums = (start: Int, length: Int, block: Int, strong: Int)
    func scenario(_ name: String, _ comment: String, size: Int, seed: UInt64, _ sums: [Sums] = []) -> Scenario {
        let content = KeyedContent(size: size, seed: seed, key: Array(0..<32))
        return Scenario(
            name, kind: "difference", comment,
            [
                "key": hex(content.key), "size": String(size), "seed": String(seed),
                "digest": hex(content.digest(of: content.bytes[...])), "file_digest": hex(content.fileDigest),
                "chunk_list": hex(SHA256.hash(data: content.chunkList)), "groups": content.groups.map { hex($0) },
                "sums": sums.map { one in
                    [
                        "range": [one.start, one.length, one.block, one.strong],
                        "bytes": hex(
                            content.signature(
                                of: one.start..<one.start + one.length, block: one.block, strong: one.strong)),
                    ] as [String: Any]
                },
            ])
    }
    return [
        scenario(
            "difference-digests", "A file of several blocks, chunks and groups; rests of ranges have sums or none.",
            size: 2_500_000, seed: 2,
            [
                (1_024_000, 2048, 1024, 8), (0, 1040, 1024, 8), (2048, 1039, 1024, 4), (4096, 15, 4096, 5),
                (8192, 16, 2048, 6), (2_494_464, 5536, 3072, 7), (1_228_800, 8192, 4096, 6),
            ]),
        scenario(
            "difference-digests-short", "One block, which is no whole number of the cipher's blocks.", size: 1000,
            seed: 2),
        scenario("difference-digests-empty", "No content.", size: 0, seed: 3),
    ]
}

/// Content from a seed, and the messages of two sides with a key about it.
struct KeyedContent {
    let key: [UInt8]
    let bytes: [UInt8]
    private let tags: SymmetricKey
    /// Chunks as they are in a chunk list.
    private var chunks: [[UInt8]] = []
    private let sums: (key: [UInt8], multiplier: UInt64)

    init(size: Int, seed: UInt64, key: [UInt8]) { self.init(Self.numbers(size, seed: seed), key: key) }

    init(_ bytes: [UInt8], key: [UInt8]) {
        (self.key, self.bytes) = (key, bytes)
        let pseudoRandom = SymmetricKey(data: key)
        func expand(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.expand(pseudoRandomKey: pseudoRandom, info: Array(info.utf8), outputByteCount: count)
        }
        tags = expand("Portolan content tags", 32)
        let table = expand("Portolan gear table", 2048).withUnsafeBytes { Array($0) }
        func number(at place: Int, in bytes: [UInt8]) -> UInt64 {
            bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let gear = (0..<256).map { number(at: 8 * $0, in: table) }
        let output = expand("Portolan block sums", 40).withUnsafeBytes { Array($0) }
        sums = (Array(output.prefix(32)), number(at: 32, in: output) & ~7 | 5)
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
    static func numbers(_ size: Int, seed: UInt64) -> [UInt8] {
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

    var chunkList: [UInt8] { Self.list(of: chunks) }

    private static func list(of chunks: [[UInt8]]) -> [UInt8] {
        Proto.varint(UInt64(chunks.count)) + chunks.joined()
    }

    private var groupedChunks: [[[UInt8]]] {
        var groups: [[[UInt8]]] = []
        var open: [[UInt8]] = []
        for (place, chunk) in chunks.enumerated() {
            open.append(chunk)
            guard chunk[18] & 15 == 0 || open.count == 64 || place == chunks.count - 1 else { continue }
            groups.append(open)
            open = []
        }
        return groups
    }

    var groups: [[UInt8]] {
        groupedChunks.map { chunks in
            Array(SHA256.hash(data: Array("Portolan chunk group".utf8) + chunks.joined()).prefix(16))
        }
    }

    /// Sums of the blocks of a range, and of a rest of at least 16 bytes.
    func signature(of range: Range<Int>, block: Int, strong: Int) -> [UInt8] {
        stride(from: range.lowerBound, to: range.upperBound, by: block).flatMap { start -> [UInt8] in
            let block = bytes[start..<min(start + block, range.upperBound)]
            guard block.count >= 16 else { return [] }
            let weak = block.reduce(UInt64(0)) { ($0 &+ UInt64($1)) &* sums.multiplier }
            let leading = (0..<4).map { UInt8(truncatingIfNeeded: weak >> (56 - 8 * UInt64($0))) }
            return leading + SHA256.hash(data: sums.key + block).prefix(strong)
        }
    }
}
