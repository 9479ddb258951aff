import NIOCore

/// Deadlines for the other side.
package struct SessionDeadlines: Sendable {
    /// Deadline for connecting, handshake and offer together. The other side cannot extend it.
    package var offerDeadline: TimeAmount
    /// Longest silence of the other side before the session ends.
    package var silence: TimeAmount

    package init(offerDeadline: Duration = .seconds(10), silence: Duration = .seconds(30)) {
        self.offerDeadline = TimeAmount(offerDeadline)
        self.silence = TimeAmount(silence)
    }
}
