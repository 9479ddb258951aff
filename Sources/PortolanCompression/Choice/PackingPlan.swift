/// How much of a stream to compress, and what that gives: a lane reads, compresses, seals and sends one block after the other while
/// the kernel's buffer keeps the link busy, so that a byte takes as long as the slower of the two, the lane or the link.
struct PackingPlan: Hashable, Sendable {
    /// The part of the blocks to compress, from 0 to 1: as many as keep the lane and the link equally busy.
    let share: Double
    /// How many times as fast as sending everything as it is.
    let gain: Double

    /// What expanding is taken to cost the receiver, as part of what compressing costs here.
    private static let expanding = 1.0 / 3

    /// What receiving is taken to cost, in seconds for a byte that is sent, or all that the link takes if that is less. A receiver that is
    /// itself what the sender waits for looks like a fast link that is full, and must not be burdened with expanding.
    private static let receiving = 1e-9

    /// All in seconds for a byte of content.
    ///
    /// - Parameter lane: what the lane takes for a byte when it does not compress and does not wait.
    /// - Parameter link: what the link takes for a byte that is sent.
    /// - Parameter compressing: what compressing takes more.
    /// - Parameter ratio: what is left of a byte, from 0 to 1.
    init(lane: Double, link: Double, compressing: Double, ratio: Double) {
        let expanding = compressing * Self.expanding
        let receiving = min(link, Self.receiving)
        let saved = 1 - ratio
        /// The share at which a lane takes as long as something that takes `time` without compressing and `change` more with it.
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
