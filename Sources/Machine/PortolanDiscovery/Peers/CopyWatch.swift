import PortolanValues

/// Decides when a person is told, once, that another machine advertises this device's key: after longer than records
/// outlive a change of an address or of a key.
///
/// ```swift
/// if let report = watch.see(directory.clones(own: own, local: local), at: now) { tell(report) }
/// ```
package struct CopyWatch: Sendable {
    /// Time after which a machine that is still advertised is reported: the 120 s for which others keep the host name
    /// of a machine that has gone (RFC 6762 §10), and some more.
    package static let patience = Duration.seconds(150)

    private var present: CloneReport?
    /// Host names and addresses of such machines, with the time since which they are advertised.
    private var seen: [String: ContinuousClock.Instant] = [:]
    private var isTold = false

    package init() {}

    /// True while a machine is advertised that may have to be reported later.
    package var isWaiting: Bool { !isTold && !seen.isEmpty }

    /// Takes the present sightings, or looks again at the last ones.
    ///
    /// - Parameter sightings: the present ones; nil if they have not changed.
    /// - Returns: the report for a person, with the machines that have been advertised for ``patience``; nil if there
    ///   is none, or a person was told.
    package mutating func see(_ sightings: [CloneReport]? = nil, at now: ContinuousClock.Instant) -> CloneReport? {
        if let sightings { present = sightings.first { $0.kind == .ownElsewhere } }
        let hosts = present?.hosts ?? []
        seen = Dictionary(hosts.flatMap(\.marks).map { ($0, seen[$0] ?? now) }, uniquingKeysWith: min)
        let lasting = hosts.filter { host in
            host.marks.contains { seen[$0].map { $0 + Self.patience <= now } ?? false }
        }
        guard !isTold, let present, !lasting.isEmpty else { return nil }
        isTold = true
        return CloneReport(fingerprint: present.fingerprint, kind: present.kind, hosts: lasting)
    }
}

extension CloneReport.Host {
    /// Host name and addresses. A hidden device has another name at each renewal.
    fileprivate var marks: [String] { [name.lowercased()] + addresses.map(\.ip.description) }
}
