import Glibc
import Testing

@testable import CoreTransferable

@Suite("A folder as a zip archive")
struct ZipTests {
    private func album(in scratch: ScratchFolder) throws -> URL {
        let album = try scratch.folder("ålbum", with: ["b", "a"])
        let inner = album.appendingPathComponent("inner", isDirectory: true)
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        try Data(repeating: 7, count: 100_000).write(to: inner.appendingPathComponent("naïve.bin"))
        try Data("#!/bin/sh".utf8).write(to: inner.appendingPathComponent("run"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: inner.appendingPathComponent("run").path)
        try FileManager.default.createSymbolicLink(
            atPath: inner.appendingPathComponent("link").path, withDestinationPath: "../a")
        return album
    }

    @Test("holds the folder under its name, in order, links as links, with the right to execute")
    func entries() throws {
        let scratch = try ScratchFolder()
        let entries = try #require(ZipDirectory(zippedContents(ofFolder: album(in: scratch)))).entries
        #expect(
            entries.map(\.name) == [
                "ålbum/", "ålbum/a", "ålbum/b", "ålbum/inner/", "ålbum/inner/link", "ålbum/inner/naïve.bin",
                "ålbum/inner/run",
            ])
        // Names beyond ASCII are marked as UTF-8; all of these are.
        #expect(entries.allSatisfy { $0.flags & 0x800 != 0 })
        #expect(
            entries.map { $0.mode & 0o170000 } == [
                0o040000, 0o100000, 0o100000, 0o040000, 0o120000, 0o100000, 0o100000,
            ])
        #expect(entries.last?.mode == 0o100755)
        #expect(entries[5].size == 100_000)
    }

    @Test("is the same for equal folders")
    func deterministic() throws {
        let first = try ScratchFolder()
        let second = try ScratchFolder()
        let folders = try [album(in: first), album(in: second)]
        for folder in folders {
            try TreeWalk.each(folder.path) { entry in
                let time = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
                #expect(utimensat(AT_FDCWD, entry.path, time, AT_SYMLINK_NOFOLLOW) == 0)
            }
        }
        #expect(try zippedContents(ofFolder: folders[0]) == zippedContents(ofFolder: folders[1]))
    }

    @Test("unpacks to the folder that was packed")
    func unpacks() throws {
        let unzip = URL(filePath: "/usr/bin/unzip")
        guard FileManager.default.isExecutableFile(atPath: unzip.path) else {
            print("skipped: unzip, which reads the archive independently, is not installed")
            return
        }
        let scratch = try ScratchFolder()
        let album = try album(in: scratch)
        let archive = scratch.url.appendingPathComponent("album.zip")
        try zippedContents(ofFolder: album).write(to: archive)
        let process = Process()
        process.executableURL = unzip
        process.arguments = ["-q", archive.path, "-d", scratch.url.appendingPathComponent("out").path]
        process.environment = ["LC_ALL": "C.UTF-8"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let out = scratch.url.appendingPathComponent("out/ålbum/inner")
        let manager = FileManager.default
        #expect(try Data(contentsOf: out.appendingPathComponent("naïve.bin")) == Data(repeating: 7, count: 100_000))
        #expect(manager.isExecutableFile(atPath: out.appendingPathComponent("run").path))
        #expect(try manager.destinationOfSymbolicLink(atPath: out.appendingPathComponent("link").path) == "../a")
    }

    @Test("of an empty folder holds that folder")
    func empty() throws {
        let scratch = try ScratchFolder()
        let folder = try scratch.folder("empty", with: [])
        #expect(try ZipDirectory(zippedContents(ofFolder: folder))?.entries.map(\.name) == ["empty/"])
    }

    @Test("is refused beyond the limit, for a pipe inside, for names that are not UTF-8, and for a file")
    func refusals() throws {
        let scratch = try ScratchFolder()
        let large = try scratch.folder("large", with: [])
        try Data(repeating: 0, count: 5000).write(to: large.appendingPathComponent("zeros"))
        #expect(kind { try zippedContents(ofFolder: large, limit: 4999) } == .tooLarge)
        #expect(kind { try zippedContents(ofFolder: large, limit: 5000) } == nil)

        let many = try scratch.folder("many", with: (0..<40).map { "file \($0)" })
        #expect(kind { try zippedContents(ofFolder: many, limit: 1000) } == .tooLarge)

        let piped = try scratch.folder("piped", with: [])
        #expect(mkfifo(piped.appendingPathComponent("pipe").path, 0o600) == 0)
        #expect(kind { try zippedContents(ofFolder: piped) } == .notAFile)

        let latin = try scratch.folder("latin", with: [])
        let name = Array((latin.path + "/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        let file = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        #expect(file >= 0)
        close(file)
        #expect(kind { try zippedContents(ofFolder: latin) } == .malformedContent)
        unlink(name)

        #expect(kind { try zippedContents(ofFolder: scratch.file("plain", [1])) } == .notAFile)
        #expect(kind { try zippedContents(ofFolder: scratch.url.appending(path: "lost")) } == .missingFile)
    }

    private func kind(_ work: () throws -> Data) -> TransferError.Kind? {
        do {
            _ = try work()
            return nil
        } catch {
            return (error as? TransferError)?.kind
        }
    }
}

/// The table at the end of a zip archive, as APPNOTE.TXT describes it.
private struct ZipDirectory {
    struct Entry {
        let name: String
        let flags: Int
        let mode: Int
        let size: Int
    }

    private(set) var entries: [Entry] = []

    init?(_ archive: Data) {
        let bytes = [UInt8](archive)
        func number(_ offset: Int, _ length: Int) -> Int {
            bytes[offset..<(offset + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= 22, number(bytes.count - 22, 4) == 0x0605_4B50 else { return nil }
        var offset = number(bytes.count - 6, 4)
        for _ in 0..<number(bytes.count - 12, 2) {
            guard number(offset, 4) == 0x0201_4B50 else { return nil }
            let nameLength = number(offset + 28, 2)
            entries.append(
                Entry(
                    name: String(decoding: bytes[(offset + 46)..<(offset + 46 + nameLength)], as: UTF8.self),
                    flags: number(offset + 8, 2), mode: number(offset + 40, 2), size: number(offset + 24, 4)))
            offset += 46 + nameLength + number(offset + 30, 2) + number(offset + 32, 2)
        }
    }
}
