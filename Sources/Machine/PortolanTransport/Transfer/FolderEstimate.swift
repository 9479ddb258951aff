import PortolanFiles
import PortolanProtocol

/// Estimates of the folders of one offer, from a look at their entries. Runs where blocking calls are allowed.
struct FolderEstimate {
    /// Time for all folders of an offer, which waits for them.
    private static let time = Duration.milliseconds(300)

    private let filter: SourceFilter
    private let end: ContinuousClock.Instant

    /// - Parameters:
    ///   - filter: of what the receiver may see; nothing else is counted.
    ///   - end: when the look ends, and larger folders stay without an estimate.
    init(filter: @escaping SourceFilter, end: ContinuousClock.Instant = .now + time) {
        self.filter = filter
        self.end = end
    }

    /// Returns about how many bytes of content a folder without a size has; nil for anything else, for a folder that
    /// cannot be read, and after the time.
    func bytes(of content: OfferedContent, as offered: OfferedRepresentation) -> UInt64? {
        guard offered.isFolder, offered.size == nil, case .file(let path, let disk, _) = content else { return nil }
        var sum: UInt64 = 0
        do {
            let tree = try SourceTree(
                path: path, shownTo: offered.restriction, filter: filter,
                options: SourceOptions(looking: true, hardLinks: true), on: disk)
            guard tree.isFolder else { return nil }
            while let entry = try tree.next() {
                guard ContinuousClock.now < end else { return nil }
                // The sizes on a disk may be anything.
                sum = sum.addingReportingOverflow(entry.contentSize).overflow ? .max : sum + entry.contentSize
            }
        } catch {
            return nil
        }
        return sum
    }
}
