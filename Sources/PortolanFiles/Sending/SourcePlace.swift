import PortolanTrust

/// What all entries of one source have in common.
final class SourceItem: Sendable {
    /// As the person named it.
    let path: String
    let view: SourceView
    let storage: any ReadableStorage
    let recent = RecentFolders()

    init(path: String, view: SourceView, storage: any ReadableStorage) {
        self.path = path
        self.view = view
        self.storage = storage
    }
}

/// Where an entry lies. Paths are put together only when something is to be said: a tree has many files and few errors.
enum SourcePlace: Sendable {
    case item(SourceItem)
    case below(SourceFolder, FileName)

    var item: SourceItem {
        switch self {
        case .item(let item): item
        case .below(let folder, _): folder.item
        }
    }

    /// Below the item, as its bytes are; empty for the item itself.
    var path: String {
        switch self {
        case .item: ""
        case .below(let folder, let name): folder.path + name.text
        }
    }

    /// For a person, with the path that the person named.
    var shown: DisplayText {
        switch self {
        case .item(let item): DisplayText(item.path, limit: 1024)
        case .below(let folder, let name): DisplayText("\(folder.item.path)/\(folder.path)\(name.text)", limit: 1024)
        }
    }
}
