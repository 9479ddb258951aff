import Glibc
import PortolanTrust

/// Brings a folder up to date that was stored from the same source before: what came moves into it, file by file.
///
/// Each step leaves every file whole, under its name, in its old or its present version. If the process dies in between, the rest is in the
/// partial, and the next transfer finds it there.
struct FolderUpdate: PublishingStrategy {
    let target: StoredTarget
    let workspace: Workspace
    /// The folder that was made in the workspace for what is new; nil if nothing is.
    let root: FileIdentity?

    var name: FileName { target.name }
    var isUpdate: Bool { true }

    func check() throws(FileError) { try target.checkIsThere(in: workspace.inbox) }

    func place(_ report: inout FidelityReport) throws(FileError) -> FileName {
        guard (try? workspace.folder.status(of: Workspace.itemName)) != nil else { return name }
        do throws(SystemFailure) {
            let made = try Beneath.openOwned(
                Workspace.itemName, in: workspace.folder, features: workspace.features)
            guard try made.status().identity == root else { throw SystemFailure(EEXIST) }
            var merge = Merge(storage: workspace.storage, features: workspace.features, report: report)
            try merge.move(from: made, to: target.root, path: [])
            report = merge.report
            // Names before the partial, which still has what the moves were made of, goes.
            try workspace.storage.syncAll(target.root)
        } catch {
            throw .storing(DisplayText(name.text), error)
        }
        return name
    }
}

/// The files that came, on their way into the stored folder.
private struct Merge {
    let storage: any Storage
    let features: KernelFeatures
    var report: FidelityReport

    mutating func move(from folder: Descriptor, to stored: Descriptor, path: [FileName]) throws(SystemFailure) {
        guard path.count < TreeEntry.maximumFolders else { throw SystemFailure(ELOOP) }
        let modified = try folder.status().modified
        let mode = try stored.status().mode
        // One that its owner may not change is open for the moment.
        let isClosed = mode & 0o300 != 0o300
        if isClosed { try storage.setPermissions(mode | 0o300, of: stored) }
        do throws(SystemFailure) {
            for entry in try DirectoryListing(of: folder) {
                // All of them were put there by us, and under such names.
                guard let name = try? FileName(entry.name) else { throw SystemFailure(EEXIST) }
                try move(name, from: folder, to: stored, path: path + [name])
            }
        } catch {
            if isClosed { try? storage.setPermissions(mode, of: stored) }
            throw error
        }
        if isClosed { try storage.setPermissions(mode, of: stored) }
        try storage.setModified(modified, of: stored)
    }

    private mutating func move(
        _ name: FileName, from folder: Descriptor, to stored: Descriptor, path: [FileName]
    ) throws(SystemFailure) {
        let status = try folder.status(of: name.text)
        // Somebody may take or free the name meanwhile; at some point that is not by chance.
        for _ in 0..<100 {
            guard let present = try? stored.status(of: name.text) else {
                if try place(name, status, from: folder, in: stored, as: name) { return }
                continue
            }
            switch (status.kind, present.kind) {
            case (.folder, .folder):
                let inner = try Beneath.openOwned(name.text, in: folder, features: features)
                let storedInner = try Beneath.open(name.text, in: stored, O_RDONLY | O_DIRECTORY, features: features)
                try move(from: inner, to: storedInner, path: path)
                return try storage.remove(name.text, in: folder, isFolder: true)
            case (.file, .file):
                if try replace(name, from: folder, in: stored) { return }
            default: break
            }
            report.add(.conflict, at: Array(path.map(\.text).joined(separator: "/").utf8))
            for number in 2... {
                let other = name.numbered(number, isFolder: status.kind == .folder)
                if (try? stored.status(of: other.text)) == nil,
                    try place(name, status, from: folder, in: stored, as: other)
                {
                    return
                }
            }
        }
        throw SystemFailure(EEXIST)
    }

    /// - Returns: whether the name was free.
    private func place(
        _ name: FileName, _ status: FileStatus, from folder: Descriptor, in stored: Descriptor, as other: FileName
    ) throws(SystemFailure) -> Bool {
        // A folder that may not be written to cannot be moved: its entry “..” changes.
        var narrowed: Descriptor?
        if status.kind == .folder, status.mode & 0o200 == 0 {
            let inner = try Beneath.openOwned(name.text, in: folder, features: features)
            try storage.setPermissions(status.mode | 0o700, of: inner)
            narrowed = inner
        }
        do throws(SystemFailure) {
            try storage.moveWithoutReplacing(name.text, in: folder, to: other.text, in: stored)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        if let narrowed { try storage.setPermissions(status.mode & 0o777, of: narrowed) }
        return true
    }

    /// Replaces a file that nobody has changed since it was received.
    ///
    /// - Returns: whether it was one.
    private func replace(
        _ name: FileName, from folder: Descriptor, in stored: Descriptor
    ) throws(SystemFailure) -> Bool {
        guard let file = try? Beneath.open(name.text, in: stored, O_RDONLY | O_NONBLOCK, features: features),
            ReceivedMark.isTrue(of: file)
        else { return false }
        let present = try file.status()
        do throws(SystemFailure) {
            try storage.move(name.text, in: folder, to: name.text, in: stored, .exchanging)
        } catch {
            // Without an exchange, whoever changes the file in just this moment loses that change.
            guard error.number == EINVAL else { throw error }
            try storage.moveReplacing(name.text, in: folder, to: name.text, in: stored)
            return true
        }
        let replaced = try folder.status(of: name.text)
        guard replaced.identity == present.identity, ReceivedMark.isTrue(of: file) else {
            // It was changed at the last moment.
            try storage.move(name.text, in: folder, to: name.text, in: stored, .exchanging)
            return false
        }
        try storage.remove(name.text, in: folder)
        return true
    }
}
