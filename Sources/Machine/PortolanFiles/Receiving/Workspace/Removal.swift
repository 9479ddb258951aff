import Glibc

/// Removal of a folder's entries; links out of it are never followed.
package enum Removal {
    /// Largest number of open folders. Deeper entries are moved up first.
    private static let maximumDepth = 200

    /// Removes all removable entries; the others stay.
    package static func empty(_ folder: Descriptor) {
        empty(folder, features: .detected)
    }

    static func empty(_ folder: Descriptor, features: KernelFeatures, storage: any Storage = KernelStorage()) {
        while emptyOnce(folder, features: features, storage) {}
    }

    /// - Returns: true if something was moved up, so that another round is needed.
    private static func emptyOnce(
        _ folder: Descriptor, features: KernelFeatures, _ storage: any Storage
    ) -> Bool {
        var path: [Level] = []
        var moved = false
        guard let top = try? Level(folder) else { return false }
        path.append(top)
        while var level = path.popLast() {
            guard level.next < level.names.count else {
                if let parent = path.last {
                    parent.names.withName(parent.next - 1) {
                        try? storage.remove($0, in: parent.folder, isFolder: true)
                    }
                }
                continue
            }
            let index = level.next
            level.next += 1
            let inner = level.names.withName(index) { removeOrOpen($0, in: level, features: features, storage) }
            path.append(level)
            guard let inner else { continue }
            if path.count < maximumDepth {
                path.append(inner)
            } else if level.names.withName(index, { moveUp($0, from: level, to: top.folder, storage) }) {
                moved = true
            }
        }
        return moved
    }

    private struct Level {
        let folder: Descriptor
        let names: DirectoryListing
        var next = 0

        init(_ folder: Descriptor) throws(SystemFailure) {
            self.folder = folder
            // The folder's permissions may forbid its owner to list or change it; the owner can add them again.
            if try folder.status().mode & 0o700 != 0o700 { fchmod(folder.number, 0o700) }
            names = try DirectoryListing(of: folder)
        }
    }

    /// - Returns: the opened folder, if it is a folder that is not empty.
    private static func removeOrOpen(
        _ name: UnsafePointer<CChar>, in level: Level, features: KernelFeatures, _ storage: any Storage
    ) -> Level? {
        do throws(SystemFailure) {
            try storage.remove(name, in: level.folder, isFolder: false)
            return nil
        } catch {
            guard error.number == EISDIR || error.number == EPERM else { return nil }
        }
        if (try? storage.remove(name, in: level.folder, isFolder: true)) != nil { return nil }
        guard let folder = try? Beneath.openOwned(name, in: level.folder, features: features) else { return nil }
        return try? Level(folder)
    }

    private static func moveUp(
        _ name: UnsafePointer<CChar>, from level: Level, to top: Descriptor, _ storage: any Storage
    ) -> Bool {
        let free = ".deep-" + String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
        return (try? storage.move(String(cString: name), in: level.folder, to: free, in: top, .replacing)) != nil
    }
}
