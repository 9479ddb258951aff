import Portolan

/// Known device, named on the command line by its name, or by the beginning of its fingerprint (8 characters or more).
struct DeviceArgument: Sendable, Hashable {
    let name: DeviceName

    static func parse(_ text: String) throws(ValueError) -> DeviceArgument {
        try translating(DeviceArgument(name: try DeviceName(text))) { (error: DeviceNameError) in
            ValueError(error.description)
        }
    }

    /// Returns the named device; nil if there is none.
    ///
    /// - Throws: `CommandFailure` that lists the devices if several are meant.
    func only(among devices: [KnownDevice]) throws(CommandFailure) -> KnownDevice? {
        let meant = KnownDevice.meant(by: name.text, among: devices)
        guard meant.count > 1 else { return meant.first }
        let lines = meant.prefix(Self.mostListed).map { "  \($0.fingerprint)  “\($0.name)”" }
        let rest = meant.count > Self.mostListed ? ["  and \(meant.count - Self.mostListed) more"] : []
        throw CommandFailure(
            .unreachable,
            (["“\(name)” could be any of \(meant.count) devices; name one by more of its fingerprint:"] + lines + rest)
                .joined(separator: "\n"),
            candidates: meant.map {
                Peer(name: $0.name.text, fingerprint: $0.fingerprint, addresses: [], foundBy: "")
            })
    }

    private static let mostListed = 10

    /// Returns the name of the device for the library; the typed text if there is no such device, since the library
    /// reports that.
    func resolved(among devices: [KnownDevice]) throws(CommandFailure) -> DeviceName {
        try only(among: devices)?.name ?? name
    }
}

extension [Contact] {
    var devices: [KnownDevice] {
        map {
            KnownDevice(
                name: $0.name, announcedName: $0.isNamesake ? nil : $0.announcedName, fingerprint: $0.fingerprint)
        }
    }
}

extension Team {
    var devices: [KnownDevice] { members.map { KnownDevice(name: $0.name, fingerprint: $0.key.fingerprint) } }
}
