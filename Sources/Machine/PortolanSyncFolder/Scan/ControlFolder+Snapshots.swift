import PortolanCrypto
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Snapshots of databases, from which members get their contents: the database itself goes on meanwhile.
///
/// A snapshot can be made again, so that none is flushed; whoever reads it verifies its digest.
extension ControlFolder {
    /// Writes the snapshot that `body` reads, under its digest.
    func keepingSnapshot(
        _ body: (FileLook.SnapshotSink) throws(SystemFailure) -> FileLook.Outcome?
    ) throws(SystemFailure) -> FileLook.Outcome? {
        let part = Self.newPartName()
        let file = try storage.makeFile(part, in: databases, mode: 0o600)
        defer { try? storage.removeIfPresent(part, in: databases) }
        var offset: UInt64 = 0
        let sink = FileLook.SnapshotSink {
            () throws(SystemFailure) in
            offset = 0
            try storage.resize(file, to: 0)
        } take: {
            (piece) throws(SystemFailure) in
            try storage.write(piece, to: file, at: offset)
            offset += UInt64(piece.count)
        }
        let outcome = try body(sink)
        if case .known(let read) = outcome, let digest = read.form?.digest {
            try storage.move(part, in: databases, to: Self.snapshotName(digest), in: databases, .replacing)
        }
        return outcome
    }

    /// Opens the snapshot with a digest, if there is one.
    func snapshot(_ digest: ContentDigest) -> Descriptor? {
        try? storage.openFile(Self.snapshotName(digest), in: databases)
    }

    /// Takes a staged content over as the snapshot of the database that it was written to.
    func keepSnapshot(_ digest: ContentDigest, staged name: String) throws(SystemFailure) {
        try storage.move(name, in: staging, to: Self.snapshotName(digest), in: databases, .replacing)
    }

    /// Moves a snapshot to the history.
    ///
    /// - Returns: its name there.
    func keepSnapshotInHistory(_ digest: ContentDigest) throws(SystemFailure) -> String {
        let file = String(UInt64.random(in: 0 ... .max), radix: 16)
        try storage.move(Self.snapshotName(digest), in: databases, to: file, in: history, .replacing)
        return file
    }

    /// Removes the snapshots except those in use.
    func removeSnapshots(except isUsed: (ContentDigest) -> Bool) throws(SystemFailure) {
        for name in try storage.names(in: databases) {
            guard let digest = Hexadecimal.bytes(name).flatMap({ ContentDigest($0) }), isUsed(digest) else {
                try storage.removeIfPresent(name, in: databases)
                continue
            }
        }
    }

    private static func snapshotName(_ digest: ContentDigest) -> String { Hexadecimal.text(digest.bytes) }
}
