import Foundation
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// A changed file on a file system whose files can share blocks.
@Suite(.aside) struct SharedBlocksTests {
    private static let insertion = 4096

    private let bytes = Shipment.noise(24 << 20, 7)

    @Test func unchangedBlocksTakeNoSpace() throws {
        guard let disk = SharingDisk() else { return }
        let inbox = try inbox(on: disk)
        let before = disk.freeSpace
        // The first block is another one, and the rest stays in its place.
        let changed = Shipment.noise(Self.insertion, 8) + bytes[Self.insertion...]
        try send(changed, to: inbox, copying: Self.insertion, to: Self.insertion)
        let isWhole = content(of: inbox.path + "/file (2)") == changed
        #expect(isWhole)
        // A copy beside the earlier version would take 24 MiB.
        #expect(names(in: inbox.path) == ["file", "file (2)"])
        #expect(before - disk.freeSpace < 4 << 20)
    }

    @Test func bytesThatLieOtherwiseInTheirBlocksAreCopied() throws {
        guard let disk = SharingDisk() else { return }
        let inbox = try inbox(on: disk)
        let changed = Shipment.noise(Self.insertion + 1, 8) + bytes[Self.insertion...]
        try send(changed, to: inbox, copying: Self.insertion, to: Self.insertion + 1)
        let isWhole = content(of: inbox.path + "/file (2)") == changed
        #expect(isWhole)
    }

    /// An inbox with a file that has come.
    private func inbox(on disk: SharingDisk) throws -> Inbox {
        let inbox = try Inbox(path: disk.path + "/inbox", createIfMissing: true)
        var first = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes))])
        let partial = try inbox.receive(first.about("file"), called: name("file"), asking: true)
        try first.send(to: partial)
        _ = try partial.publish(as: name("file"))
        sync()
        return inbox
    }

    /// Sends a later version: its beginning as bytes, and the rest as a copy of what was there at `start`.
    private func send(_ changed: [UInt8], to inbox: Inbox, copying start: Int, to offset: Int) throws {
        let shipment = Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(changed))])
        let partial = try inbox.receive(shipment.about("file"), called: name("file"), asking: true)
        partial.allowDifferences()
        let entry = TreeEntry(
            index: 0, parent: 0, name: try name("file"), kind: .file(size: UInt64(changed.count)), permissions: 0o644,
            modified: try FileTime(seconds: 1_400_000_000, nanoseconds: 5))
        #expect(try partial.add(entry) == .difference)
        try changed[..<offset].withUnsafeBytes { try partial.write(0, at: 0, $0) }
        try partial.copy(0, from: UInt64(start), to: UInt64(offset), length: UInt64(changed.count - offset))
        let key = [UInt8](repeating: 1, count: KeyedDigest.keyLength)
        var digester = FileDigester(key: key)
        changed.withUnsafeBytes { digester.update($0) }
        try partial.finish(0, size: UInt64(changed.count), digest: FileDigest(key: key, bytes: digester.finalize()))
        _ = try partial.publish(as: name("file"))
        sync()
    }
}

/// An XFS file system in a file, mounted on a temporary folder.
private final class SharingDisk {
    private let temporary = TemporaryFolder()

    var path: String { temporary("disk") }

    /// Nil where there is none, for a reason that it prints.
    init?() {
        guard geteuid() == 0 else {
            print("skipped: mounting a file system needs root")
            return nil
        }
        // XFS has a least size.
        let image = temporary("image")
        guard FileManager.default.createFile(atPath: image, contents: nil), truncate(image, 320 << 20) == 0,
            mkdir(path, 0o755) == 0, Self.run("mkfs.xfs", "-q", image), Self.run("mount", "-o", "loop", image, path)
        else {
            print("skipped: no XFS file system can be made and mounted here")
            return nil
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// In bytes.
    var freeSpace: Int {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(status.f_bfree) * Int(status.f_frsize) : 0
    }

    private static func run(_ command: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["PATH=/usr/sbin:/sbin:/usr/bin:/bin"] + command
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
