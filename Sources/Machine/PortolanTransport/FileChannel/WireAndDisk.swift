import PortolanFiles
import PortolanProtocol
import PortolanValues

// Conversions between types of the protocol and types of PortolanFiles.

extension TreeEntry {
    /// Size of its attributes for the limit of pending files; the receiver computes the same by
    /// `TreeAttributes.footprint`.
    var attributeBytes: Int {
        attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.count + Limits.attributeOverhead }
    }

    /// Calls `body` with the element on the wire, which is valid for that call.
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
}

/// An entry of a peer, as a receiver stores it or leaves it out.
enum ArrivedEntry {
    case stored(TreeEntry)
    case refused(RefusedEntry)

    /// - Parameter rootName: name of entry 0, which has none in the tree.
    init(_ entry: TreeEntryElement, rootName: FileName) throws(FileError) {
        var (isFolder, isLinkTarget) = (false, false)
        if case .folder = entry.kind { isFolder = true }
        if case .file(let file) = entry.kind { isLinkTarget = file.isLinkTarget }
        func refused(_ reason: Loss.Reason) -> ArrivedEntry {
            .refused(
                RefusedEntry(
                    index: entry.index, parent: entry.parent, name: Array(entry.name), isFolder: isFolder,
                    isLinkTarget: isLinkTarget, reason: reason))
        }
        guard let name = entry.index == 0 ? rootName : try? FileName(entry.name) else {
            self = refused(.name)
            return
        }
        let kind: TreeEntry.Kind
        switch entry.kind {
        case .file(let file): kind = .file(size: file.size)
        case .folder: kind = .folder
        case .hardLink(let index): kind = .hardLink(to: index)
        case .symbolicLink(let target):
            guard let target = try? LinkTarget(Array(target)) else {
                self = refused(.linkLeavesItem)
                return
            }
            kind = .symbolicLink(target)
        }
        let (attributes, lacksAttributes) = Self.attributes(of: entry)
        self = .stored(
            TreeEntry(
                index: entry.index, parent: entry.parent, name: name, kind: kind, permissions: entry.permissions,
                modified: try FileTime(seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds),
                isLinkTarget: isLinkTarget, attributes: attributes, lacksAttributes: lacksAttributes,
                restriction: entry.restriction))
    }

    /// Returns the attributes to store, and true if others were dropped.
    private static func attributes(of entry: TreeEntryElement) -> (stored: [FileAttribute], lacksSome: Bool) {
        var (stored, lacksSome) = ([FileAttribute](), false)
        guard let encoded = entry.attributes else { return (stored, lacksSome) }
        for (name, value) in encoded {
            if let attribute = FileAttribute(name: name, value: Array(value)) {
                stored.append(attribute)
            } else {
                lacksSome = true
            }
        }
        return (stored, lacksSome)
    }
}

extension Omissions {
    package init(_ report: FidelityReport) {
        self.init(report.omissions.map { Omission(path: $0.path, reason: Omission.Reason($0.reason)) })
        let missing = UInt64(report.omissions.count { $0.reason.lacksContent })
        count(further: report.omitted - UInt64(report.omissions.count), missing: report.missing - missing)
    }
}

extension Omission.Reason {
    init(_ reason: Loss.Reason) {
        self =
            switch reason {
            case .pipe, .socket, .device: .specialFile
            case .linkLeavesItem, .linksUnsupported: .linkLeavesFolder
            case .name: .name
            case .partial, .unreadable: .unreadable
            case .visibility: .visibility
            case .tooDeep: .tooDeep
            case .vanished, .changed: .changed
            case .grown: .grown
            case .modificationTime: .modified
            case .mode: .mode
            case .attributes: .attributes
            case .sparse: .sparse
            case .hardLink: .hardLink
            case .conflict: .conflict
            case .taken: .taken
            case .notPermitted: .notPermitted
            case .noSpace: .noSpace
            }
    }
}

extension Message.Begin {
    /// Properties that the sender requires.
    ///
    /// - Throws: ``FileError/Kind/fidelity`` for an unknown requirement.
    package var required: Fidelity {
        get throws(FileError) {
            guard !requirements.contains(.unknown) else {
                throw FileError(
                    .fidelity,
                    "The sender requires something to be kept that this version does not know; update Portolan.")
            }
            return requirements
        }
    }
}
