import PortolanFiles
import PortolanProtocol
import PortolanTrust

// What the wire and the disk call the same things.

extension Message.Entry.Kind {
    init(_ kind: TreeEntry.Kind) {
        self =
            switch kind {
            case .file(let size): .file(size: size)
            case .folder: .folder
            case .symbolicLink(let target): .symbolicLink(target: Array(target.text.utf8))
            case .hardLink: preconditionFailure("a hard link on a channel that has none: the source was asked for them")
            }
    }
}

extension TreeEntry {
    /// What a peer says of an entry, as far as it may be stored.
    ///
    /// - Parameter rootName: the name for entry 0, which has none of its own.
    /// - Throws: `FileError` for a name or link that may not be stored.
    init(_ entry: Message.Entry, rootName: FileName) throws(FileError) {
        let name: FileName
        if entry.index == 0 {
            name = rootName
        } else {
            do {
                name = try FileName(entry.name)
            } catch {
                throw FileError(error, name: entry.name)
            }
        }
        let kind: Kind
        switch entry.kind {
        case .file(let size): kind = .file(size: size)
        case .folder: kind = .folder
        case .symbolicLink(let target):
            do {
                kind = .symbolicLink(try LinkTarget(target))
            } catch {
                throw FileError(.unacceptableName, "“\(name)” is a symbolic link that may not be stored: \(error)")
            }
        }
        self.init(
            index: entry.index, parent: entry.parent, name: name, kind: kind,
            permissions: entry.permissions ?? (kind == .folder ? 0o755 : 0o644),
            modified: try entry.modified.map { time throws(FileError) in
                try FileTime(seconds: time.seconds, nanoseconds: time.nanoseconds)
            } ?? .now)
    }
}

extension Omissions {
    package init(_ report: FidelityReport) {
        self.init(report.omissions.map { Omission(path: Array($0.path.text.utf8), reason: Omission.Reason($0.reason)) })
        count(further: report.omitted - UInt64(report.omissions.count))
    }
}

extension PortolanProtocol.Omission.Reason {
    init(_ reason: PortolanFiles.Omission.Reason) {
        self =
            switch reason {
            case .pipe, .socket, .device: .specialFile
            case .linkLeavesItem, .linksUnsupported: .linkLeavesFolder
            case .name: .name
            case .partial, .unreadable, .visibility: .unreadable
            case .tooDeep: .tooDeep
            case .vanished, .changed: .changed
            case .modificationTime: .modified
            case .mode: .mode
            case .attributes: .attributes
            case .sparse: .sparse
            case .hardLink: .hardLink
            case .conflict: .conflict
            }
    }
}
