import Glibc
import PortolanTrust

/// The folders of an item being received, found by entry index, with few of them open at a time.
///
/// A peer may name any folder it sent before as the parent of the next entry. One that is no longer open is opened again
/// from the nearest open folder above it, name by name, without following links, and must be the very folder that was made
/// under that name: a local rival who put a link or another folder there is noticed.
struct FolderTable: Sendable {
    struct Folder: Sendable {
        let entry: UInt32
        /// Position of the folder above; the item itself is its own.
        let parent: UInt32
        let depth: UInt8
        let name: FileName
        let modified: FileTime
        let inode: UInt64
    }

    /// How many folders are kept open besides the item itself.
    static let openFolders = 16

    /// In order of their entries.
    private(set) var folders: [Folder] = []
    private var root: Descriptor?
    /// The file system all of them lie on.
    private var device: UInt64 = 0
    /// The one used last stands last.
    private var open: [(position: Int, folder: Descriptor)] = []
    private let features: KernelFeatures

    init(features: KernelFeatures) { self.features = features }

    /// Where the folder that was entry `index` stands; nil where that entry was none.
    func position(of index: UInt32) -> Int? {
        var range = folders.startIndex..<folders.endIndex
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let entry = folders[middle].entry
            if entry == index { return middle }
            range = entry < index ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    mutating func add(_ entry: TreeEntry, in parent: Int?, _ folder: Descriptor) throws(SystemFailure) {
        let position = folders.count
        let depth = parent.map { folders[$0].depth + 1 } ?? 0
        let identity = try folder.status().identity
        folders.append(
            Folder(
                entry: entry.index, parent: UInt32(parent ?? position), depth: depth, name: entry.name,
                modified: entry.modified, inode: identity.inode))
        guard parent == nil else { return remember(folder, at: position) }
        root = folder
        device = identity.device
    }

    /// The open folder at a position.
    mutating func folder(at position: Int) throws(FileError) -> Descriptor {
        if position == 0, let root { return root }
        if let place = open.firstIndex(where: { $0.position == position }) {
            let found = open.remove(at: place)
            open.append(found)
            return found.folder
        }
        let folder = try reopen(position)
        remember(folder, at: position)
        return folder
    }

    private mutating func remember(_ folder: Descriptor, at position: Int) {
        if open.count == Self.openFolders { open.removeFirst() }
        open.append((position, folder))
    }

    private func reopen(_ position: Int) throws(FileError) -> Descriptor {
        guard var current = root else { preconditionFailure("folders without an item") }
        var missing = [position]
        while let next = missing.last.map({ Int(folders[$0].parent) }), next != 0 {
            if let found = open.first(where: { $0.position == next }) {
                current = found.folder
                break
            }
            missing.append(next)
        }
        for position in missing.reversed() {
            let expected = folders[position]
            do throws(SystemFailure) {
                current = try Beneath.open(
                    expected.name.text, in: current, O_RDONLY | O_DIRECTORY, features: features)
                let expectedIdentity = FileIdentity(device: device, inode: expected.inode)
                if try current.status().identity == expectedIdentity { continue }
            } catch {
                if case .descriptors = error.reason { throw FileError.tooManyOpenFiles }
            }
            throw FileError.tampered(DisplayText(expected.name.text))
        }
        return current
    }
}

extension FolderTable {
    /// The path of a name below the item, to be shown.
    ///
    /// - Parameters:
    ///   - name: nil for the folder itself.
    ///   - folder: position of the folder it lies in; nil for the item itself, which has an empty path.
    func path(of name: FileName?, in folder: Int?) -> DisplayText {
        guard var position = folder else { return DisplayText("") }
        var parts: [String] = []
        if let name { parts.append(name.text) }
        while position != 0 {
            parts.append(folders[position].name.text)
            position = Int(folders[position].parent)
        }
        return DisplayText(parts.reversed().joined(separator: "/"), limit: 1024)
    }
}
