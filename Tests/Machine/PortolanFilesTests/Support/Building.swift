import Glibc
import PortolanValues
import Testing

@testable import PortolanFiles

/// A time that no test meets by accident.
let someTime = FileTime(timespec(tv_sec: 1_234_567_890, tv_nsec: 123_456_789))

func name(_ text: String) throws -> FileName { try FileName(text) }

extension PartialItem {
    /// Adds an entry.
    func add(
        _ index: UInt32, in parent: UInt32 = 0, _ name: String = "item", _ kind: TreeEntry.Kind,
        permissions: UInt16 = 0o644, modified: FileTime = someTime, isLinkTarget: Bool = false,
        for restriction: Restriction? = nil
    ) throws {
        try add(
            TreeEntry(
                index: index, parent: parent, name: FileName(name), kind: kind, permissions: permissions,
                modified: modified, isLinkTarget: isLinkTarget, restriction: restriction))
    }

    /// Adds the item itself.
    func add(root kind: TreeEntry.Kind) throws { try add(0, "item", kind, permissions: 0o755) }

    func folder(_ index: UInt32, in parent: UInt32 = 0, _ name: String = "item") throws {
        try add(index, in: parent, name, .folder, permissions: 0o755)
    }

    /// Adds a whole file.
    func file(_ index: UInt32, in parent: UInt32 = 0, _ name: String = "item", _ content: String = "") throws {
        try add(index, in: parent, name, .file(size: UInt64(content.utf8.count)))
        try write(index, at: 0, content)
        try finish(index, size: UInt64(content.utf8.count))
    }

    /// Gives a file its whole content.
    func content(_ index: UInt32, _ content: String) throws {
        try Array(content.utf8).withUnsafeBytes { try self.content(index, $0) }
    }

    func link(_ index: UInt32, in parent: UInt32 = 0, _ name: String, to target: String) throws {
        try add(index, in: parent, name, .symbolicLink(LinkTarget(Array(target.utf8))))
    }

    func write(_ index: UInt32, at offset: UInt64, _ content: String) throws {
        try Array(content.utf8).withUnsafeBytes { try write(index, at: offset, $0) }
    }
}

/// Returns the kind of the error that a step threw.
func kind(_ step: () throws -> Void) -> FileError.Kind? {
    do {
        try step()
        return nil
    } catch {
        return (error as? FileError)?.kind
    }
}

/// Sends a source into a partial as a transfer does, through a buffer of `chunk` bytes.
func copy(_ source: SourceTree, to partial: PartialItem, chunk: Int = 1000) throws {
    var buffer = [UInt8](repeating: 0, count: chunk)
    while let next = try source.next() {
        try partial.add(next.entry)
        guard let file = next.file else { continue }
        var offset: UInt64 = 0
        try buffer.withUnsafeMutableBytes { buffer in
            while case let count = try file.read(into: buffer, at: offset), count > 0 {
                let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                file.count(piece, at: offset)
                try partial.write(next.entry.index, at: offset, piece)
                offset += UInt64(count)
            }
        }
        if try file.confirmUnchanged() { source.truncate(next) }
        try partial.finish(next.entry.index, size: offset)
    }
}
