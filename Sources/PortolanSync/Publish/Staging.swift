import Glibc
import PortolanFiles
import PortolanSyncModel

/// Content that is whole and verified, in the staging folder under the name of a new file.
struct StagedFile: Sendable {
    var name: String
    var handle: Handle
    var form: Form
    /// Open, to be synced; nil for a link.
    var file: Descriptor?
}

/// Puts content into the staging folder.
struct Staging: Sendable {
    let control: ControlFolder
    let look: FileLook

    private var storage: any Storage { control.storage }
    private static let partBytes = 256 << 10

    /// Reads content from a source, verifies it, and gives it its permissions and its time. It is not synced yet.
    ///
    /// - Parameter depth: names in the path of the folder that it goes into.
    func stage(
        _ content: Content, kind: NodeKind, depth: Int, from source: any ContentSource
    ) async throws -> StagedFile {
        let part = ControlFolder.partPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
        do {
            return kind == .link
                ? try await stageLink(content, part, depth, source) : try await stageFile(content, part, source)
        } catch {
            try? storage.removeIfPresent(part, in: control.staging)
            throw error
        }
    }

    private func stageFile(
        _ content: Content, _ part: String, _ source: any ContentSource
    ) async throws -> StagedFile {
        let file = try storage.makeFile(part, in: control.staging, mode: 0o600)
        var offset: UInt64 = 0
        while true {
            let bytes = try await source.read(at: offset, count: Self.partBytes)
            if bytes.isEmpty { break }
            guard offset + UInt64(bytes.count) <= content.size else { throw wrongContent }
            try storage.write(bytes, to: file, at: offset)
            offset += UInt64(bytes.count)
        }
        guard try look.digest(of: file) == content.form.digest else { throw wrongContent }
        try storage.setPermissions(UInt16(content.form.attributes & 0o777) | 0o400, of: file)
        if let time = try? FileTime(seconds: content.modified, nanoseconds: 0) {
            // A file system may not hold the time, which decides nothing.
            try? storage.setModified(time, of: file)
        }
        let inode = try storage.status(of: file).identity.inode
        let name = control.ownName(inode)
        try storage.move(part, in: control.staging, to: name, in: control.staging, .replacing)
        return StagedFile(
            name: name, handle: Handle(inode, generation: storage.generation(of: file)), form: content.form,
            file: file)
    }

    private func stageLink(
        _ content: Content, _ part: String, _ depth: Int, _ source: any ContentSource
    ) async throws -> StagedFile {
        var bytes: [UInt8] = []
        while bytes.count <= LinkTarget.maximumBytes {
            let more = try await source.read(at: UInt64(bytes.count), count: LinkTarget.maximumBytes + 1 - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        guard FileLook.digest([bytes]) == content.form.digest else { throw wrongContent }
        let target = try LinkTarget(bytes)
        guard target.staysInside(fromDepth: depth) else { throw LinkRefusal.turnsBack }
        try storage.makeLink(part, to: target.text, in: control.staging)
        if let time = try? FileTime(seconds: content.modified, nanoseconds: 0) {
            try? storage.setModified(time, ofLink: part, in: control.staging)
        }
        let inode = try storage.status(of: part, in: control.staging).identity.inode
        let name = control.ownName(inode)
        try storage.move(part, in: control.staging, to: name, in: control.staging, .replacing)
        return StagedFile(name: name, handle: Handle(inode), form: content.form, file: nil)
    }

    private var wrongContent: SyncError {
        SyncError(.wrongContent, "The content that came is not the one that was announced.")
    }

    /// Removes content that no step has used, and content that is not whole.
    func clean() throws(SyncError) {
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: control.staging), by: storage)
            let listing = try reader.next(.max, through: DirectoryReader.Buffer())
            for position in 0..<listing.count {
                guard let name = try? listing.fileName(position).text else { continue }
                let status = try storage.status(of: name, in: control.staging)
                guard name.hasPrefix(ControlFolder.partPrefix) || name == control.ownName(status.identity.inode),
                    status.kind != .folder
                else { continue }
                try storage.removeIfPresent(name, in: control.staging)
            }
        } catch { throw .folder(error, "clean the staging folder") }
    }
}
