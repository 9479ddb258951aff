/// Random numbers that a failing test can have again: the seed is in its message.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        // SplitMix64's step.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// `bytes` with up to four bytes changed, left out, doubled or put in.
    mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...3, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            switch Int.random(in: 0...3, using: &self) {
            case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
            case 2 where place < bytes.count: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes.prefix(place), at: place)
            }
        }
        return bytes
    }
}
