import Glibc
import PortolanFiles
import PortolanSyncPlan

/// The staging folder: parked entries, and files that a crash left.
extension FolderScan {
    private static let stagingPath = [SyncName(ControlFolder.name), SyncName("staging")]

    /// Reads parked entries and files that a crash left in the staging folder.
    mutating func readParked() throws(SyncError) {
        let listing: DirectoryListing
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: control.staging), by: storage)
            listing = try reader.next(.max, through: buffer)
        } catch { throw .folder(error, "read the staging folder") }
        result.readFolders.insert(Self.stagingPath)
        var texts: Set<String> = []
        for position in 0..<listing.count {
            guard let text = try? listing.fileName(position).text, !text.hasPrefix(ControlFolder.partPrefix) else {
                continue
            }
            texts.insert(text)
            do throws(SystemFailure) {
                try takeParked(text)
            } catch { fail(Self.stagingPath + [SyncName(text)], error) }
        }
        if let staging = stagingInode {
            for (name, _) in try index.read({ $0.files(in: staging) }) where !texts.contains(name.text) {
                result.gone.append(FilePlace(folder: staging, name: name))
            }
        }
        let folders = result.observation.parked.filter { $0.kind == .folder }
        for folder in folders {
            guard let text = result.parkedNames[folder.handle],
                let descriptor = try? storage.openFolder(text, in: control.staging)
            else { continue }
            _ = try enter(
                Level(
                    descriptor: descriptor, handle: folder.handle, path: Self.stagingPath + [SyncName(text)],
                    isParked: true))
        }
    }

    private mutating func takeParked(_ text: String) throws(SystemFailure) {
        let status = try storage.status(of: text, in: control.staging)
        guard let stamp = FileStatusStamp(status), text != control.ownName(stamp.inode) else { return }
        var file = KnownFile(stamp: stamp, generation: 0, isRacy: true, form: nil)
        if stamp.kind == .folder {
            file.generation = storage.generation(of: try storage.openFolder(text, in: control.staging))
        } else {
            guard case .known(let read) = try look.read(SyncName(text), in: control.staging) else {
                throw SystemFailure(EBUSY)
            }
            file = settledParked(read, text)
        }
        result.isChanged = true
        result.parkedNames[file.handle] = text
        result.observation.parked.append(
            ScannedFile(
                handle: file.handle, parent: FileHandleID(0), name: SyncName(text), kind: stamp.kind, form: file.form,
                size: file.size, metadata: file.metadata))
    }

    /// Returns a parked file with its intended extended attributes, if its file system does not store them.
    private func settledParked(_ read: KnownFile, _ text: String) -> KnownFile {
        guard hasShownAttributes, read.stamp.kind == .file, let staging = stagingInode else { return read }
        let place = FilePlace(folder: staging, name: SyncName(text))
        let known = try? index.read { $0.file(at: place) ?? $0.fileWithShownAttributes(read.handle) }
        return read.settled(by: known ?? nil)
    }

    /// Inode of the staging folder; nil if its status cannot be read.
    var stagingInode: UInt64? { try? storage.status(of: control.staging).identity.inode }
}
