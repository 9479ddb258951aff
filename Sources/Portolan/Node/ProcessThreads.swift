import PortolanTransport

/// The threads of this process that all nodes in it share.
package enum ProcessThreads {
    /// Has all sessions of this process share one event loop, so that its first session begins sooner. To be called
    /// before there is a node, by a program that sends once and ends.
    package static func useOneEventLoop() { EventLoops.useOne() }
}
