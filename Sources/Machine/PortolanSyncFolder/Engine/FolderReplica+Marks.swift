import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Marks of files, and what is for all who have the folder.
extension FolderReplica {
    /// Sets by what it is decided whether a mark is for all who have the folder; it may block. Without it only files
    /// without a mark are.
    ///
    /// - Parameters:
    ///   - own: true for a mark that is for this device.
    ///   - sees: true for a mark that is for a member. The deletion of what a member was never told of, because of its
    ///     mark, is forgotten without it.
    package func setAudience(
        own: @escaping @Sendable (Restriction) -> Bool = { _ in true },
        sees: @escaping @Sendable (DeviceID, Restriction) -> Bool = { _, _ in true },
        _ shows: @escaping @Sendable (Restriction) -> Bool
    ) {
        audience = shows
        isOwn = own
        self.sees = sees
    }

    /// True if this device may see all records of an answer, by a device whose key one machine has.
    ///
    /// A member that keeps the rules tells no others; those of one that does not could shut out all.
    package func mayTake(_ news: Announcement) async throws -> Bool {
        if let stop = try await stops()[news.cursor.replica.device] {
            // Of several machines with one key, those go on that have begun an epoch after the stop.
            guard let seal = news.cursor.seal, seal > stop else { return false }
        }
        let marked = news.records.flatMap(\.contents).map(\.value.form).filter { $0.extended.mark != nil }
        let marks = Set(marked.map(\.restriction))
        guard !marks.isEmpty else { return true }
        let isOwn = isOwn
        return await Self.threads.run { marks.allSatisfy(isOwn) }
    }

    /// Marks of all versions that the index knows, each once.
    package func marks() async throws -> Set<Restriction> {
        try await Self.threads.run { Set(try self.index.read(\.marks)) }
    }

    /// True if all marks that the index knows pass a test. Blocks.
    package func allMarks(_ isPassed: (Restriction) -> Bool) -> Bool {
        (try? index.read(\.marks))?.allSatisfy(isPassed) ?? false
    }

    /// True if a file may be read as the content of a version: it is not for fewer than that, as after an edit that
    /// waits.
    func isOpen(_ file: Descriptor, for form: ContentForm?) -> Bool {
        guard let mark = try? StoredVisibility.read(ofOpen: file.number) else { return false }
        let own = form?.restriction ?? .everyone
        return mark == .everyone || own.and(mark) == own || audience(mark)
    }
}
