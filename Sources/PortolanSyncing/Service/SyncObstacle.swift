/// Reason why a process does not open a folder at the moment.
package struct SyncObstacle: Sendable, Hashable {
    /// Sentence; safe to print.
    package let reason: String
    /// True if the process is about to be restarted, and will then open the folder.
    package let endsWithRestart: Bool

    package init(_ reason: String, endsWithRestart: Bool = false) {
        self.reason = reason
        self.endsWithRestart = endsWithRestart
    }
}
