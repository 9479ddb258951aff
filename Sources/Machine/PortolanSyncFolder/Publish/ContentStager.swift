import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Complete, verified content in the staging folder under the name of a new file.
struct StagedFile: Sendable {
    var name: String
    var handle: FileHandleID
    var form: ContentForm
    /// Extended attributes on the disk, if the file system did not store those of the form.
    var shown: [ExtendedAttribute]?
    /// Open file, to be flushed; nil for a link.
    var file: Descriptor?
    var isDatabase = false
}

/// Puts content into the staging folder.
struct ContentStager: Sendable {
    let control: ControlFolder
    let look: FileLook

    private var storage: any Storage { control.storage }

    /// Bytes that are read at once.
    private static let pieceBytes = 256 << 10

    /// Reads content from a source, verifies it, and sets its permissions and time, without flushing it.
    ///
    /// - Parameter depth: number of names in the path of the target folder.
    /// - Throws: ``SyncError`` of kind `wrongContent` if the content does not match; it is removed then.
    func stage(
        _ content: FileVersion, kind: NodeKind, depth: Int, from source: any ContentSource
    ) async throws -> StagedFile {
        if kind == .link { return try await stageLink(content, depth, source) }
        let part = ControlFolder.newPartName()
        do {
            let file = try storage.makeFile(part, in: control.staging, mode: 0o600)
            try await fill(file, content, source)
            return try finish(part, file, content)
        } catch {
            try? storage.removeIfPresent(part, in: control.staging)
            throw error
        }
    }

    /// Takes a content that has arrived whole in a part of its own.
    func take(_ content: FileVersion, kind: NodeKind, depth: Int) async throws -> StagedFile {
        let part = ControlFolder.partName(content.form.digest)
        let file = try storage.reopenFile(part, in: control.staging)
        guard try storage.status(of: file).size == content.size else { throw wrongContent }
        guard kind == .link else { return try finish(part, file, content) }
        let target = try storage.read(file, at: 0, count: LinkTarget.maximumBytes + 1)
        defer { try? storage.removeIfPresent(part, in: control.staging) }
        return try stageLink(content, depth, target)
    }

    /// Writes a content without its blocks of zeros, and verifies it.
    private func fill(_ file: Descriptor, _ content: FileVersion, _ source: any ContentSource) async throws {
        var position: UInt64 = 0
        var last: UInt8 = 0
        while position < content.size {
            let count = Int(min(UInt64(Self.pieceBytes), content.size - position))
            let bytes = try await source.read(at: position, count: count)
            guard !bytes.isEmpty, bytes.count <= count else { throw wrongContent }
            // A small content is not read again.
            if content.size <= UInt64(Self.pieceBytes) {
                guard bytes.count == count, FileLook.digest(bytes) == content.form.digest else { throw wrongContent }
            }
            try write(bytes, to: file, at: position)
            position += UInt64(bytes.count)
            last = bytes.last ?? 0
        }
        // The end may consist of zeros that were not written.
        if last == 0, try storage.status(of: file).size < content.size { try storage.resize(file, to: content.size) }
        guard
            try content.size <= UInt64(Self.pieceBytes)
                || look.digest(of: file, size: content.size) == content.form.digest
        else { throw wrongContent }
    }

    /// Writes a part without its blocks of zeros, which become holes.
    private func write(_ bytes: [UInt8], to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        let block = Self.holeBytes
        var start = 0
        var next = 0
        func isZero(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 == 0 } }
        while next < bytes.count {
            let end = min(next + block, bytes.count)
            if end - next == block, isZero(next..<end) {
                try write(bytes, start..<next, to: file, at: offset)
                start = end
            }
            next = end
        }
        try write(bytes, start..<bytes.count, to: file, at: offset)
    }

    private func write(
        _ bytes: [UInt8], _ range: Range<Int>, to file: Descriptor, at offset: UInt64
    ) throws(SystemFailure) {
        guard !range.isEmpty else { return }
        try bytes.withUnsafeBufferPointer { bytes throws(SystemFailure) in
            try storage.write(
                UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])), to: file,
                at: offset + UInt64(range.lowerBound))
        }
    }

    /// Size of a block of a file system: shorter runs of zeros make no hole.
    private static let holeBytes = 4096

    /// Sets the extended attributes, permissions, time and name of a complete file.
    private func finish(
        _ part: String, _ file: Descriptor, _ content: FileVersion
    ) throws(SystemFailure) -> StagedFile {
        // Attributes can be set only while the owner may write to the file.
        let shown = try setAttributes(content.form.extended, of: file)
        try storage.setPermissions(UInt16(content.form.attributes & 0o777) | 0o400, of: file)
        if let time = FileTime(content.time) {
            // A file system may not store the time: the file counts as having it.
            try? storage.setModified(time, of: file)
        }
        let inode = try storage.status(of: file).identity.inode
        let name = control.ownName(inode)
        try storage.move(part, in: control.staging, to: name, in: control.staging, .replacing)
        return StagedFile(
            name: name, handle: FileHandleID(inode, generation: storage.generation(of: file)), form: content.form,
            shown: shown, file: file, isDatabase: try look.isDatabase(file))
    }

    /// - Returns: the resulting attributes, if they differ: a file system may store none, or no large ones.
    private func setAttributes(
        _ attributes: [ExtendedAttribute], of file: Descriptor
    ) throws(SystemFailure) -> [ExtendedAttribute]? {
        guard !attributes.isEmpty else { return nil }
        // A file is never visible without its mark.
        if let mark = attributes.mark { try storage.setAttribute(StoredVisibility.attribute, mark, of: file) }
        for attribute in attributes {
            guard let one = FileAttribute(name: attribute.name.text.utf8, value: attribute.value) else { continue }
            do throws(SystemFailure) {
                try storage.setAttribute(FileAttribute.namespace + one.name, one.value, of: file)
            } catch {
                if error.isTrouble || isFull(error) { throw error }
            }
        }
        let kept = try look.extended(of: file).attributes
        return kept == attributes ? nil : kept
    }

    /// True if the disk is full. Some file systems report the same for an attribute that is too large.
    private func isFull(_ error: SystemFailure) -> Bool {
        error.number == EDQUOT || error.isFull && (control.staging.freeSpace() ?? .max) < 1 << 20
    }

    private func stageLink(
        _ content: FileVersion, _ depth: Int, _ source: any ContentSource
    ) async throws -> StagedFile {
        var bytes: [UInt8] = []
        while bytes.count <= LinkTarget.maximumBytes {
            let more = try await source.read(at: UInt64(bytes.count), count: LinkTarget.maximumBytes + 1 - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return try stageLink(content, depth, bytes)
    }

    private func stageLink(_ content: FileVersion, _ depth: Int, _ bytes: [UInt8]) throws -> StagedFile {
        guard FileLook.digest(bytes) == content.form.digest else { throw wrongContent }
        let target = try LinkTarget(bytes)
        guard target.staysInside(fromDepth: depth) else { throw LinkRefusal.turnsBack }
        let part = ControlFolder.newPartName()
        return try removing(part) {
            try storage.makeLink(part, to: target.text, in: control.staging)
            if let time = FileTime(content.time) {
                try? storage.setModified(time, ofLink: part, in: control.staging)
            }
            let inode = try storage.status(of: part, in: control.staging).identity.inode
            let name = control.ownName(inode)
            try storage.move(part, in: control.staging, to: name, in: control.staging, .replacing)
            return StagedFile(name: name, handle: FileHandleID(inode), form: content.form, file: nil)
        }
    }

    /// Removes a part if `body` fails.
    private func removing(_ part: String, _ body: () throws -> StagedFile) throws -> StagedFile {
        do { return try body() } catch {
            try? storage.removeIfPresent(part, in: control.staging)
            throw error
        }
    }

    private var wrongContent: SyncError {
        SyncError(.wrongContent, "The content that came is not the one that was announced.")
    }
}

// MARK: - Unused content

extension ContentStager {
    /// Age, in seconds, after which a partial file is removed.
    private static let partSeconds: Int64 = 7 * 86_400

    /// Removes content that no step has used, and partial files that no transfer can resume.
    func clean() throws(SyncError) {
        try removeFiles { name, status in
            guard !ControlFolder.isLastingPart(name) else {
                return status.modified.seconds < look.now().seconds - Self.partSeconds
            }
            return name.hasPrefix(ControlFolder.partPrefix) || name == control.ownName(status.identity.inode)
        }
    }

    /// Removes partial files that are no longer wanted.
    ///
    /// - Parameter isFull: true to keep only the first wanted one that is there, since the others take its room.
    func removeParts(except wanted: [ContentDigest], isFull: Bool = false) throws(SyncError) {
        var names = wanted.map(ControlFolder.partName)
        if isFull { names = names.first { partBytes($0) > 0 }.map { [$0] } ?? [] }
        let kept = Set(names)
        try removeFiles { name, _ in ControlFolder.isLastingPart(name) && !kept.contains(name) }
    }

    /// Bytes that are still needed on the disk for a content, of which a part may be there.
    func rest(of content: FileVersion) -> UInt64 {
        let there = partBytes(ControlFolder.partName(content.form.digest))
        return there <= content.size ? content.size - there : content.size
    }

    private func partBytes(_ name: String) -> UInt64 {
        (try? storage.status(of: name, in: control.staging))?.size ?? 0
    }

    private func removeFiles(_ isSurplus: (_ name: String, _ status: FileStatus) -> Bool) throws(SyncError) {
        do throws(SystemFailure) {
            for name in try storage.names(in: control.staging) {
                let status = try storage.status(of: name, in: control.staging)
                guard status.kind != .folder, isSurplus(name, status) else { continue }
                try storage.removeIfPresent(name, in: control.staging)
            }
        } catch { throw .folder(error, "clean the staging folder") }
    }
}
