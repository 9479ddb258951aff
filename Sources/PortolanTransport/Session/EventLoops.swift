import NIOCore

/// The event loops of this process, which all of its sessions share.
package enum EventLoops {
    private static let hasOne: Void = { NIOSingletons.groupLoopCountSuggestion = 1 }()

    /// Has one loop do for all sessions, where otherwise there is one for each processor; each is a thread that the
    /// first session waits for. To be called before there is a session, by a program that has few of them: payload of
    /// lanes and the disk have threads of their own. Calling it again has no effect.
    package static func useOne() { hasOne }
}
