import PortolanDiscovery
import PortolanTransport

/// Configuration of a node. All settings but the home have a default that suits most machines.
public struct NodeConfiguration: Sendable {
    /// Method of discovery.
    public enum Discovery: String, Sendable, CaseIterable {
        /// The machine's mDNS daemon if one answers, else the responder of this process.
        case automatic
        /// Avahi's daemon only.
        case avahi
        /// A responder inside this process.
        case embedded
        /// None: peers are reached by address.
        case off
    }

    /// Peers that can find a receiving node.
    public enum Discoverability: String, Sendable, CaseIterable {
        /// By everyone on the network, under its name.
        case everyone
        /// By members of its teams. Others see that a device exists, but learn neither its name nor its key.
        case team
        /// No peer. A peer that has its address can connect.
        case nobody
    }

    /// Port of a device that is not configured for another one.
    package static let usualPort = ListeningSocket.defaultPort

    /// Folder of the device key and all stored state.
    public var home: HomeDirectory
    /// Name of this device; nil keeps the stored one, at first `account@host`.
    public var name: DeviceName?
    /// Port for incoming connections. nil takes 47217, or any free port when that one is taken.
    public var port: UInt16?
    /// True to take any free port if ``port`` is taken, such as by another process of this device.
    public var takesOtherPorts = false
    /// The only network interfaces on which this node advertises, browses and listens; nil means all.
    public var interfaces: [String]?
    public var discovery: Discovery = .automatic
    public var discoverability: Discoverability = .everyone
    /// Default team of items; nil means the device's default team.
    public var team: String?
    /// True to offer items also in the forms that converters of this machine can make of them. Declarations of
    /// converters are read at the first use.
    public var converters = true
    /// Deadline for connecting, handshake and offer together; the peer cannot extend it.
    public var offerDeadline: Duration = .seconds(10)
    /// Longest silence of a peer before its session ends.
    public var silence: Duration = .seconds(30)
    /// Time for which an idle session with a peer is kept for the next operations; nil ends each session with its
    /// operation. Both sides have to keep it. ``Node/close()`` ends kept sessions.
    public var idleTime: Duration?
    /// Longest wait for a receiver's answer to an offer.
    public var answerWait: Duration = .seconds(600)
    /// Longest time without progress of a peer that has accepted an item or was asked for one; nil waits without end.
    /// It does not apply to a peer that has not answered an offer: ``answerWait`` does.
    public var stallWait: Duration? = .seconds(60)
    /// Longest time for a program's importer of one item, after which the item fails.
    public var importWait: Duration = .seconds(120)
    /// Longest search for a peer by its name.
    public var findWait: Duration = .seconds(5)

    /// Clock of the node's parts.
    package var runtime = Runtime.system

    public init(home: HomeDirectory) {
        self.home = home
    }

    /// Home of the user of this process.
    public init() throws(HomeError) {
        home = try HomeDirectory(environment: HomeDirectory.environmentOfThisProcess)
    }
}

extension NodeConfiguration {
    var timing: SessionDeadlines { SessionDeadlines(offerDeadline: offerDeadline, silence: silence) }

    /// True if sessions are kept between operations.
    var keepsSessions: Bool { idleTime.map { $0 > .zero } ?? false }
}

extension NodeConfiguration.Discovery {
    /// nil for none.
    package var choice: DiscoveryChoice? {
        switch self {
        case .automatic: .automatic
        case .avahi: .avahi
        case .embedded: .embedded
        case .off: nil
        }
    }
}
