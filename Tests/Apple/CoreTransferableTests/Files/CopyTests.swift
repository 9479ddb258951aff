import Glibc
import Testing

@testable import CoreTransferable

/// Exported and imported as a file or folder; stores only the URL of the import.
private struct Archive: Transferable {
    var file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .data) {
            SentTransferredFile($0.file)
        } importing: { received in
            #expect(FileManager.default.fileExists(atPath: received.file.path))
            return Archive(file: received.file)
        }
        FileRepresentation(contentType: .folder) {
            SentTransferredFile($0.file)
        } importing: { received in
            Archive(file: received.file)
        }
    }
}

@Suite("Copies of files")
struct CopyTests {
    private let size = 3 << 20

    private func large(_ name: String, in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try Data(repeating: 0xA5, count: size).write(to: file)
        return file
    }

    /// Bytes copied by `work`; where the file system shares blocks, none.
    private func bytesCopied(_ work: () async throws -> Void) async throws -> Int {
        let tally = CopyTally()
        try await CopyTally.$current.withValue(tally) { try await work() }
        return tally.copiedBytes
    }

    @Test("A file that is exported and imported again is copied at most once")
    func once() async throws {
        let scratch = try ScratchFolder()
        let archive = Archive(file: try large("a.bin", in: scratch.url))
        let copied = try await bytesCopied {
            try await archive.withExportedFile(contentType: .data) { file in
                _ = try await Archive(importing: file, contentType: .data)
                _ = try await Archive(importing: file, contentType: .data)
            }
        }
        #expect(copied == size || copied == 0)
    }

    @Test("A folder that is exported and imported again is copied at most once")
    func folderOnce() async throws {
        let scratch = try ScratchFolder()
        let folder = try scratch.folder("album", with: [])
        for name in ["a", "b"] { _ = try large(name, in: folder) }
        let copied = try await bytesCopied {
            try await Archive(file: folder).withExportedFile(contentType: .folder) { file in
                _ = try await Archive(importing: file, contentType: .folder)
            }
        }
        #expect(copied == 2 * size || copied == 0)
    }

    @Test("A file that an exporter hands to an importer in the same process is copied at most once")
    func handedOver() async throws {
        let scratch = try ScratchFolder()
        let archive = Archive(file: try large("a.bin", in: scratch.url))
        let copied = try await bytesCopied {
            let form = try #require(archive.exportableRepresentations().first)
            _ = try await Archive(importing: ImportedPayload(form.export()), offeredAs: form.contentType)
        }
        #expect(copied == size || copied == 0)
    }

    @Test("A file that a caller gave is never another name for the copy: an importer may write into it")
    func notLinked() async throws {
        struct Scribbler: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                FileRepresentation(importedContentType: .data) { received in
                    let handle = try FileHandle(forWritingTo: received.file)
                    try handle.write(contentsOf: Data("changed".utf8))
                    return Scribbler()
                }
            }
        }
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.bin", [1, 2, 3])
        _ = try await Scribbler(importing: file, contentType: .data)
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
    }

    @Test("keep times, permissions and links; folders stay removable")
    func fidelity() async throws {
        let scratch = try ScratchFolder()
        let folder = try scratch.folder("source", with: ["script", "plain"])
        let script = folder.appendingPathComponent("script").path
        #expect(chmod(script, 0o4755) == 0)
        #expect(symlink("plain", folder.appendingPathComponent("link").path) == 0)
        #expect(symlink("/nowhere", folder.appendingPathComponent("dangling").path) == 0)
        let inner = try scratch.folder("source/inner", with: ["x"])
        let times = [timespec(tv_sec: 1_500_000_000, tv_nsec: 0), timespec(tv_sec: 1_600_000_000, tv_nsec: 5)]
        for path in [script, inner.path] { #expect(utimensat(AT_FDCWD, path, times, 0) == 0) }
        #expect(chmod(inner.path, 0o555) == 0)

        let copy = scratch.url.appendingPathComponent("copy")
        try await TransferableFile(folder).copy(to: copy)
        var status = stat()
        #expect(lstat(copy.appendingPathComponent("script").path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o755)
        #expect(status.st_mtim.tv_sec == 1_600_000_000 && status.st_mtim.tv_nsec == 5)
        #expect(lstat(copy.appendingPathComponent("inner").path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o755 && status.st_mtim.tv_sec == 1_600_000_000)
        let manager = FileManager.default
        #expect(try manager.destinationOfSymbolicLink(atPath: copy.path + "/link") == "plain")
        #expect(try manager.destinationOfSymbolicLink(atPath: copy.path + "/dangling") == "/nowhere")
        #expect(try Data(contentsOf: copy.appendingPathComponent("inner/x")) == Data("x".utf8))
        #expect(chmod(inner.path, 0o755) == 0)
    }

    @Test("A link that was named itself is followed")
    func namedLink() async throws {
        let scratch = try ScratchFolder()
        _ = try scratch.file("real.bin", [1, 2])
        let link = scratch.url.appendingPathComponent("link.bin")
        #expect(symlink("real.bin", link.path) == 0)
        let target = try scratch.folder("target", with: [])
        let copy = try await Archive(file: link).export(to: target, contentType: .data)
        #expect(try Data(contentsOf: copy) == Data([1, 2]) && copy.lastPathComponent == "link.bin")
    }

    @Test("Across file systems a file is copied as well")
    func acrossFileSystems() async throws {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let scratch = try ScratchFolder()
        guard let device = try? TransferableFile(memory).device, access(memory.path, W_OK) == 0,
            try device != TransferableFile(scratch.url).device
        else {
            print("skipped: there is no second file system at /dev/shm")
            return
        }
        let file = try large("a.bin", in: scratch.url)
        let copy = memory.appendingPathComponent("portolan-\(UUID().uuidString)")
        defer { unlink(copy.path) }
        let copied = try await bytesCopied { try await TransferableFile(file).copy(to: copy) }
        #expect(copied == size)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
        // A temporary folder is made on the source's file system, if one of the places is on it.
        #expect(TemporaryFolder.place(for: file, among: [memory, scratch.url]).path == scratch.url.path)
        #expect(TemporaryFolder.place(for: copy, among: [scratch.url, memory]).path == memory.path)
        #expect(TemporaryFolder.place(for: nil, among: [memory, scratch.url]).path == memory.path)
        #expect(TemporaryFolder.place(for: file, among: [memory]).path == memory.path)
    }

    @Test("A copy replaces nothing, does not go into itself, and leaves nothing when it fails")
    func failures() async throws {
        let scratch = try ScratchFolder()
        let folder = try scratch.folder("folder", with: ["a"])
        let file = try scratch.file("file", [1])
        for (source, target) in [(folder, file), (file, folder), (folder, folder.appendingPathComponent("a"))] {
            await #expect(throws: TransferError.self) { try await TransferableFile(source).copy(to: target) }
        }
        let inside = folder.appendingPathComponent("copy")
        await #expect(throws: TransferError.self) { try await TransferableFile(folder).copy(to: inside) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
        #expect(try Data(contentsOf: file) == Data([1]))

        #expect(mkfifo(folder.appendingPathComponent("pipe").path, 0o600) == 0)
        let error = await #expect(throws: TransferError.self) {
            try await TransferableFile(folder).copy(to: scratch.url.appendingPathComponent("copy"))
        }
        #expect(error?.kind == .notAFile)
        #expect(try scratch.names == ["file", "folder"])
    }

    /// Only root may raise a priority: libdispatch logs for everybody else that it could not.
    @Test("Work on the disk asks for no higher priority")
    func priority() async throws {
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
        let found = try await DiskWork.run { _ in getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
        // libdispatch gives its usual threads 0 in any process.
        #expect(found == own || found == 0)
    }

    @Test("The progress of a load has steps while its file is copied, and ends at 1")
    func progressOfACopy() throws {
        let scratch = try ScratchFolder()
        let source = try scratch.file("a", [])
        #expect(truncate(source.path, 40 << 20) == 0)
        let progress = LoadProgress()
        let steps = Calls<Double>()
        try FileCopy(
            source: source.path, destination: scratch.url.path + "/b", tally: nil,
            onCopy: { done, total in
                progress.copied(done, of: total)
                steps.add(progress.fractionCompleted)
            }, stop: DiskWork.Stop()
        ).make()
        guard !steps.all.isEmpty else { return print("skipped: this file system copies by sharing blocks") }
        #expect(steps.all.count > 1 && steps.all == steps.all.sorted())
        #expect(steps.all.allSatisfy { $0 > 0 && $0 < 1 })
        let loading = LoadProgress()
        let loaded = try ContentConversion.file(inPlace: false, named: { _ in "c" }, showing: loading)
            .file(TransferableFile(source), false, DiskWork.Stop())
        #expect(loading.fractionCompleted > 0.9 && loading.fractionCompleted < 1)
        loaded.discard()
        #expect(loading.finish() && loading.fractionCompleted == 1)
    }

    @Test("A copy that is cancelled ends and leaves nothing")
    func cancelled() async throws {
        let scratch = try ScratchFolder()
        let stop = DiskWork.Stop()
        stop.set()
        let folder = try scratch.folder("folder", with: ["a"])
        for source in [folder, folder.appendingPathComponent("a")] {
            let copy = FileCopy(
                source: source.path, destination: scratch.url.path + "/copy", tally: nil, stop: stop)
            #expect(throws: CancellationError.self) { try copy.make() }
        }
        #expect(try scratch.names == ["folder"])
    }
}
