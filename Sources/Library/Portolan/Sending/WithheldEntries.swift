import PortolanFiles

/// Entries of a folder that were not sent, because its receiver may not see them, their audience is unknown, or they
/// are the program's own.
public struct WithheldEntries: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        /// The path below the folder, parts joined by `/`.
        public let path: DisplayText
        /// Audience of the entry, or why it is unknown: “for team acme”.
        public let reason: String
    }

    /// The first withheld entries.
    public let listed: [Entry]
    /// Number of all withheld entries. A folder counts as one, with its content.
    public let count: UInt64
    /// Withheld entries whose audience could not be read. The receiver counts them as omissions, without their names.
    public let unknown: UInt64

    init(listed: [Entry] = [], count: UInt64 = 0, unknown: UInt64 = 0) {
        self.listed = listed
        self.count = count
        self.unknown = unknown
    }

    /// - Parameter names: names of this device's teams; another team is shown by its identifier.
    init(_ report: WithholdingReport, teams names: [TeamID: TeamName]) {
        listed = report.entries.map { Entry(path: $0.path, reason: Self.reason($0.cause, names)) }
        count = report.count
        unknown = report.unknown
    }

    private static func reason(_ cause: WithheldEntry.Cause, _ names: [TeamID: TeamName]) -> String {
        switch cause {
        case .restricted(.nobody): "for nobody else"
        case .restricted(let restriction): "for \(restriction.description { names[$0] })"
        case .restrictedMeanwhile: "restricted while it was being sent"
        case .unknown(let reason): "\(reason.sentence), so whom it is for is not known"
        case .own: "among the program's own files, which go to nobody"
        }
    }
}
