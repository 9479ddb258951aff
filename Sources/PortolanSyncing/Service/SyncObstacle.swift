/// Reason for which a process does not open a folder at the moment.
package struct SyncObstacle: Sendable, Hashable {
    /// A sentence that is safe to print.
    package let reason: String
    /// Whether the process is about to be started again, and will open it then.
    package let endsWithRestart: Bool

    package init(_ reason: String, endsWithRestart: Bool = false) {
        self.reason = reason
        self.endsWithRestart = endsWithRestart
    }
}
