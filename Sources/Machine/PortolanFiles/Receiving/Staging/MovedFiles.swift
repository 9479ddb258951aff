import Glibc
import PortolanValues
import Synchronization

/// Files that came from the same sender and lie in the inbox under another name than the announced one: a file that was
/// renamed at the sender is found among them by its size and time. Of several the one with the announced name is tried
/// first: a folder around it may have been renamed.
///
/// Only a file that is unchanged since it came from this sender is found, never one that a person put there, or another
/// sender: the sender learns its digest. Nothing of the announcement is used as a path. Files are listed if content is
/// missing, and more of them the more is missing, up to ``maximumEntries``.
final class MovedFiles: Sendable {
    /// Most entries that are looked at; more are not found.
    static let maximumEntries = 1_000_000

    /// Most bytes of names that are remembered.
    private static let maximumNames = 64 << 20
    /// A smaller file is sent at less cost than found, in bytes.
    private static let leastSize: UInt64 = 64
    /// Missing bytes for each announced entry above which the first part of the listing costs less than sending.
    private static let bytesPerEntry: UInt64 = 2
    /// Entries in that part.
    private static let leastListed = 256
    /// Missing bytes for each further entry that is listed.
    private static let bytesPerListed: UInt64 = 16
    /// Most files of the same size and time that are tried for an announced one: with its name, and with other names.
    private static let mostAlike = 8
    /// Names that are read at a time.
    private static let chunk = 1024

    fileprivate struct Place {
        let key: FileKey
        let folder: UInt32
        /// Start of the name, which ends with a NUL.
        let name: UInt32
    }

    fileprivate struct Index {
        var folders: [HeldFolder] = []
        /// In the order of their keys.
        var places: [Place] = []
        var names: [UInt8] = []
        var entries = 0
        /// Entries that are listed at most.
        let most: Int

        var isFull: Bool { entries >= most || names.count >= MovedFiles.maximumNames }
    }

    private struct State {
        var missing: UInt64 = 0
        var index: Index?
    }

    private let area: StagingArea
    private let stored: StoredVersion
    private let state = Mutex(State())

    init(_ area: StagingArea, _ stored: StoredVersion) {
        self.area = area
        self.stored = stored
    }

    private var hasSources: Bool { area.place.target != nil || !area.place.related.isEmpty }

    /// Claims the content of a file under another name for an announced file that is not stored.
    func claim(_ file: AnnouncedFile) -> StoredVersion.Compared? {
        guard hasSources, let size = file.size, size >= Self.leastSize, !file.entry.isLinkTarget else { return nil }
        let candidates = state.withLock { state -> [(folder: HeldFolder, name: FileName)] in
            // All sizes of a transfer together fit in 64 bits.
            state.missing &+= size
            guard state.index != nil || state.missing >= Self.bytesPerEntry * UInt64(file.entry.index) else {
                return []
            }
            let index = index(for: state)
            state.index = index
            return index.find(FileKey(size, file.entry.modified, file.name), atMost: Self.mostAlike)
        }
        for candidate in candidates {
            if let found = claim(candidate.name, in: candidate.folder, for: file, of: size) { return found }
        }
        return nil
    }

    private func claim(
        _ name: FileName, in folder: HeldFolder, for file: AnnouncedFile, of size: UInt64
    ) -> StoredVersion.Compared? {
        guard let directory = try? area.folders.opened.descriptor(of: folder),
            let descriptor = try? Beneath.openToRead(name.text, in: directory, features: area.features),
            let status = try? descriptor.status(), status.kind == .file, status.owner == geteuid(),
            status.size == size, status.modified == file.entry.modified,
            let details = ReceivedMark.details(size, status.modified, on: descriptor),
            details.sender == area.place.senderTag, stored.keepsHoles(status, details),
            area.place.isKept(file.restriction, on: descriptor)
        else { return nil }
        return StoredVersion.Compared(
            StoredFile(folder: folder, target: nil, status: status, otherName: name), descriptor)
    }

    // MARK: - The index

    /// Returns the index, extended by more files if so much more is missing. Each listing is at least twice as long as
    /// the one before, so that all together cost no more than two.
    private func index(for state: State) -> Index {
        let most = min(Self.leastListed + Int(clamping: state.missing / Self.bytesPerListed), Self.maximumEntries)
        guard let index = state.index else { return makeIndex(of: most) }
        guard index.isFull, index.most < Self.maximumEntries, most == Self.maximumEntries || most / 2 >= index.most
        else { return index }
        return makeIndex(of: most)
    }

    private func makeIndex(of most: Int) -> Index {
        var index = Index(most: most)
        if let root = area.place.target?.folder { list(root, in: &index) }
        for item in area.place.related {
            if item.status.kind == .folder {
                if let root = try? HeldFolder(item.root) { list(root, in: &index) }
            } else if let inbox = try? HeldFolder(area.place.folder) {
                index.add(item.name, item.status, in: inbox)
            }
        }
        index.places.sort { $0.key.bits < $1.key.bits }
        return index
    }

    private func list(_ root: HeldFolder, in index: inout Index) {
        let buffer = DirectoryReader.Buffer()
        var pending = [(folder: root, depth: 0)]
        while let (folder, depth) = pending.popLast() {
            guard let directory = try? area.folders.opened.descriptor(of: folder),
                var reader = try? DirectoryReader(of: directory)
            else { continue }
            while !reader.isAtEnd, let listing = try? reader.next(Self.chunk, through: buffer) {
                for place in 0..<listing.count {
                    guard !index.isFull, !area.place.interruption.isRequested else { return }
                    index.entries += 1
                    guard let name = try? listing.fileName(place), !name.text.hasPrefix(FileName.partialPrefix),
                        let status = try? directory.status(of: name.text)
                    else { continue }
                    switch status.kind {
                    case .file where status.size >= Self.leastSize: index.add(name, status, in: folder)
                    case .folder where depth + 1 < TreeEntry.maximumFolders:
                        let inner = try? area.folders.opened.find(name.text, in: folder, isOurs: false)
                        if let inner { pending.append((inner, depth + 1)) }
                    default: break
                    }
                }
            }
        }
    }
}

extension MovedFiles.Index {
    fileprivate mutating func add(_ name: FileName, _ status: FileStatus, in folder: HeldFolder) {
        if folders.last !== folder { folders.append(folder) }
        let place = MovedFiles.Place(
            key: FileKey(status.size, status.modified, name), folder: UInt32(folders.count - 1),
            name: UInt32(names.count))
        places.append(place)
        names.append(contentsOf: name.text.utf8)
        names.append(0)
    }

    /// Returns files of the same size and time, at most `most` with the same name, and as many with other names.
    fileprivate func find(_ key: FileKey, atMost most: Int) -> [(folder: HeldFolder, name: FileName)] {
        let (named, end) = (first(from: key.bits), first(from: key.bits + 1))
        let others =
            places[first(from: key.allNames.lowerBound)..<named].prefix(most)
            + places[end...].prefix(most).prefix { key.allNames.contains($0.key.bits) }
        return (places[named..<end].prefix(most) + others.prefix(most)).compactMap { place in
            let bytes = names[Int(place.name)...].prefix { $0 != 0 }
            return (try? FileName(Array(bytes))).map { (folders[Int(place.folder)], $0) }
        }
    }

    /// Position of the first place with this key or a larger one.
    private func first(from bits: UInt64) -> Int { places.partitionPoint(past: { $0.key.bits < bits }) }
}

/// Hashes of a file's size and time, and of its name, in the upper and lower bits of one number.
private struct FileKey: Equatable {
    private static let nameBits: UInt64 = (1 << 24) - 1

    let bits: UInt64

    init(_ size: UInt64, _ modified: FileTime, _ name: FileName) {
        var (file, label) = (Hasher(), Hasher())
        file.combine(size)
        file.combine(modified)
        label.combine(name)
        // The highest bit is free, so that there is a next number.
        bits =
            UInt64(truncatingIfNeeded: file.finalize()) >> 1 & ~Self.nameBits
            | UInt64(truncatingIfNeeded: label.finalize()) & Self.nameBits
    }

    /// Keys of files of this size and time.
    var allNames: ClosedRange<UInt64> { bits & ~Self.nameBits...bits | Self.nameBits }
}
