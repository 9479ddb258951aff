import PortolanDiscovery
import PortolanTransport
import PortolanTrust
import PortolanValues

/// How a node is set up. Everything but the home has a default that suits most machines.
public struct NodeConfiguration: Sendable {
    /// How peers find each other.
    public enum Discovery: String, Sendable, CaseIterable {
        /// The machine's mDNS daemon where one answers, else our own responder.
        case automatic
        /// Avahi's daemon, and nothing else.
        case avahi
        /// A responder inside this process.
        case embedded
        /// None: peers are reached by address.
        case off
    }

    /// By whom a node that receives can be found.
    public enum Discoverability: String, Sendable, CaseIterable {
        /// By everyone on the network, under its name.
        case everyone
        /// By members of its teams. Others see that somebody is there, and learn neither name nor key, whatever they try.
        case team
        /// By nobody. Whoever has its address can connect.
        case nobody
    }

    /// Where the device key and everything that is remembered lie.
    public var home: HomeDirectory
    /// Name of this device; nil keeps the stored one, at first `account@host`.
    public var name: DeviceName?
    /// Where connections are accepted. nil takes 47217, or any free port when that one is taken.
    public var port: UInt16?
    /// Whether any free port does where ``port`` is taken, such as by another process of this device.
    public var takesOtherPorts = false
    /// The only network interfaces on which this node advertises, browses and listens; nil means all.
    public var interfaces: [String]?
    public var discovery: Discovery = .automatic
    public var discoverability: Discoverability = .everyone
    /// The team that items belong to for which none is named; nil means the device's default team.
    public var team: String?
    /// Whether what is sent is also offered in the forms that converters of this machine can make of it: those that are declared when they are
    /// first needed.
    public var converters = true
    /// Over connecting, the handshake and the offer together; the other side cannot stretch it.
    public var offerDeadline: Duration = .seconds(10)
    /// A session on which nothing is heard for so long is over.
    public var silence: Duration = .seconds(30)
    /// How long a session with a peer is kept when nothing is going on in it, so that what follows needs no other one; nil ends each
    /// with what it was opened for. Both sides have to keep it. ``Node/close()`` ends those that are kept.
    public var idleTime: Duration?
    /// How long a receiver may take to answer an offer.
    public var answerWait: Duration = .seconds(600)
    /// How long a peer that is there may get no further with what it accepted or was asked for; nil waits without end. Nothing is
    /// expected of a peer that has not answered an offer: ``answerWait`` is for that.
    public var stallWait: Duration? = .seconds(60)
    /// How long a program's own importer may take over one item, before it counts as failed.
    public var importWait: Duration = .seconds(120)
    /// How long to look for a peer by its name.
    public var findWait: Duration = .seconds(5)

    /// Clock of the node's parts.
    package var runtime = Runtime.system

    public init(home: HomeDirectory) {
        self.home = home
    }

    /// The home of the user who runs this process.
    public init() throws(HomeError) {
        home = try HomeDirectory(environment: HomeDirectory.environmentOfThisProcess)
    }
}

extension NodeConfiguration {
    var timing: SessionTiming { SessionTiming(offerDeadline: offerDeadline, silence: silence) }

    /// Whether sessions are kept from one use to the next.
    var keepsSessions: Bool { idleTime.map { $0 > .zero } ?? false }
}

extension NodeConfiguration.Discovery {
    /// nil for none.
    var choice: DiscoveryChoice? {
        switch self {
        case .automatic: .automatic
        case .avahi: .avahi
        case .embedded: .embedded
        case .off: nil
        }
    }
}
