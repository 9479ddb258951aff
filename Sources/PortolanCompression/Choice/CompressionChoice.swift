/// Decides for each block of a stream whether it is compressed. Pure: what was measured is told to it, in seconds.
///
/// In mode `auto` a block is compressed only while that makes the transfer faster:
/// - The lane must wait for its link (`LinkEstimate`); while it does not, nothing at all is tried.
/// - What compressing costs and gives is measured by blocks of this stream (`ContentEstimate`). Trying costs time, and trying that does
///   not pay may take one part in a hundred of all time, so that a stream that cannot be compressed hardly notices.
/// - From the two follows which part of the blocks to compress (`PackingPlan`). The others go as they are, and go on measuring the link.
/// - What the plan promises must come true: when sending is slower than it was without compressing, it stops for a while.
///
/// One for each lane: each sees its own part of the link.
package struct CompressionChoice: Sendable {
    /// What to do with a block.
    package enum Step: Hashable, Sendable {
        /// Send it as it is.
        case raw
        /// Look at a small part of it first, and say what was found with `looked(...)`.
        case look
        /// Compress it, and say what came of it with `compressed(...)`.
        case compress
    }

    package let mode: CompressionMode

    /// Seconds that trying may take before it has to pay: earned by and by, and never many.
    private var allowance = 0.0005
    private static let earning = 0.01
    /// While compressing pays, waiting is time in which trying costs nothing.
    private static let earningByWaiting = 0.1
    private static let largestAllowance = 0.02

    /// The gain from which on compressing begins, and below which it ends.
    private static let beginning = 1.06
    private static let ending = 1.02

    private var link = LinkEstimate()
    private var content = ContentEstimate()

    /// Seconds the lane takes for a byte when it neither compresses nor waits.
    private var lane: Double?

    private var isPacking = false
    private var share = 0.0
    /// Counts up by the share with each block; at 1 it is that block's turn.
    private var turn = 0.0
    private static let mostTurns = 2.0

    private var result = PackingResult()

    /// When the last block was sent, and what was spent on compressing since.
    private var lastSent: Double?
    private var spent = 0.0
    private var packed = false

    package init(_ mode: CompressionMode) {
        self.mode = mode
    }

    /// What to do with the next block.
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

    /// A part of a block was looked at.
    ///
    /// - Parameter worthwhile: whether it got smaller; then `.compress` is the next step for the block, else `.raw`.
    package mutating func looked(worthwhile: Bool, seconds: Double) -> Step {
        spend(seconds, pays: false)
        if worthwhile { return .compress }
        content.looksDense()
        passTurn()
        return .raw
    }

    /// A block of `count` bytes was compressed to `packed` bytes; nil: it did not get smaller by a useful amount.
    package mutating func compressed(_ count: Int, into packed: Int?, seconds: Double) {
        content.compressed(count, into: packed, seconds: seconds)
        self.packed = packed != nil
        spend(seconds, pays: isPacking && packed != nil)
        if packed == nil { passTurn() }
        plan()
    }

    /// A block was sent.
    ///
    /// - Parameter count: the bytes of content in it.
    /// - Parameter wire: what was handed to the kernel for it.
    /// - Parameter queued: what the kernel has of this lane and has not sent yet.
    /// - Parameter waited: seconds of waiting for room in the kernel's buffer, or for a rate limit; 0 when it took all at once.
    /// - Parameter now: seconds since any fixed moment, by a clock that does not go back.
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

        // A lane that had nothing to do for a while says nothing about how long a byte takes.
        let own = max(0, elapsed - waited - spent) / Double(count)
        lane = lane.map { $0 + (min(own, $0 * 4 + 1e-12) - $0) / 16 } ?? own

        result.sent(count, seconds: elapsed, packed: packed, isPacking: isPacking)
        if result.disappoints { isPacking = false }
        plan()
    }

    /// What cannot be compressed leaves its turn to the next that can.
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
