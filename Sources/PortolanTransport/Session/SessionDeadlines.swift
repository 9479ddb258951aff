import NIOCore

/// Deadlines for the other side.
package struct SessionDeadlines: Sendable {
    /// Over connecting, the handshake and the offer together. The other side cannot stretch it.
    package var offerDeadline: TimeAmount
    /// A session on which nothing is heard for so long is over.
    package var silence: TimeAmount

    package init(offerDeadline: Duration = .seconds(10), silence: Duration = .seconds(30)) {
        self.offerDeadline = TimeAmount(offerDeadline)
        self.silence = TimeAmount(silence)
    }
}
