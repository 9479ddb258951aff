import PortolanDiscovery
import PortolanProtocol

extension Capabilities {
    init(_ activities: Activities) {
        self = []
        if activities.contains(.takes) { insert(.takes) }
        if activities.contains(.serves) { insert(.serves) }
    }
}

extension Activities {
    init(_ capabilities: Capabilities) {
        self = []
        if capabilities.contains(.takes) { insert(.takes) }
        if capabilities.contains(.serves) { insert(.serves) }
    }
}
