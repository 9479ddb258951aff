import PortolanValues

/// Entry of a source, and the reader of a file.
package struct SourceEntry: Sendable {
    package let entry: TreeEntry
    /// Bytes of a file's content, as ``SourceTree/contentSize``.
    package let contentSize: UInt64
    /// File that the walk has opened; nil for an entry of another kind, and for a file other than the item itself if
    /// only entries are wanted (``SourceOptions/looking``).
    package let file: SourceFile?
    /// Sample of a file that was not opened and may be growing.
    let sample: FileSample?
    let identity: FileIdentity
    let place: SourcePlace

    /// Path of the entry, beginning with the path that its source was named by.
    package var path: String {
        switch place {
        case .item(let item): item.path
        case .below(let folder, let name): "\(folder.item.path)/\(folder.path)\(name.text)"
        case .content(_, let content): content.name.text
        }
    }

    /// Restriction of the entry, combined with those of the folders above it and of the item.
    package var restriction: Restriction {
        switch place {
        case .item(let item), .content(let item, _): item.view.restriction
        case .below(let folder, _): entry.restriction ?? folder.restriction
        }
    }

    /// Opens the entry's file unless it is open. May be called from any thread, long after the walk has continued.
    ///
    /// Only for an entry of the kind `file`: a hard link's content is its target's.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` if it is not the announced file, or its restriction has changed,
    ///   ``FileError/Kind/keptFromOthers`` if the peer may not see it any more, or the error of reading it.
    package func open() throws(FileError) -> SourceFile {
        if let file { return file }
        if case .content(_, let content) = place { return try content.file(at: place) }
        guard case .file(let size) = entry.kind, case .below(let folder, let name) = place else {
            preconditionFailure("opening what is no file")
        }
        let opened: Descriptor
        let status: FileStatus
        let kept: Restriction
        do throws(SystemFailure) {
            let storage = folder.item.storage
            opened = try storage.openFile(name.text, in: folder.descriptor())
            status = try storage.status(of: opened)
            kept = try StoredVisibility.read(opened, by: storage)
        } catch {
            throw error.reason == .inTheWay ? replaced : .reading(place.shown, error)
        }
        guard status.kind == .file, status.identity == identity else { throw replaced }
        let isUnchanged = status.size == size && status.modified == entry.modified
        guard isUnchanged || sample?.isBeginning(of: opened, status, by: folder.item.storage) ?? false else {
            throw FileError(.sourceChanged, "“\(place.shown)” was changed before it could be sent; send it again.")
        }
        let restriction = try folder.currentRestriction().and(kept)
        guard try folder.item.view.shows(restriction) else { throw .restrictedMeanwhile(place.shown, restriction) }
        guard restriction == entry.restriction ?? folder.restriction else {
            throw FileError(
                .sourceChanged, "“\(place.shown)” was restricted otherwise before it could be sent; send it again.")
        }
        return SourceFile(opened, status, size: size ?? status.size, at: place)
    }

    private var replaced: FileError {
        FileError(.sourceChanged, "“\(place.shown)” was replaced before it could be sent; send it again.")
    }
}

extension Loss.Reason {
    /// Reason for omitting a file that could not be opened or read to its end.
    init(_ error: FileError) {
        self =
            switch error.kind {
            case .sourceChanged: .changed
            case .notFound: .vanished
            default: .unreadable
            }
    }
}
