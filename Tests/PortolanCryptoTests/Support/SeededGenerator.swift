/// SplitMix64: the same numbers for the same seed on every machine, so that a failing round can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// The bytes with one to three small injuries; sometimes they heal each other.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let position = Int.random(in: 0...bytes.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0 where position < bytes.count: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1 where position < bytes.count: bytes[position] = UInt8.random(in: 0...255, using: &self)
            case 2: bytes.removeSubrange(position...)
            case 3 where position < bytes.count: bytes.remove(at: position)
            case 4: bytes.insert(contentsOf: self.bytes(Int.random(in: 1...40, using: &self)), at: position)
            case 5: bytes = self.bytes(Int.random(in: 0...200, using: &self))
            default: break
            }
        }
        return bytes
    }
}
