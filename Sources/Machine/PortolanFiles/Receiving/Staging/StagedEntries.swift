import PortolanValues
import Synchronization

/// Content of an entry that the receiver needs.
package enum ContentNeed: Hashable, Sendable {
    /// No content: the entry is no file, or its content is here already.
    case nothing
    /// All its content.
    case content
    /// All content except the blocks among these present ones (``BlockDigest``) that agree with the sender's. Block
    /// numbers are in order.
    case compare(blocks: [Range<UInt64>])
    /// Its difference from an earlier version (``PartialItem/base(of:)``).
    case difference
}

/// Entries of an item, processed one after another.
final class StagedEntries: Sendable {
    struct Order {
        var nextIndex: UInt64 = 0
        /// Names that the folders of `stack` remember.
        var rememberedNames = 0
        /// Folders above the last entry, the item itself first.
        var stack: [ItemFolder] = []
    }

    let area: StagingArea
    let files: StagedFiles
    let stored: StoredVersion
    private let leftOut: LeftOutEntries
    /// Held while an entry is added, since entries come in their order. Other calls do not take it.
    private let order = Mutex(Order())

    init(_ area: StagingArea, _ files: StagedFiles) {
        self.area = area
        self.files = files
        stored = files.stored
        leftOut = files.leftOut
    }

    /// Creates the folder or link, or returns the missing content of the file.
    func add(_ entry: TreeEntry) throws(FileError) -> ContentNeed {
        try order.withLock { order throws(FileError) -> ContentNeed in
            let folder = try enterFolder(of: entry, &order)
            order.nextIndex += 1
            // An entry that exists already needs no space.
            if area.place.target == nil { try area.place.space.use(SpaceWatch.entry, entry.name) }
            if let folder, let reason = try leftOut.reason(toLeaveOut: entry, in: folder) {
                try leaveOut(entry, because: reason, in: folder, &order)
                return .nothing
            }
            let need = try unlessNameIsRefused(in: folder) { () throws(FileError) in
                try store(entry, in: folder, &order)
            }
            if let need { return need }
            guard let folder else { preconditionFailure("the item itself has a name of ours") }
            try leaveOut(entry, because: .name, in: folder, &order)
            return .nothing
        }
    }

    /// Leaves an entry out that has a name or a link target which is not stored.
    func add(_ entry: RefusedEntry) throws(FileError) {
        try order.withLock { order throws(FileError) in
            guard let folder = try enterFolder(of: entry.index, in: entry.parent, &order) else {
                throw .malformed("an item that may not be stored")
            }
            if let name = try? FileName(entry.name), !folder.isNew(name, &order.rememberedNames) {
                throw .twice(entry.name)
            }
            try FileError.checkForm(
                !entry.isFolder || order.stack.count < TreeEntry.maximumFolders,
                "more than \(TreeEntry.maximumFolders) folders inside one another")
            order.nextIndex += 1
            if !folder.isLeftOut {
                try area.ledger.lose(
                    entry.reason, of: DisplayText(bytes: entry.name, limit: 80).text,
                    at: ItemFolder.path(of: entry.name, in: folder))
            }
            let reason = folder.omission ?? entry.reason
            try leftOut.leaveOut(
                entry.index, entry.name, isLinkTarget: entry.isLinkTarget, because: reason, in: folder)
            if entry.isFolder { order.stack.append(ItemFolder(leftOut: entry.index, because: reason, in: folder)) }
        }
    }

    /// Ends all folders that have not ended, after the last entry.
    ///
    /// - Returns: the item itself, if it is a folder.
    /// - Throws: ``FileError/Kind/malformedTree`` if there is no item, or a file is incomplete.
    func end() throws(FileError) -> ItemFolder? {
        try order.withLock { order throws(FileError) -> ItemFolder? in
            try FileError.checkForm(
                order.nextIndex > 0 && files.areComplete, "an end before the last file was complete")
            let root = order.stack.first
            while let folder = order.stack.popLast() { try leave(folder) }
            return root
        }
    }

    // MARK: - Order

    /// Returns the entry's folder, after leaving the folders that do not contain it; nil for the item itself.
    private func enterFolder(of entry: TreeEntry, _ order: inout Order) throws(FileError) -> ItemFolder? {
        guard let folder = try enterFolder(of: entry.index, in: entry.parent, &order) else {
            switch entry.kind {
            case .file, .folder: return nil
            case .symbolicLink, .hardLink: throw .malformed("an item that is a link")
            }
        }
        guard folder.isNew(entry.name, &order.rememberedNames) else { throw .twice(entry.name.text.utf8) }
        switch entry.kind {
        case .folder where order.stack.count >= TreeEntry.maximumFolders:
            throw .malformed("more than \(TreeEntry.maximumFolders) folders inside one another")
        case .file where files.isFull:
            throw .malformed("more than \(PartialItem.maximumWaitingFiles) files without their content")
        default: return folder
        }
    }

    private func enterFolder(
        of index: UInt32, in parent: UInt32, _ order: inout Order
    ) throws(FileError) -> ItemFolder? {
        guard index == order.nextIndex else { throw .malformed("entry \(index), where \(order.nextIndex) was next") }
        if index == 0 {
            guard parent == 0 else { throw .malformed("an item inside something") }
            return nil
        }
        while let folder = order.stack.last, folder.entry.index != parent {
            order.stack.removeLast()
            order.rememberedNames -= folder.rememberedNames
            try leave(folder)
        }
        guard let folder = order.stack.last else {
            throw .malformed("entry \(index) inside entry \(parent), which is no folder that could get more")
        }
        return folder
    }

    private func leave(_ folder: ItemFolder) throws(FileError) {
        let surplus = SurplusFiles(features: area.features).count(in: folder, area.folders.opened)
        if surplus > 0 { area.ledger.count { $0.surplus += surplus } }
        try area.folders.leave(folder)
    }

    /// Leaves out an entry that cannot be stored at its place, with everything in it and all its names. None of its
    /// content is requested.
    private func leaveOut(
        _ entry: TreeEntry, because reason: Loss.Reason, in folder: ItemFolder, _ order: inout Order
    ) throws(FileError) {
        if !folder.isLeftOut { try area.ledger.lose(reason, of: entry.name, in: folder) }
        try leftOut.leaveOut(
            entry.index, Array(entry.name.text.utf8), isLinkTarget: entry.isLinkTarget, because: reason, in: folder)
        if entry.kind == .folder {
            order.stack.append(ItemFolder(leftOut: entry.index, because: reason, in: folder))
        }
    }

    private func leaveOut(
        _ entry: TreeEntry, because reason: Loss.Reason, inside folder: ItemFolder?, _ order: inout Order
    ) throws(FileError) {
        guard let folder else { preconditionFailure("the item itself is not left out") }
        try leaveOut(entry, because: reason, in: folder, &order)
    }

    // MARK: - Storing

    private func store(
        _ entry: TreeEntry, in folder: ItemFolder?, _ order: inout Order
    ) throws(FileError) -> ContentNeed {
        switch entry.kind {
        case .file:
            let restriction = area.place.restriction(of: entry, in: folder)
            switch try files.announce(AnnouncedFile(entry: entry, folder: folder, restriction: restriction)) {
            case .needs(let need): return need
            case .leftOut(let reason): try leaveOut(entry, because: reason, inside: folder, &order)
            }
        case .folder:
            switch try folder.map({ folder throws(FileError) in try stored.find(folder: entry, in: folder) }) {
            case .refused(let reason): try leaveOut(entry, because: reason, inside: folder, &order)
            case .there(let found): order.stack.append(try makeFolder(entry, in: folder, over: found))
            case .nothing: order.stack.append(try makeFolder(entry, in: folder, over: nil))
            case nil: order.stack.append(try makeFolder(entry, in: nil, over: area.place.target?.folder))
            }
        case .symbolicLink(let target):
            if let reason = try makeLink(entry, to: target, in: folder) {
                try leaveOut(entry, because: reason, inside: folder, &order)
            }
        case .hardLink(let target):
            guard let folder else { preconditionFailure("an item is no link") }
            if let reason = try files.link(entry, to: target, in: folder) {
                try leaveOut(entry, because: reason, inside: folder, &order)
            }
        }
        return .nothing
    }
}

extension ItemFolder {
    /// Returns the path of an entry with a name of any bytes.
    fileprivate static func path(of name: [UInt8], in folder: ItemFolder) -> [UInt8] {
        let above = path(of: nil, in: folder)
        return above.isEmpty ? name : Array(above.utf8) + [UInt8(ascii: "/")] + name
    }
}
