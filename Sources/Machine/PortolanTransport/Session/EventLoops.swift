import NIOCore

/// The event loops of this process, which all of its sessions share.
package enum EventLoops {
    private static let hasOne: Void = { NIOSingletons.groupLoopCountSuggestion = 1 }()

    /// Makes all sessions share one loop; otherwise there is one for each processor, and the first session waits for
    /// all these threads to start. Called before there is a session, by a program with few sessions: payload on lanes
    /// and the disk have threads of their own. Repeated calls have no effect.
    package static func useOne() { hasOne }
}
