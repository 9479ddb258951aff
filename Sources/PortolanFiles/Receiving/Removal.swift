import Glibc

/// Removing what lies in a folder, without ever following a link out of it.
package enum Removal {
    /// How many folders are open at once. What lies deeper is moved up first.
    private static let maximumDepth = 200

    /// Removes all that can be removed; what cannot stays.
    package static func empty(_ folder: Descriptor) {
        empty(folder, features: .detected)
    }

    static func empty(_ folder: Descriptor, features: KernelFeatures) {
        while emptyOnce(folder, features: features) {}
    }

    /// - Returns: whether something was moved up, so that there is more to do.
    private static func emptyOnce(_ folder: Descriptor, features: KernelFeatures) -> Bool {
        var path: [Level] = []
        var moved = false
        guard let top = try? Level(folder) else { return false }
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
            guard let inner else { continue }
            if path.count < maximumDepth {
                path.append(inner)
            } else if level.names.withName(index, { moveUp($0, from: level, to: top.folder) }) {
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
            // Whoever made it may have taken away the right to list or change it; its owner can take that back.
            if try folder.status().mode & 0o700 != 0o700 { fchmod(folder.number, 0o700) }
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
        return open(name, in: level, features: features).flatMap { try? Level($0) }
    }

    private static func open(
        _ name: UnsafePointer<CChar>, in level: Level, features: KernelFeatures
    ) -> Descriptor? {
        do throws(SystemFailure) {
            return try Beneath.open(name, in: level.folder, O_RDONLY | O_DIRECTORY, features: features)
        } catch {
            guard error.number == EACCES else { return nil }
            let closed = openat(level.folder.number, name, __O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard closed >= 0 else { return nil }
            defer { close(closed) }
            // By its descriptor, so that no link put in its place is followed.
            guard chmod("/proc/self/fd/\(closed)", 0o700) == 0 else { return nil }
            return try? Beneath.open(name, in: level.folder, O_RDONLY | O_DIRECTORY, features: features)
        }
    }

    private static func moveUp(_ name: UnsafePointer<CChar>, from level: Level, to top: Descriptor) -> Bool {
        let free = ".deep-" + String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
        return renameat(level.folder.number, name, top.number, free) == 0
    }
}
