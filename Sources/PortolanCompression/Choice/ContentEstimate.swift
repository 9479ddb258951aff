/// What compressing the content at hand costs and gives, measured by the blocks that were compressed lately.
struct ContentEstimate: Sendable {
    /// Seconds to compress a byte, and bytes that are left of one; nil until a block has been compressed.
    private(set) var known: (secondsPerByte: Double, ratio: Double)?

    /// Whether the block that was tried last got smaller.
    private(set) var shrinks = false

    /// Small, for on a busy machine few blocks bear most of the time.
    private static let weight = 0.1

    /// A block of `count` bytes was compressed to `packed`, in `seconds`; nil: it did not get smaller.
    mutating func compressed(_ count: Int, into packed: Int?, seconds: Double) {
        shrinks = packed != nil
        guard let packed else { return }
        let pace = seconds / Double(count)
        let ratio = Double(packed) / Double(count)
        known =
            known.map { known in
                (
                    known.secondsPerByte + (pace - known.secondsPerByte) * Self.weight,
                    known.ratio + (ratio - known.ratio) * Self.weight
                )
            } ?? (pace, ratio)
    }

    /// A block did not look as if it would get smaller.
    mutating func looksDense() { shrinks = false }
}
