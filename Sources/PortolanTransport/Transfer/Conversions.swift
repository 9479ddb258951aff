import PortolanFiles
import PortolanProtocol
import PortolanTrust

// What the wire and the disk call the same things.

extension TreeEntry {
    /// The same as it travels, for as long as `body` runs.
    func withElement<Result>(_ body: (TreeEntryElement) throws -> Result) throws -> Result {
        var name = index == 0 ? "" : name.text
        var target = ""
        if case .symbolicLink(let link) = kind { target = link.text }
        let attributes =
            try attributes.isEmpty ? [] : TreeAttributes.encode(attributes.map { (Array($0.name.utf8), $0.value) })
        let modified = try Timestamp(seconds: modified.seconds, nanoseconds: modified.nanoseconds)
        return try name.withUTF8 { name in
            try target.withUTF8 { target in
                try attributes.withUnsafeBytes { attributes in
                    let element: TreeEntryElement.Kind =
                        switch kind {
                        case .file(let size): .file(TreeEntryElement.File(size: size, isLinkTarget: isLinkTarget))
                        case .folder: .folder
                        case .symbolicLink: .symbolicLink(target: UnsafeRawBufferPointer(target))
                        case .hardLink(let index): .hardLink(to: index)
                        }
                    return try body(
                        TreeEntryElement(
                            index: index, parent: parent, name: UnsafeRawBufferPointer(name), kind: element,
                            permissions: permissions, modified: modified,
                            attributes: attributes.isEmpty ? nil : TreeAttributes(checked: attributes),
                            restriction: restriction))
                }
            }
        }
    }

    /// What a peer says of an entry, as far as it may be stored.
    ///
    /// - Parameter rootName: the name for entry 0, which has none of its own.
    /// - Throws: `FileError` for a name or link that may not be stored.
    init(_ entry: TreeEntryElement, rootName: FileName) throws(FileError) {
        let name: FileName
        if entry.index == 0 {
            name = rootName
        } else {
            do {
                name = try FileName(entry.name)
            } catch {
                throw FileError(error, name: Array(entry.name))
            }
        }
        var isLinkTarget = false
        let kind: Kind
        switch entry.kind {
        case .file(let file):
            kind = .file(size: file.size)
            isLinkTarget = file.isLinkTarget
        case .folder: kind = .folder
        case .symbolicLink(let target):
            do {
                kind = .symbolicLink(try LinkTarget(Array(target)))
            } catch {
                throw FileError(.unacceptableName, "“\(name)” is a symbolic link that may not be stored: \(error)")
            }
        case .hardLink(let target): kind = .hardLink(to: target)
        }
        var attributes: [FileAttribute] = []
        if let encoded = entry.attributes {
            for (name, value) in encoded { attributes.append(try FileAttribute(name: name, value: Array(value))) }
        }
        self.init(
            index: entry.index, parent: entry.parent, name: name, kind: kind, permissions: entry.permissions,
            modified: try FileTime(seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds),
            isLinkTarget: isLinkTarget, attributes: attributes,
            restriction: entry.restriction)
    }
}

extension Omissions {
    package init(_ report: FidelityReport) {
        self.init(report.omissions.map { Omission(path: $0.path, reason: Omission.Reason($0.reason)) })
        let missing = UInt64(report.omissions.count { $0.reason.lacksContent })
        count(further: report.omitted - UInt64(report.omissions.count), missing: report.missing - missing)
    }
}

extension PortolanProtocol.Omission.Reason {
    init(_ reason: PortolanFiles.Omission.Reason) {
        self =
            switch reason {
            case .pipe, .socket, .device: .specialFile
            case .linkLeavesItem, .linksUnsupported: .linkLeavesFolder
            case .name: .name
            case .partial, .unreadable: .unreadable
            case .visibility: .visibility
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

extension Fidelity {
    /// Losses that a sender does not allow. ``Requirement/unspecified`` is none of them: an item that requires it is refused.
    package init(_ requirements: Set<Requirement>) {
        self = []
        for requirement in requirements {
            switch requirement {
            case .mode: insert(.mode)
            case .modified: insert(.modified)
            case .symlinks: insert(.symbolicLinks)
            case .attributes: insert(.attributes)
            case .sparse: insert(.sparse)
            case .hardLinks: insert(.hardLinks)
            case .content: insert(.content)
            case .unspecified: break
            }
        }
    }
}
