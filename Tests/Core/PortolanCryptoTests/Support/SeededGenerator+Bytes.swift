import TestSupport

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// The bytes with one to three small changes, which sometimes cancel each other.
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
