import PortolanTransport

/// Threads that all nodes of this process share.
package enum ProcessThreads {
    /// Makes all sessions of this process share one event loop, so that its first session begins sooner. Called before
    /// a node is made, by a program that sends once and ends.
    package static func useOneEventLoop() { EventLoops.useOne() }
}
