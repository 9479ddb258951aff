import PortolanValues

/// Common facts of all entries of a source.
final class SourceItem: Sendable {
    /// Path in the person's words.
    let path: String
    let view: SourceView
    let storage: any ReadableStorage
    let own: OwnFiles
    let recent = RecentFolders()
    private let watched: WatchedRestriction

    init(path: String, view: SourceView, storage: any ReadableStorage, own: OwnFiles) {
        self.own = own
        self.path = path
        self.view = view
        self.storage = storage
        watched = WatchedRestriction(view.restriction, for: view.markLifetime)
    }

    /// Returns the restriction of the item, narrowed by marks that were added on its path since it was opened.
    ///
    /// - Throws: ``FileError`` if the marks cannot be read. A path that does not exist any more has none.
    func currentRestriction() throws(FileError) -> Restriction {
        try watched.value { () throws(FileError) in
            do throws(FileError) {
                return try StoredVisibility.read(path, by: storage)
            } catch {
                guard error.kind == .notFound else { throw error }
                return .everyone
            }
        }
    }
}

/// Place of an entry. Paths are built only for a message, since a tree has many files and few errors.
enum SourcePlace: Sendable {
    case item(SourceItem)
    case below(SourceFolder, FileName)
    /// Content among several that have no folder on the disk.
    case content(SourceItem, SourceContent)

    var item: SourceItem {
        switch self {
        case .item(let item), .content(let item, _): item
        case .below(let folder, _): folder.item
        }
    }

    /// Returns the restriction of its folder, or of the item, with marks that were added since.
    func currentRestriction() throws(FileError) -> Restriction {
        switch self {
        case .item(let item), .content(let item, _): try item.currentRestriction()
        case .below(let folder, _): try folder.currentRestriction()
        }
    }

    /// Path below the item, as raw bytes; empty for the item itself.
    var path: String {
        switch self {
        case .item: ""
        case .below(let folder, let name): folder.path + name.text
        case .content(_, let content): content.name.text
        }
    }

    /// For a person, with the path that the person named.
    var shown: DisplayText {
        switch self {
        case .item(let item): DisplayText(item.path, limit: 1024)
        case .content(_, let content): DisplayText(content.name.text)
        case .below(let folder, let name): DisplayText("\(folder.item.path)/\(folder.path)\(name.text)", limit: 1024)
        }
    }
}
