import Crypto

/// Sums of blocks: a weak one, which rolls, and a strong one.
///
/// Both depend on a key, which the side that asks for signatures draws for each exchange. An attacker without the key
/// cannot prepare different blocks with equal sums. (Weak sums can collide by design, with Thue-Morse sequences of 1024
/// bytes and more; searches bound the work that this makes.)
///
/// The weak sum of bytes *b1 … bn* is the polynomial *b1 m^n + b2 m^(n-1) + … + bn m* modulo 2^64, of which a signature
/// has the leading 32 bits. The strong sum is the beginning of SHA-256 of the strong key and the block.
///
/// HKDF-Expand (RFC 5869) with SHA-256 makes 40 bytes of the key and the info `Portolan block sums`: the strong key of
/// 32 bytes, then the little-endian number whose three lowest bits are replaced by 101 to make *m*.
package struct BlockSums: Sendable {
    package static let keyLength = 32

    let multiplier: UInt64
    private let keyed: SHA256

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyLength)
        let output = HKDF<SHA256>.expand(
            pseudoRandomKey: key, info: Array("Portolan block sums".utf8), outputByteCount: 40)
        var hash = SHA256()
        (multiplier, keyed) = output.withUnsafeBytes { bytes in
            hash.update(bufferPointer: bytes[part: 0..<32])
            return (bytes.number(at: 32).byteSwapped & ~7 | 5, hash)
        }
    }

    /// Returns the whole weak sum, whose leading half is in signatures.
    func rolling(_ block: UnsafeRawBufferPointer) -> UInt64 {
        let square = multiplier &* multiplier
        let (cube, fourth) = (square &* multiplier, square &* square)
        let bytes = block.assumingMemoryBound(to: UInt8.self)
        guard let base = bytes.baseAddress else { return 0 }
        var (sum, at): (UInt64, Int) = (0, 0)
        // Four bytes a step, whose products do not wait for each other.
        while at &+ 4 <= block.count {
            let first = UInt64(base[at]) &* fourth &+ UInt64(base[at &+ 1]) &* cube
            let last = UInt64(base[at &+ 2]) &* square &+ UInt64(base[at &+ 3]) &* multiplier
            sum = sum &* fourth &+ (first &+ last)
            at &+= 4
        }
        while at < block.count {
            sum = (sum &+ UInt64(base[at])) &* multiplier
            at &+= 1
        }
        return sum
    }

    /// Returns the weak sum as signatures have it.
    func weak(_ block: UnsafeRawBufferPointer) -> UInt32 { UInt32(truncatingIfNeeded: rolling(block) >> 32) }

    /// Returns the multiplier's power for the byte that leaves a block of this size.
    func leavingFactor(blockSize: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<blockSize { power = power &* multiplier }
        return power
    }

    /// - Parameter length: bytes of the sum, 4 to 8.
    func strong(_ block: UnsafeRawBufferPointer, length: Int) -> UInt64 {
        var hash = keyed
        hash.update(bufferPointer: block)
        return hash.finalize().withUnsafeBytes { $0.number(at: 0) } >> (64 - 8 * UInt64(length))
    }
}

/// Both sums of a block, as a signature has them.
struct BlockSum: Hashable, Sendable {
    let weak: UInt32
    let strong: UInt64
}
