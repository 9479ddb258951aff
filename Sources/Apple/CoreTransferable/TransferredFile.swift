/// A file that an exporter offers.
public struct SentTransferredFile: Sendable {
    public let file: URL

    /// True if a receiver may work on this very file; otherwise it gets a copy.
    public let allowAccessingOriginalFile: Bool

    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        self.file = file
        self.allowAccessingOriginalFile = allowAccessingOriginalFile
    }
}

/// A file that is passed to an importer. It exists while the importer runs; copy or move it to keep it.
public struct ReceivedTransferredFile: Sendable {
    public let file: URL

    /// True if this is the sender's file itself and not a copy.
    public let isOriginalFile: Bool

    init(_ file: URL, isOriginalFile: Bool) {
        self.file = file
        self.isOriginalFile = isOriginalFile
    }
}
