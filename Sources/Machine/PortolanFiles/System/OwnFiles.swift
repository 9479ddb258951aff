import Glibc
import PortolanValues
import Synchronization

/// Files of the program itself: keys, databases and other state of this device, and in each synchronized folder its
/// history and accepted rules. No item and no synchronized folder has them.
///
/// Those of the device are known by device and inode, whatever link, mount or other name leads to them; those in
/// synchronized folders, which may be of another user or home, by the name of their folder. This type alone decides
/// which files they are; each way of content asks it. Calls read the home from time to time, and block meanwhile.
package final class OwnFiles: Sendable {
    /// Name of the folder in a synchronized one that has the files of the program.
    package static let folderName = ".portolan-sync"
    /// No files: for disks of tests, and for content that is only read here.
    package static let none = OwnFiles([], lent: [])

    /// Time for which a reading of the home counts.
    private static let lifetime = Duration.seconds(1)
    /// Most identities that are remembered. What lies deeper is known by its folders.
    private static let maximum = 16_384

    private struct Known {
        var own: Set<FileIdentity> = []
        var lent: Set<FileIdentity> = []
        /// Folders above the folders of the home.
        var above: Set<FileIdentity> = []
        var end = ContinuousClock.now + lifetime
    }

    /// Paths of the folders, also of those that do not exist yet.
    private let folders: [String]
    private let lent: [String]
    private let known = Mutex<Known?>(nil)

    /// - Parameters:
    ///   - folders: absolute paths; links are followed.
    ///   - lent: folders among them, whose files and folders may be sent when they are named themselves.
    package init(_ folders: [String], lent: [String]) {
        self.folders = folders
        self.lent = lent
    }

    /// True if a file or folder that was met is one of them.
    package func contains(_ identity: FileIdentity) -> Bool { confirm { $0.own.contains(identity) } }

    /// True if an entry that was met in a folder is one of them, or a folder with ``folderName``.
    func contains(_ status: FileStatus, named name: some Collection<UInt8>) -> Bool {
        let isReserved =
            status.kind == .folder && !folders.isEmpty && Self.isReserved(String(decoding: name, as: UTF8.self))
        return isReserved || contains(status.identity)
    }

    /// True for ``folderName``, also on a file system that ignores case.
    package static func isReserved(_ name: String) -> Bool { name.lowercased() == folderName }

    /// True if one of their folders lies below a folder, as its path without links tells.
    package func areBelow(_ identity: FileIdentity) -> Bool { look { $0.above.contains(identity) } ?? false }

    package func areBelow(_ path: String) -> Bool { Self.status(path.pathBytes).map { areBelow($0.identity) } ?? false }

    /// True if a path leads to one of them, or into one of their folders. Of a path that leads nowhere, those folders
    /// count that exist.
    ///
    /// - Parameter lent: true if this includes the lent folders.
    package func hold(_ path: String, lent: Bool = false) -> Bool {
        guard holds(path, lent: lent) else { return false }
        guard !lent else { return true }
        let present = self.lent.filter { Self.status($0.pathBytes) != nil }
        // A path in a lent folder that is not there yet leads nowhere else.
        if self.lent.contains(where: { (path + "/").hasPrefix($0 + "/") && !present.contains($0) }) { return false }
        // A lent folder may have been made since the last reading.
        guard look({ $0.lent.count }) ?? 0 < present.count else { return true }
        known.withLock { $0 = nil }
        return holds(path, lent: lent)
    }

    private func holds(_ path: String, lent: Bool) -> Bool {
        if !folders.isEmpty, let real = Self.resolved(path) {
            let text = String(decoding: real.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.split(separator: "/").contains(where: { Self.isReserved(String($0)) }) { return true }
        }
        return confirm { known in
            var rest = Self.resolved(path)
            while let present = rest {
                if let identity = Self.status(present)?.identity {
                    if !lent, known.lent.contains(identity) { return false }
                    if known.own.contains(identity) { return true }
                }
                rest = Self.parent(present)
            }
            return false
        }
    }

    /// True if an open file or folder is one of them, or lies in one of their folders.
    ///
    /// - Parameter lent: true if this includes the lent folders.
    package func hold(_ file: Descriptor, lent: Bool = false) -> Bool {
        guard !folders.isEmpty, let identity = try? file.status().identity else { return false }
        let isOwn = confirm { $0.own.contains(identity) && (lent || !$0.lent.contains(identity)) }
        return isOwn || hold("/proc/self/fd/\(file.number)", lent: lent)
    }

    /// - Returns: nil if there are none.
    private func look<Result: Sendable>(_ body: (Known) -> Result) -> Result? {
        guard !folders.isEmpty else { return nil }
        return known.withLock { known in
            if let present = known, ContinuousClock.now < present.end { return body(present) }
            let present = read()
            known = present
            return body(present)
        }
    }

    /// True if it holds by the last reading of the home, and by one of now: a file that was removed meanwhile may have
    /// left its inode to another one.
    private func confirm(_ body: (Known) -> Bool) -> Bool {
        guard look(body) ?? false else { return false }
        known.withLock { $0 = nil }
        return look(body) ?? false
    }

    // MARK: Reading

    private func read() -> Known {
        var known = Known()
        for path in lent { if let identity = Self.status(path.pathBytes)?.identity { known.lent.insert(identity) } }
        for path in folders {
            guard let identity = Self.status(path.pathBytes)?.identity else { continue }
            known.own.insert(identity)
            var above = Self.resolved(path).flatMap { Self.parent($0) }
            while let folder = above {
                if let identity = Self.status(folder)?.identity { known.above.insert(identity) }
                above = Self.parent(folder)
            }
            if !known.lent.contains(identity), let folder = try? KernelStorage().open(path: path) {
                Self.enter(folder, depth: 0, &known)
            }
        }
        return known
    }

    private static func enter(_ folder: Descriptor, depth: Int, _ known: inout Known) {
        guard depth < 8, let listing = try? DirectoryListing(of: folder) else { return }
        for position in 0..<listing.count where known.own.count < maximum {
            listing.withName(position) { name in
                guard let status = try? folder.status(of: name), status.isOrdinary,
                    known.own.insert(status.identity).inserted, status.kind == .folder,
                    !known.lent.contains(status.identity),
                    let below = try? KernelStorage().openFolder(name, in: folder)
                else { return }
                enter(below, depth: depth + 1, &known)
            }
        }
    }

    // MARK: Paths, with a closing NUL

    private static func status(_ path: [CChar]) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Returns the absolute path, without links, of the part of a path that exists.
    private static func resolved(_ path: String) -> [CChar]? {
        var rest: [CChar]? = path.pathBytes
        while let present = rest {
            if let real = realpath(present, nil) {
                defer { free(real) }
                return Array(UnsafeBufferPointer(start: real, count: strlen(real) + 1))
            }
            rest = parent(present)
        }
        return nil
    }

    /// Returns the folder above; nil for the root, and for a name alone.
    private static func parent(_ path: [CChar]) -> [CChar]? {
        guard path.count > 2, let slash = path.lastIndex(of: CChar(UInt8(ascii: "/"))) else { return nil }
        return Array(path[..<max(slash, 1)]) + [0]
    }
}
