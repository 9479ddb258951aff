@testable import PortolanSyncPlan

/// A file of a simulated disk. Content is a number; each write has its own.
struct DiskFile: Hashable {
    var handle: UInt64
    var parent: UInt64
    var name: SyncName
    /// Nil for a folder.
    var content: UInt8?
}

/// A simulated disk with the shared folder, the staging folder, a place outside of both, and a history.
struct Disk: Hashable {
    static let parking: UInt64 = 0
    static let root: UInt64 = 1
    static let outside: UInt64 = 2

    var files: [DiskFile] = []
    /// Contents in the history, as bits.
    var history: UInt64 = 0
    var marker: Marker?
    /// The disk is not mounted: the folder is there and empty.
    var isAway = false
    /// Files that persons moved out of the folder.
    var left: [DiskFile] = []

    func position(_ handle: UInt64) -> Int? { files.firstIndex { $0.handle == handle } }

    func child(_ parent: UInt64, _ name: SyncName) -> DiskFile? {
        files.first { $0.parent == parent && $0.name == name }
    }

    func find(_ path: [SyncName]) -> DiskFile? {
        var found: DiskFile?
        for name in path {
            guard let next = child(found?.handle ?? Self.root, name) else { return nil }
            found = next
        }
        return found
    }

    /// Files below a folder: a folder before its content.
    func below(_ folder: UInt64) -> [DiskFile] {
        var found = files.filter { $0.parent == folder }
        var next = 0
        while next < found.count {
            if found[next].content == nil { found += files.filter { $0.parent == found[next].handle } }
            next += 1
        }
        return found
    }

    mutating func removeTree(_ handle: UInt64) {
        let doomed = Set(below(handle).map(\.handle) + [handle])
        files.removeAll { doomed.contains($0.handle) }
    }

    /// Contents of files below a folder, as bits.
    func contents(below folder: UInt64) -> UInt64 { below(folder).reduce(0) { $0 | bit($1.content) } }

    /// Contents of everything on the disk, as bits.
    var contents: UInt64 { files.reduce(history) { $0 | bit($1.content) } }

    /// Paths and contents in the folder, in order.
    var listing: [String] {
        var paths: [UInt64: String] = [Self.root: ""]
        var lines: [String] = []
        for file in below(Self.root) {
            let path = (paths[file.parent] ?? "?") + "/" + file.name.text
            paths[file.handle] = path
            lines.append(file.content.map { "\(path)=\($0)" } ?? path)
        }
        return lines.sorted()
    }
}

func bit(_ content: UInt8?) -> UInt64 { content.map { 1 << UInt64($0) } ?? 0 }

func form(_ content: UInt8?) -> ContentForm? { content.map { ContentForm(ContentDigest(UInt64($0))) } }
