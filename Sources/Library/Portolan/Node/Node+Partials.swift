import PortolanFiles
import PortolanTransport

/// Received part of an item whose transfer runs or broke off, and which its sender can resume.
public struct KeptPartial: Sendable, Hashable {
    /// Identifier for ``Node/forgetPartial(_:)``.
    public let id: String
    /// The folder that it is received into.
    public let inbox: String
    /// Name that the sender announced. Show it through `DisplayText`.
    public let peerName: String
    public let peerFingerprint: String
    /// The sender's text.
    public let title: String
    /// Received bytes.
    public let bytes: UInt64
    /// Bytes there will be, if that was announced.
    public let size: UInt64?
    /// Start of the first transfer.
    public let created: Date
    /// True if the item is being received now.
    public let isRunning: Bool
}

extension Node {
    /// Returns the partials in the folders that this device has received into; the oldest first.
    ///
    /// Folders that are gone are passed over.
    public func partials() async throws -> [KeptPartial] {
        try await withBlockingThread {
            try store.inboxes.all().flatMap { path -> [KeptPartial] in
                guard let partials = try? Inbox(path: path, createIfMissing: false).partials() else { return [] }
                return partials.compactMap { KeptPartial($0, in: path) }
            }.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
        }
    }

    /// Stops the reception of an item by another process of this device, and removes its partial.
    ///
    /// - Returns: true if the partial exists. The other process stops within a moment.
    public func stopPartial(_ id: String) async throws -> Bool {
        try await isInAnyInbox { try $0.stopPartial(id) }
    }

    /// Removes a partial, so that its sender begins from the start.
    ///
    /// - Returns: true if the partial was removed; false if there is none, or it is being received at the moment.
    public func forgetPartial(_ id: String) async throws -> Bool {
        try await isInAnyInbox { try $0.forgetPartial(id) }
    }

    private func isInAnyInbox(_ isThere: @escaping @Sendable (Inbox) throws -> Bool) async throws -> Bool {
        try await withBlockingThread {
            try store.inboxes.all().contains { path in
                (try? isThere(Inbox(path: path, createIfMissing: false))) ?? false
            }
        }
    }
}

extension KeptPartial {
    /// nil for a leftover that cannot be resumed.
    fileprivate init?(_ partial: PartialSummary, in inbox: String) {
        guard let about = partial.about else { return nil }
        self.init(
            id: partial.id, inbox: inbox, peerName: about.peerName, peerFingerprint: about.peerFingerprint,
            title: about.title, bytes: partial.bytes, size: about.size,
            created: Date(timeIntervalSince1970: Double(about.created)), isRunning: partial.isLocked)
    }
}
