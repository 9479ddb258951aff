import PortolanCrypto
import SimulationSupport

@testable import FilesTestSupport
@testable import PortolanFiles

/// Invariants: what the receiver lacks at a time, and that the destination is as it must be.
extension Simulation {
    /// Bytes of content that the receiver does not hold. A disk in trouble may have left two partials, of which either
    /// may be gone on with.
    ///
    /// - Parameter withHoles: true if holes count, which are sent as zeros where the source's disk fails to tell of
    ///   them.
    func missing(withHoles: Bool) throws -> Int {
        let partials = try resumable()
        let bytes = partials.map { missing(from: $0, withHoles) }.max() ?? missing(from: nil, withHoles)
        return bytes + filesGivenUp * Int(BlockDigest.blockSize)
    }

    /// Blocks of which something is missing or wrong, and small files.
    private func missing(from partial: String?, _ withHoles: Bool) -> Int {
        let places = partial.map { [$0 + "/item", $0 + "/before"] } ?? []
        let stored = DestinationWatch.visible(in: disk.path).map { "\(disk.path)/\($0)" }
        let block = Int(BlockDigest.blockSize)
        var missing = 0
        for (index, path) in source.paths.enumerated() {
            let entry = source.entries[index]
            guard case .file(let content) = entry.kind else { continue }
            func size(of range: Range<Int>) -> Int { withHoles ? range.count : content.stored(in: range) }
            guard isUnchanged(index, path), edits[path] == nil else {
                missing += size(of: 0..<content.bytes.count)
                continue
            }
            func isWhole(_ place: String) -> Bool {
                status(of: place + path)?.modified.seconds == entry.modified
                    && FilesTestSupport.content(of: place + path) == content.bytes
            }
            if stored.contains(where: isWhole) { continue }
            // In a block that is only in part data, the rest may not be known to be right.
            let held = places.map { FilesTestSupport.content(of: $0 + path) ?? [] }
            for start in stride(from: 0, to: content.bytes.count, by: block) {
                let range = start..<min(start + block, content.bytes.count)
                let isRight = held.contains {
                    $0.count >= range.upperBound && $0[range] == content.bytes[range]
                }
                let stored = content.stored(in: range)
                if !isRight || stored < range.count { missing += size(of: range) }
            }
        }
        return missing
    }

    private func isUnchanged(_ index: Int, _ path: String) -> Bool {
        versions.allSatisfy { version in
            guard let other = version.paths.firstIndex(of: path) else { return true }
            return version.entries[other].kind == source.entries[index].kind
                && version.entries[other].modified == source.entries[index].modified
        }
    }

    /// Checks that the destination equals the source.
    func check() throws {
        try watch.check()
        let roots = DestinationWatch.visible(in: disk.path)
        if !source.isFolder { return try check(versionsIn: roots) }
        guard roots == [source.name] else { throw Trouble("There is \(roots)") }
        let root = "\(disk.path)/\(source.name)"
        for (index, path) in source.paths.enumerated() {
            let full = root + path
            guard let found = status(of: full) else { throw Trouble("“\(path)” is missing") }
            switch source.entries[index].kind {
            case .folder: guard found.kind == .folder else { throw Trouble("“\(path)” is no folder") }
            case .link(let target):
                guard DestinationWatch.linkTarget(full) == target else { throw Trouble("“\(path)” is another link") }
            case .file, .hardLink: try check(fileOf: index, path, in: root)
            }
        }
        try checkNothingElse(in: root, "")
    }

    private func check(fileOf index: Int, _ path: String, in root: String) throws {
        guard let expected = source.content(of: index) else { return }
        var places = [root + path]
        if let edited = edits[path] {
            guard content(of: root + path) == edited else { throw Trouble("What was changed at “\(path)” is lost") }
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            places = names(in: root + folder).map { folder + "/" + $0 }
                .filter { $0 != path && DestinationWatch.withoutNumber($0) == path }.map { root + $0 }
        }
        var entry = source.entries[index]
        if case .hardLink(let target) = entry.kind { entry = source.entries[target] }
        let isThere = places.contains {
            content(of: $0) == expected.bytes && status(of: $0)?.modified.seconds == entry.modified
        }
        guard isThere else {
            let found = places.map { place in
                let bytes = content(of: place)
                return "\(place): \(bytes?.count ?? -1) bytes\(bytes == expected.bytes ? ", equal" : ""), of "
                    + "\(status(of: place)?.modified.seconds ?? 0)"
            }
            throw Trouble(
                "“\(path)” is not what the sender has: \(expected.bytes.count) bytes of \(entry.modified)"
                    + "\(edits[path] == nil ? "" : ", changed here"); \(found); "
                    + "there is \(names(in: root + path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))")
        }
    }

    /// A single file lies there in each version that was once stored.
    private func check(versionsIn roots: [String]) throws {
        let files = roots.map { content(of: "\(disk.path)/\($0)") ?? [] }
        // Of two versions only the time may differ, where nothing but holes is in them.
        let times = roots.map { status(of: "\(disk.path)/\($0)")?.modified.seconds }
        let isTwice = files.indices.contains { index in
            files[..<index].indices.contains { files[$0] == files[index] && times[$0] == times[index] }
        }
        guard source.isStream || !isTwice else {
            throw Trouble("The same is there twice: \(roots)")
        }
        guard let expected = source.content(of: 0), files.contains(expected.bytes) else {
            throw Trouble("What the sender has is not there")
        }
    }

    private func checkNothingElse(in root: String, _ path: String) throws {
        for name in names(in: root + path) {
            let inner = path + "/" + name
            let original = DestinationWatch.withoutNumber(inner)
            let isKnown = watch.committed.contains(inner) || (edits[original] != nil && inner != original)
            guard isKnown else { throw Trouble("“\(inner)” should not be there") }
            if status(of: root + inner)?.kind == .folder { try checkNothingElse(in: root, inner) }
        }
    }
}
