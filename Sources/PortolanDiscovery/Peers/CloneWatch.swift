import PortolanCrypto

/// Decides which of a directory's sightings are worth telling, and when: each once, and those that may pass only when they
/// have not passed.
///
/// Sans-I/O: give it the sightings whenever the directory changes, and at the time that ``nextLook`` names.
package struct CloneWatch: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// Longer than a device shows its old record beside its new one, and than the second address of a new record takes.
    package static let usualPatience = Duration.seconds(30)
    private static let maximumTold = 1024

    private struct Subject: Hashable {
        let fingerprint: Fingerprint
        let kind: CloneSighting.Kind
    }

    private let patience: Duration
    private var since: [Subject: Instant] = [:]
    private var told: Set<Subject> = []

    package init(patience: Duration = usualPatience) { self.patience = patience }

    /// Those of the sightings that people should hear of now.
    package mutating func news(in sightings: [CloneSighting], now: Instant) -> [CloneSighting] {
        let present = sightings.map { (sighting: $0, subject: Subject(fingerprint: $0.fingerprint, kind: $0.kind)) }
        since = Dictionary(
            present.map { ($0.subject, since[$0.subject] ?? now) }, uniquingKeysWith: { first, _ in first })
        let due = present.filter { sighting, subject in
            guard !told.contains(subject), told.count < Self.maximumTold else { return false }
            return !sighting.mayPass || (since[subject] ?? now) + patience <= now
        }
        for (_, subject) in due {
            told.insert(subject)
        }
        return due.map(\.sighting)
    }

    /// When a sighting that may pass will not have passed; nil if none waits.
    package var nextLook: Instant? {
        since.filter { !told.contains($0.key) }.values.min().map { $0 + patience }
    }
}
