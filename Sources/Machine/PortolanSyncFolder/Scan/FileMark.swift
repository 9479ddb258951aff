import PortolanFiles
import PortolanSyncPlan
import PortolanValues

extension FolderScan {
    /// Finds out for whom an open file is, and stores that with the file: a mark of a folder above it counts, and that
    /// of the version before if another file took its place, since many programs save so.
    ///
    /// - Returns: the mark if it is not for all who have the folder.
    mutating func settleMark(
        of file: Descriptor, _ handle: FileHandleID, _ name: SyncName, _ level: Level, _ known: KnownFile?
    ) throws(SystemFailure) -> Restriction? {
        let own = try StoredVisibility.read(file, by: storage)
        var mark = level.mark.and(own)
        if own == .everyone, let before = markBefore(file, handle, name, level, known) { mark = mark.and(before) }
        // A file that was marked by a person for less than its folder stays so.
        if mark != own { try StoredVisibility.keep(mark, on: file, by: control.storage) }
        return isShown(mark) ? nil : mark
    }

    /// Returns the mark of the file that had a place before another one took it.
    private func markBefore(
        _ file: Descriptor, _ handle: FileHandleID, _ name: SyncName, _ level: Level, _ known: KnownFile?
    ) -> Restriction? {
        let isKnown = known?.handle == handle
        if let last = level.placeMarks[name], !last.isOver(at: look.now().seconds) {
            // A step has brought the known file.
            if isKnown, last.handle != handle { return nil }
            return last.isOf(handle, birth: storage.birth(of: file)) ? nil : last.mark
        }
        return isKnown ? nil : known?.form?.restriction
    }

    /// Takes note of the mark of the file at a place, nil for none that waits.
    mutating func note(_ mark: PlaceMark?, at name: SyncName, _ level: Level) {
        guard !level.isParked, level.placeMarks[name] != mark else { return }
        result.marks[FilePlace(folder: level.handle.number, name: name)] = .some(mark)
    }

    /// Takes note of places with marks that were found empty.
    mutating func noteEmpty(_ unseen: [SyncName: PlaceMark], _ level: Level) {
        let now = look.now().seconds
        for (name, var last) in unseen {
            let isOver = last.isOver(at: now)
            last.emptied = last.emptied ?? now
            note(isOver ? nil : last, at: name, level)
        }
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
