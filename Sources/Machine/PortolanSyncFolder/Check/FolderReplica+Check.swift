import PortolanFiles
import PortolanSyncPlan
import PortolanValues

extension FolderReplica {
    /// Provider without any content: nothing is fetched before a comparison.
    private struct NoContents: ContentProvider {
        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? { nil }
    }

    /// Most comparisons of one check, and the time between two of them. Differences remain only if the last two have
    /// them: files may change meanwhile, and a scan leaves those that changed just now for a later look.
    private static let mostComparisons = 16
    private static let pause = Duration.seconds(1)

    /// Compares the index with the disk, which is read completely for it, and with the records.
    ///
    /// The folder is synchronized first, without contents of others: changes by persons, and steps that are possible,
    /// are no findings.
    ///
    /// - Throws: ``SyncError``; of kind `halted` if the folder is left alone until a person decides.
    package func check() async throws -> SyncCheck { try await compare().check }

    /// Makes the index true. First those parts are mended that are wrong; if this does not suffice, the index begins
    /// anew, in which missing files are unknown and not deleted. No file is lost.
    ///
    /// - Parameter startsOver: true if a person has confirmed the state of a folder that is left alone.
    package func repair(startsOver: Bool = false) async throws -> SyncRepair {
        let epoch = try await replica()
        if startsOver { try await startOver() }
        var result = SyncRepair(found: SyncCheck(), left: SyncCheck())
        do {
            let (found, faults) = try await compare()
            result = SyncRepair(found: found, left: found)
            if !faults.isEmpty {
                try await mend(faults)
                result.left = try await check()
            }
        } catch let error as SyncError where error.kind == .index {
            if result.found.isSilent {
                result.found.findings = [SyncFinding(kind: .index, path: DisplayText(""))]
            }
            result.left = result.found
        }
        if !result.left.isSilent {
            try await exclusively { replica in
                _ = try replica.beginEpoch()
                replica.looksAtAll = true
            }
            result.left = try await check()
        }
        result.beganEpoch = try await replica() != epoch
        return result
    }

    /// Compares the index with the disk and the records, and repairs it if that is wanted.
    package func check(_ manner: SyncCheckManner) async throws -> SyncRepair {
        switch manner {
        case .comparing:
            let check = try await check()
            return SyncRepair(found: check, left: check)
        case .repairing(let startsOver): return try await repair(startsOver: startsOver)
        }
    }

    private func mend(_ faults: [SyncFault]) async throws {
        try await exclusively { replica in
            try replica.openFolder()
            try replica.index.transact(durably: true) { index in
                // A folder comes before its contents.
                for fault in faults.reversed() { index.mend(fault.mending) }
            }
            replica.looksAtAll = true
        }
    }

    /// Compares until there is nothing to find, or the same twice in a folder at rest.
    private func compare() async throws -> (check: SyncCheck, faults: [SyncFault]) {
        var before: Set<SyncFinding> = []
        var doubtful: Set<DisplayText>?
        for number in 1... {
            let (check, faults) = try await compareOnce(reading: doubtful)
            let isSame = before == Set(check.findings)
            let rests = !check.report.looksAgain
            if check.isSilent && check.unsettled.isEmpty || number > 1 && isSame && rests
                || number == Self.mostComparisons
            {
                return (check, faults)
            }
            before = Set(check.findings)
            doubtful = Set(check.findings.map(\.path) + check.unsettled)
            if !rests { try await Task.sleep(for: Self.pause) }
        }
        preconditionFailure("The last comparison returns.")
    }

    /// - Parameter paths: files whose contents are read; nil for all.
    private func compareOnce(
        reading paths: Set<DisplayText>?
    ) async throws -> (check: SyncCheck, faults: [SyncFault]) {
        try await exclusively { replica in
            let report = try await replica.synchronizeOnce(NoContents(), .whole)
            let folder = try replica.openFolder()
            var comparison = try FolderComparison(
                folder, replica.index, FileLook(storage: replica.storage, now: replica.now), replica.ways, report,
                rules: replica.accepted, reading: paths)
            try comparison.run()
            var check = SyncCheck()
            check.findings = comparison.faults.map(\.finding)
            check.compared = comparison.compared
            check.unsettled = comparison.unsettled
            check.report = report
            return (check, comparison.faults)
        }
    }
}
