import Foundation
import PortolanFiles
import PortolanValues

extension FuzzTarget {
    /// Files that others may have changed: records beside partials, and marks on received files.
    static let stored = FuzzTarget("stored") { input in
        Scratch.with { path in
            if input.flag() { StoredFuzzer.readMarks(at: path, &input) } else { StoredFuzzer.goOn(at: path, &input) }
        }
    }
}

private enum StoredFuzzer {
    private static let name = valid { try FileName("item") }
    private static let size: UInt64 = 300_000
    private static let modified = valid { try FileTime(seconds: 1_700_000_000, nanoseconds: 5) }

    private static let identity: ItemIdentity = {
        guard let identity = ItemIdentity(bytes: [UInt8](repeating: 9, count: ItemIdentity.length)) else {
            fatalError("An identity has 32 bytes")
        }
        return identity
    }()

    /// Changes a file beside a partial, and resumes the partial.
    static func goOn(at path: String, _ input: inout FuzzInput) {
        let changes = input.byte()
        let isFolder = changes & 1 == 1
        do {
            let inbox = try Inbox(path: path, createIfMissing: false)
            let first = try receive(into: inbox, isFolder: isFolder)
            let content = [UInt8](repeating: 1, count: 4096)
            try content.withUnsafeBytes { try first.write(isFolder ? 1 : 0, at: 0, $0) }
            first.suspend()
            for partial in try inbox.partials() { change(partial, at: path, changes, &input) }

            let other = try Inbox(path: path, createIfMissing: false)
            _ = try other.partials().map { "\($0)" }
            try other.listPartials()
            _ = try other.find(identity, called: name, isFolder: isFolder)
            try finish(receive(into: other, isFolder: isFolder), isFolder: isFolder)
            _ = try other.removeExpiredPartials(olderThan: .zero, leftoversOlderThan: .zero)
        } catch {
            _ = "\(error)"
        }
    }

    private static func change(_ partial: PartialSummary, at path: String, _ changes: UInt8, _ input: inout FuzzInput) {
        let folder = "\(path)/\(FileName.partialPrefix)\(partial.id)"
        if changes & 2 == 2 { Scratch.write(input.piece(), to: folder + "/about") }
        if changes & 4 == 4 { Scratch.write(input.piece(), to: folder + "/progress") }
        if changes & 8 == 8 { Scratch.write(input.piece(), to: folder + "/item") }
        if changes & 16 == 16 { Scratch.setAttribute("user.portolan.visibility", input.piece(), of: folder) }
        if changes & 32 == 32 { truncate(folder + "/item", Int(input.byte()) << (input.byte() % 32)) }
        if changes & 64 == 64 { mkdir(folder + "/earlier", 0o700) }
    }

    private static func receive(into inbox: Inbox, isFolder: Bool) throws -> PartialItem {
        let about = PartialAbout(
            identity: identity, peerName: "peer", peerFingerprint: "fingerprint", title: "title", name: name,
            typeIdentifier: "public.item", size: size, isFolder: isFolder)
        let partial = try inbox.receive(about, called: name, asking: true)
        if isFolder { _ = try add(0, .folder, to: partial) }
        claim(of: partial, try add(isFolder ? 1 : 0, .file(size: size), to: partial), isFolder ? 1 : 0)
        return partial
    }

    private static func add(_ index: UInt32, _ kind: TreeEntry.Kind, to partial: PartialItem) throws -> ContentNeed {
        try partial.add(
            TreeEntry(index: index, parent: 0, name: name, kind: kind, permissions: 0o644, modified: modified))
    }

    private static func claim(of partial: PartialItem, _ need: ContentNeed, _ entry: UInt32) {
        guard case .compare(let blocks) = need else { return }
        for block in blocks.lazy.joined().prefix(8) { _ = try? partial.digest(entry, block: block) }
    }

    private static func finish(_ partial: PartialItem, isFolder: Bool) throws {
        let entry: UInt32 = isFolder ? 1 : 0
        try partial.hole(entry, at: 0, length: size)
        try partial.finish(entry, size: size)
        _ = try partial.publish(as: name)
    }

    /// Puts marks on entries of the inbox, and receives the same item again.
    static func readMarks(at path: String, _ input: inout FuzzInput) {
        let isFolder = input.flag()
        let item = path + "/item"
        if isFolder { mkdir(item, 0o700) }
        let file = isFolder ? item + "/item" : item
        Scratch.write(input.piece(), to: file)
        Scratch.setAttribute("user.portolan.source", Array(identity.description.utf8), of: item)
        Scratch.setAttribute("user.portolan.received", input.piece(), of: file)
        Scratch.setAttribute("user.portolan.visibility", input.piece(), of: input.flag() ? item : file)
        if input.flag() { Scratch.setAttribute("user.portolan.source", input.piece(), of: item) }
        do {
            let restriction = try StoredVisibility.read(file)
            require(try StoredVisibility.read(file) == restriction, "It is kept from others now")
            _ = restriction.description
            let inbox = try Inbox(path: path, createIfMissing: false)
            _ = try inbox.find(identity, called: name, isFolder: isFolder)
            try finish(receive(into: inbox, isFolder: isFolder), isFolder: isFolder)
        } catch {
            _ = "\(error)"
        }
    }
}
