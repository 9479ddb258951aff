/// Share of a stream to compress, and its gain. A lane reads, compresses, seals and sends one block after the other
/// while the kernel's buffer keeps the link busy, so that the slower of lane and link determines the time per byte.
struct PackingPlan: Hashable, Sendable {
    /// Share of the blocks to compress, from 0 to 1, which keeps the lane and the link equally busy.
    let share: Double
    /// Speed relative to sending without compression.
    let gain: Double

    /// Assumed cost of expanding at the receiver, relative to the cost of compressing here.
    private static let expanding = 1.0 / 3

    /// Assumed cost of receiving, in seconds per byte sent, or the time of the link if that is less. A receiver that is
    /// itself the bottleneck looks like a fast saturated link, and must not be burdened with expanding.
    private static let receiving = 1e-9

    /// Computes the plan from times in seconds per byte of content.
    ///
    /// - Parameter lane: time of the lane without compressing and waiting.
    /// - Parameter link: time of the link for a byte sent.
    /// - Parameter compressing: additional time for compressing.
    /// - Parameter ratio: remaining fraction of a byte, from 0 to 1.
    init(lane: Double, link: Double, compressing: Double, ratio: Double) {
        let expanding = compressing * Self.expanding
        let receiving = min(link, Self.receiving)
        let saved = 1 - ratio
        /// Returns the share at which the lane is as slow as a stage that takes `time` without compression and `change`
        /// more with it.
        func balance(_ time: Double, _ change: Double) -> Double {
            time > lane && compressing > change ? (time - lane) / (compressing - change) : 0
        }
        share = min(1, max(balance(link, -link * saved), balance(receiving, expanding - receiving * saved)))
        let packed = max(
            lane + compressing * share,
            link * (1 - saved * share),
            receiving * (1 - saved * share) + expanding * share)
        gain = packed > 0 ? max(lane, link) / packed : 1
    }
}
