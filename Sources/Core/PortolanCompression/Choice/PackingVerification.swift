/// Verification of the plan: the time per byte with compression, compared with the time before.
///
/// The plan cannot include other effects: a receiver that is too slow at expanding, processors that both sides share.
struct PackingVerification: Sendable {
    /// True after compression was slower, for a while in which it is not tried.
    private(set) var isHeldBack = false

    /// True if the last block showed that compression is slower.
    private(set) var disappoints = false

    private static let window = 0.15
    private static let tolerance = 1.02
    private static let shortestHold = 0.5
    private static let longestHold = 8.0

    private var unpacked = Double.infinity
    private var hold = Self.shortestHold
    private var held = 0.0

    private var seconds = 0.0
    private var bytes = 0.0
    private var packedBytes = 0.0

    /// Reports the beginning of compression; before, a byte of content took `unpacked` seconds. Short periods are added
    /// up until they suffice.
    mutating func begins(unpacked: Double) {
        self.unpacked = unpacked
    }

    /// Reports that a block of `count` bytes was sent, `seconds` after the one before it.
    mutating func sent(_ count: Int, seconds: Double, packed: Bool, isPacking: Bool) {
        disappoints = false
        guard isPacking else {
            held += seconds
            if held >= hold { isHeldBack = false }
            return
        }
        self.seconds += seconds
        bytes += Double(count)
        if packed { packedBytes += Double(count) }
        guard self.seconds >= Self.window else { return }
        defer { startWindow() }
        // A window with few compressed bytes does not show the effect of compression.
        guard packedBytes >= bytes / 8 else { return }
        if self.seconds / bytes > unpacked * Self.tolerance {
            disappoints = true
            isHeldBack = true
            held = 0
            hold = min(hold * 2, Self.longestHold)
        } else {
            hold = Self.shortestHold
        }
    }

    private mutating func startWindow() {
        seconds = 0
        bytes = 0
        packedBytes = 0
    }
}
