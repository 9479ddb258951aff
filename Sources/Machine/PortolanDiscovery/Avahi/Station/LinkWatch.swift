/// Networks of the links: they decide for each record if it is of this process, and on its link.
final class LinkWatch {
    private let loop: AvahiLoop
    private let read: () -> LinkPrefixes
    private var prefixes = LinkPrefixes([:], loopbacks: [], own: [])
    /// Messages of the kernel about changes, between ``start(onChange:)`` and ``stop()``.
    private var changes: ChangeWatch?

    /// - Parameter read: reads the networks of the links.
    init(loop: AvahiLoop, read: @escaping () -> LinkPrefixes) {
        self.loop = loop
        self.read = read
    }

    /// - Parameter onChange: called after the networks have changed.
    func start(onChange: @escaping () -> Void) {
        prefixes = read()
        changes = ChangeWatch(loop: loop) { [weak self] in
            guard let self else { return }
            let now = read()
            guard now != prefixes else { return }
            prefixes = now
            onChange()
        }
    }

    func stop() { changes = nil }

    /// Reads the networks again where the kernel's change messages are missing.
    func refreshIfUnwatched() {
        if changes == nil { prefixes = read() }
    }

    /// Makes a record of what a resolver said.
    ///
    /// - Parameter isOwn: true if Avahi reports the service as one of this process.
    func record(
        _ id: ServiceRecord.ID, isOwn: Bool, host: String, ip: IPAddress, port: UInt16, txt: [String: [UInt8]]
    ) -> ServiceRecord {
        // After a conflict a name of ours may belong to another machine, and Avahi still reports it as ours.
        let isHere = ip.isLoopback || prefixes.own.contains(ip)
        return ServiceRecord(
            id: id, hostName: host,
            address: NetworkAddress(ip: ip, port: port, interface: NetworkInterface(index: id.interface)), txt: txt,
            isOwn: isOwn && isHere, isOnLink: prefixes.reaches(ip, on: id.interface))
    }
}
