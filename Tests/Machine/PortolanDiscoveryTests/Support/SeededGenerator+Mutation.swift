import TestSupport

extension SeededGenerator {
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
