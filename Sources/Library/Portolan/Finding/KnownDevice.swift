/// Device that this device has stored, announced or not.
package struct KnownDevice: Sendable, Hashable {
    /// Name on this device.
    package let name: DeviceName
    /// Name that the device announces, unless the name belongs to another device; then its name on this device.
    package let announcedName: DeviceName
    package let fingerprint: Fingerprint

    package init(name: DeviceName, announcedName: DeviceName? = nil, fingerprint: Fingerprint) {
        self.name = name
        self.announcedName = announcedName ?? name
        self.fingerprint = fingerprint
    }

    /// Devices with this name or this beginning of a fingerprint (8 characters or more), else those of the host of that
    /// name; several if it is ambiguous.
    /// The rules are those for announced peers.
    package static func meant(by text: String, among devices: [KnownDevice]) -> [KnownDevice] {
        var byKey: [Fingerprint: KnownDevice] = [:]
        let peers = devices.compactMap { device -> Peer? in
            guard byKey[device.fingerprint] == nil else { return nil }
            byKey[device.fingerprint] = device
            var peer = Peer(
                name: device.announcedName.text, fingerprint: device.fingerprint, addresses: [], foundBy: "")
            peer.localName = device.name.text
            return peer
        }
        return Target.meant(by: text, in: peers).compactMap { peer in peer.fingerprint.flatMap { byKey[$0] } }
    }
}
