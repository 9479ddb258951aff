/// Decides for each block of a stream if it is compressed. The type measures nothing itself: the caller reports times,
/// in seconds.
///
/// In mode `auto` a block is compressed only while that makes the transfer faster:
/// - The lane must wait for its link (`LinkEstimate`); while it does not, no block is tried.
/// - Cost and gain are measured on blocks of this stream (`ContentEstimate`). Attempts without a gain may take at
///   most a hundredth of the time, so that an incompressible stream is hardly slower.
/// - Both determine the share of blocks to compress (`PackingPlan`). The others are sent uncompressed, and keep
///   measuring the link.
/// - The result is verified: if sending is slower than before, compression stops for a while.
///
/// Each lane has its own, because each sees its own part of the link.
package struct CompressionChoice: Sendable {
    /// Next step for a block.
    package enum Step: Hashable, Sendable {
        /// Send the block uncompressed.
        case raw
        /// Compress a small part of the block, and report the result with `looked(...)`.
        case look
        /// Compress the block, and report the result with `compressed(...)`.
        case compress
    }

    package let mode: CompressionMode

    /// Seconds that attempts may still take: earned gradually, with a small maximum.
    private var allowance = 0.0005
    private static let earning = 0.01
    /// Additional earnings while compression pays, because attempts during waiting cost nothing.
    private static let earningByWaiting = 0.1
    private static let largestAllowance = 0.02

    /// Gain above which compression begins, and below which it ends.
    private static let beginning = 1.06
    private static let ending = 1.02

    private var link = LinkEstimate()
    private var content = ContentEstimate()

    /// Seconds per byte of the lane without compressing or waiting.
    private var lane: Double?

    private var isPacking = false
    private var share = 0.0
    /// Sum of the shares of past blocks; at 1 a block is compressed.
    private var turn = 0.0
    private static let mostTurns = 2.0

    private var result = PackingVerification()

    /// Time at which the last block was sent, and seconds of compressing since then.
    private var lastSent: Double?
    private var spent = 0.0
    private var packed = false

    package init(_ mode: CompressionMode) {
        self.mode = mode
    }

    /// Returns the step for the next block.
    package mutating func next() -> Step {
        switch mode {
        case .never: return .raw
        case .zstd: return .compress
        case .auto: break
        }
        guard let lane, let link = link.secondsPerByte, link > lane * Self.beginning else { return .raw }
        if isPacking {
            turn += share
            guard turn >= 1 else { return .raw }
            turn -= 1
            if content.shrinks { return .compress }
        } else if result.isHeldBack {
            return .raw
        }
        return allowance > 0 ? .look : .raw
    }

    /// Reports that a part of a block was compressed.
    ///
    /// - Parameter worthwhile: true if it shrank; then `.compress` is the next step for the block, else `.raw`.
    package mutating func looked(worthwhile: Bool, seconds: Double) -> Step {
        spend(seconds, pays: false)
        if worthwhile { return .compress }
        content.looksDense()
        passTurn()
        return .raw
    }

    /// Reports that a block of `count` bytes was compressed to `packed` bytes; nil if it did not shrink by a useful
    /// amount.
    package mutating func compressed(_ count: Int, into packed: Int?, seconds: Double) {
        content.compressed(count, into: packed, seconds: seconds)
        self.packed = packed != nil
        spend(seconds, pays: isPacking && packed != nil)
        if packed == nil { passTurn() }
        plan()
    }

    /// Reports a sent block.
    ///
    /// - Parameter count: bytes of content in the block.
    /// - Parameter wire: bytes that were written to the socket for it.
    /// - Parameter queued: bytes of this lane that the kernel has not sent yet.
    /// - Parameter waited: seconds of waiting for room in the kernel's buffer, or for a rate limit; 0 if it took all
    ///   at once.
    /// - Parameter now: seconds since any fixed moment, by a monotonic clock.
    package mutating func sent(_ count: Int, wire: Int, queued: Int, waited: Double, now: Double) {
        guard mode == .auto else { return }
        defer {
            lastSent = now
            spent = 0
            packed = false
        }
        link.sent(wire, queued: queued, waited: waited > 0, now: now)
        guard let lastSent, count > 0 else { return }
        let elapsed = max(0, now - lastSent)
        let earned = elapsed * Self.earning + (isPacking ? waited * Self.earningByWaiting : 0)
        allowance = min(allowance + earned, Self.largestAllowance)

        // A lane that was idle for a while does not show the time per byte.
        let own = max(0, elapsed - waited - spent) / Double(count)
        lane = lane.map { $0 + (min(own, $0 * 4 + 1e-12) - $0) / 16 } ?? own

        result.sent(count, seconds: elapsed, packed: packed, isPacking: isPacking)
        if result.disappoints { isPacking = false }
        plan()
    }

    /// Leaves the turn of an incompressible block to the next compressible one.
    private mutating func passTurn() {
        turn = min(turn + 1, Self.mostTurns)
    }

    private mutating func spend(_ seconds: Double, pays: Bool) {
        spent += seconds
        if !pays { allowance -= seconds }
    }

    private mutating func plan() {
        guard mode == .auto, let lane, let link = link.secondsPerByte, let known = content.known else { return }
        let plan = PackingPlan(
            lane: lane, link: link, compressing: known.secondsPerByte, ratio: known.ratio)
        let wasPacking = isPacking
        isPacking = !result.isHeldBack && plan.gain >= (isPacking ? Self.ending : Self.beginning)
        share = plan.share
        if isPacking, !wasPacking {
            turn = 1
            result.begins(unpacked: max(lane, link))
        }
    }
}
