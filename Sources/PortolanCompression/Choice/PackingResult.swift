/// Whether compressing keeps its promise: what a byte takes while some blocks are compressed, against what it took before.
///
/// The plan knows nothing of what else happens: a receiver that cannot keep up with expanding, processors that both sides share.
struct PackingResult: Sendable {
    /// Whether compressing was slower and is not to be tried for a while.
    private(set) var isHeldBack = false

    /// Whether the block that was sent last showed that compressing is slower.
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

    /// Compressing begins; until then a byte of content took `unpacked` seconds. Times that are too short to judge by add up.
    mutating func begins(unpacked: Double) {
        self.unpacked = unpacked
    }

    /// A block of `count` bytes was sent, `seconds` after the one before it.
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
        // A window in which little could be compressed says nothing about compressing.
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
