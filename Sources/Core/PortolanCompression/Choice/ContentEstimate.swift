/// Cost and gain of compressing the present content, measured on recent blocks.
struct ContentEstimate: Sendable {
    /// Seconds to compress a byte, and remaining fraction of a byte; nil until a block has been compressed.
    private(set) var known: (secondsPerByte: Double, ratio: Double)?

    /// True if the last block that was tried shrank.
    private(set) var shrinks = false

    /// Weight of a new measurement. Small, because on a busy machine few blocks take most of the time.
    private static let weight = 0.1

    /// Reports that a block of `count` bytes was compressed to `packed`, in `seconds`; nil if it did not shrink.
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

    /// Reports a block that is probably incompressible.
    mutating func looksDense() { shrinks = false }
}
