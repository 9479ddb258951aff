import Glibc

/// Removing what lies in a folder, without ever following a link out of it.
enum Removal {
    /// How deep it goes. Items end at ``TreeEntry/maximumDepth``; what lies deeper is not ours.
    private static let maximumDepth = 200

    /// Removes all that can be removed; what cannot stays.
    static func empty(_ folder: Descriptor, features: KernelFeatures) {
        var path: [Level] = []
        guard let top = try? Level(folder) else { return }
        path.append(top)
        while var level = path.popLast() {
            guard level.next < level.names.count else {
                if let parent = path.last {
                    parent.names.withName(parent.next - 1) { _ = unlinkat(parent.folder.number, $0, AT_REMOVEDIR) }
                }
                continue
            }
            let index = level.next
            level.next += 1
            let inner = level.names.withName(index) { removeOrOpen($0, in: level, features: features) }
            path.append(level)
            if let inner, path.count < maximumDepth { path.append(inner) }
        }
    }

    private struct Level {
        let folder: Descriptor
        let names: DirectoryListing
        var next = 0

        init(_ folder: Descriptor) throws(SystemFailure) {
            self.folder = folder
            names = try DirectoryListing(of: folder)
        }
    }

    /// - Returns: the folder to go into, if it is one with something in it.
    private static func removeOrOpen(
        _ name: UnsafePointer<CChar>, in level: Level, features: KernelFeatures
    ) -> Level? {
        if unlinkat(level.folder.number, name, 0) == 0 { return nil }
        guard errno == EISDIR || errno == EPERM else { return nil }
        if unlinkat(level.folder.number, name, AT_REMOVEDIR) == 0 { return nil }
        let inner = try? Beneath.open(name, in: level.folder, O_RDONLY | O_DIRECTORY, features: features)
        return inner.flatMap { try? Level($0) }
    }
}
