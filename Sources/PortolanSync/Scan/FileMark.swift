import PortolanFiles
import PortolanSyncModel
import PortolanValues

extension FolderScan {
    /// Finds out for whom an open file is, and stores that with the file: a mark of a folder above it counts, and that
    /// of the version before if another file took its place, since many programs save so.
    ///
    /// - Returns: the mark if it is not for all who have the folder.
    mutating func settleMark(
        of file: Descriptor, _ handle: FileHandleID, _ level: Level, _ known: KnownFile?
    ) throws(SystemFailure) -> Restriction? {
        let own = try StoredVisibility.read(file, by: storage)
        var mark = level.mark.and(own)
        if let known, known.handle != handle, own == .everyone, let before = known.form?.restriction {
            mark = mark.and(before)
        }
        // A file that was marked by a person for less than its folder stays so.
        if mark != own { try StoredVisibility.keep(mark, on: file, by: control.storage) }
        return isShown(mark) ? nil : mark
    }

    /// True for a mark that is for all who have the folder; decided once in a scan.
    mutating func isShown(_ mark: Restriction) -> Bool {
        if mark == .everyone { return true }
        if let known = shown[mark] { return known }
        let isShown = shows(mark)
        shown[mark] = isShown
        return isShown
    }

    /// True if a known file lacks the mark of a folder above it.
    func lacksMark(_ known: KnownFile, in level: Level) -> Bool {
        guard level.mark != .everyone, known.stamp.kind == .file, let own = known.form?.restriction else {
            return false
        }
        return own.and(level.mark) != own
    }
}
