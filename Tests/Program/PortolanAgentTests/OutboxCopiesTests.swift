import CPortolanLinux
import Foundation
import Glibc
import Portolan
import PortolanClient
import PortolanFiles
import Testing

@testable import PortolanAgent

@Suite("Copies of queued items", .serialized)
struct OutboxCopiesTests {
    let folder = TemporaryFolder()

    private func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func copy(
        _ source: String, stop: StopRequest = StopRequest(), marksSpecialFiles: Bool = false,
        without own: OwnFiles = .none, named name: String = "copy"
    ) throws {
        try TreeCopy(into: folder.path, reserve: 0, stop: stop, marksSpecialFiles: marksSpecialFiles, without: own)
            .make(of: source, named: name)
    }

    /// Expects a refusal of a copy whose sentence has the path.
    private func expect(
        _ kind: FileError.Kind, of path: String, from location: SourceLocation = #_sourceLocation,
        _ copy: () throws -> Void
    ) {
        #expect(sourceLocation: location) {
            try copy()
        } throws: { error in
            (error as? FileError)?.kind == kind && "\(error)".contains("“\(path)”")
        }
    }

    // MARK: - Trees

    @Test("A folder is copied with its links, times, permissions, holes and the attributes of users.")
    func tree() throws {
        let source = folder.path + "/source"
        mkdir(source, 0o755)
        mkdir(source + "/inner", 0o700)
        let file = try write("content", to: "source/inner/file")
        symlink("inner/file", source + "/link")
        let holed = open(source + "/holed", O_WRONLY | O_CREAT, 0o640)
        #expect(ftruncate(holed, 8 << 20) == 0 && pwrite(holed, "x", 1, 4 << 20) == 1)
        #expect(portolan_set_attribute(holed, "user.portolan-test", "kept", 4) == 0)
        close(holed)
        let past = [timespec(tv_sec: 1_500_000_000, tv_nsec: 5), timespec(tv_sec: 1_500_000_001, tv_nsec: 7)]
        for path in [file, source + "/inner"] { #expect(utimensat(AT_FDCWD, path, past, 0) == 0) }

        try copy(source)

        let copy = folder.path + "/copy"
        #expect(try read(copy + "/inner/file") == "content")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy + "/link") == "inner/file")
        var status = stat()
        for path in ["/inner/file", "/inner"] {
            #expect(stat(copy + path, &status) == 0 && status.st_mtim.tv_sec == 1_500_000_001)
            #expect(status.st_mtim.tv_nsec == 7)
        }
        #expect(stat(copy + "/holed", &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(status.st_size == 8 << 20 && status.st_blocks < 1 << 10)
        let held = open(copy + "/holed", O_RDONLY)
        defer { close(held) }
        var value = [UInt8](repeating: 0, count: 16)
        #expect(portolan_get_attribute(held, "user.portolan-test", &value, 16) == 4)
        #expect(pread(held, &value, 1, 4 << 20) == 1 && value[0] == UInt8(ascii: "x"))
    }

    @Test("Content that cannot be kept is an error that names it: a pipe, and a file that is not there.")
    func refusals() throws {
        let source = folder.path + "/source"
        mkdir(source, 0o755)
        mkfifo(source + "/pipe", 0o600)
        expect(.notFileOrFolder, of: source + "/pipe") { try copy(source) }
        expect(.notFound, of: folder.path + "/missing") { try copy(folder.path + "/missing") }
        let stop = StopRequest()
        stop.request()
        #expect(throws: FileError.stopped) { try copy(source, stop: stop, named: "other") }
    }

    @Test(
        "A pipe and a socket in a folder are marked by pipes where that is asked for; one that is all there is, is refused."
    )
    func marks() throws {
        let source = folder.path + "/source"
        mkdir(source, 0o755)
        _ = try write("whole", to: "source/file")
        for (name, kind) in [("pipe", S_IFIFO), ("socket", S_IFSOCK)] {
            #expect(mknod("\(source)/\(name)", kind | 0o644, 0) == 0)
        }
        try copy(source, marksSpecialFiles: true)
        let copy = folder.path + "/copy"
        #expect(try read(copy + "/file") == "whole")
        var status = stat()
        for name in ["pipe", "socket"] {
            #expect(lstat("\(copy)/\(name)", &status) == 0 && status.st_mode == S_IFIFO | 0o600)
        }
        removeTree(copy)
        expect(.notFileOrFolder, of: source + "/pipe") { try self.copy(source + "/pipe", marksSpecialFiles: true) }
    }

    @Test("The program's own files are not copied: a link has their place in a folder, and alone they are an error.")
    func own() throws {
        let source = folder.path + "/source"
        let control = source + "/.portolan-sync"
        for path in [source, source + "/home", source + "/home/sub", control] { mkdir(path, 0o755) }
        let key = try write("secret", to: "source/home/device.key")
        _ = try write("content", to: "source/file")
        link(key, source + "/key")
        let copy = folder.path + "/copy"
        let own = OwnFiles([source + "/home"], lent: [])
        try self.copy(source, without: own)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: copy).sorted() == [
                ".portolan-sync", "file", "home", "key",
            ])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy + "/.portolan-sync") == control)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy + "/home") == source + "/home")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy + "/key") == source + "/key")
        #expect(try read(copy + "/file") == "content")
        removeTree(copy)
        for path in [key, source + "/key", source + "/home/sub", control] {
            expect(.keptFromOthers, of: path) { try self.copy(path, without: own) }
        }
    }

    @Test("Names that are not UTF-8 are kept, and folders are entered as deep as by a sending.")
    func namesAndDepth() throws {
        let source = folder.path + "/source"
        mkdir(source, 0o755)
        let name = source.utf8CString.dropLast() + [CChar(UInt8(ascii: "/")), -1, -2, 0]
        close(open(Array(name), O_WRONLY | O_CREAT, 0o600))
        var path = source
        for _ in 0...TreeEntry.maximumFolders {
            path += "/d"
            mkdir(path, 0o755)
        }
        try copy(source)
        let copied = (folder.path + "/copy").utf8CString.dropLast() + [CChar(UInt8(ascii: "/")), -1, -2, 0]
        #expect(access(Array(copied), F_OK) == 0)
        let deepest = folder.path + "/copy" + String(repeating: "/d", count: TreeEntry.maximumFolders)
        #expect(access(deepest, F_OK) == 0 && access(deepest + "/d", F_OK) != 0)
    }

    // MARK: - Parcels

    private func queue(_ path: String, at tested: AgentUnderTest) async throws -> AgentAPI.Parcel {
        try await AgentOperations(agent: tested.agent).queue(
            AgentAPI.NewParcel(target: "nobody", paths: [path], copy: true))
    }

    private func names(of tested: AgentUnderTest) -> [String] {
        let path = tested.agent.stateFolder + "/copies"
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    @Test(
        "A parcel delivers its copy when the file is gone; the copy goes when the parcel is over, and with it a retry."
    )
    func parcel() async throws {
        let tested = try await AgentUnderTest()
        let service = AgentOperations(agent: tested.agent)
        let path = try write("as it was", to: "report.txt")
        let parcel = try await queue(path, at: tested)
        #expect(parcel.titles == ["report.txt"])
        #expect(names(of: tested) == [parcel.id.description])
        try FileManager.default.removeItem(atPath: path)

        let document = try await tested.agent.database.read { try $0.outbox.document(of: parcel.id.state) }
        let kept = try Parcel(document: document)
        _ = try await tested.agent.node.open(kept)
        guard case .path(let copy) = kept.items[0].forms[0].content else { return #expect(Bool(false)) }
        #expect(try copy != path && read(copy) == "as it was")

        _ = try await service.cancel(parcel.id)
        while !names(of: tested).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        await #expect {
            try await service.retry(parcel.id)
        } throws: { error in
            (AgentAPI.Problem.of(error) as? AgentAPI.Problem)?.status == 409 && "\(error)".contains("Send it anew")
        }
        try await tested.stop()
    }

    @Test(
        "A copy is removed if its parcel does not get into the outbox, or if no parcel has it at the start."
    )
    func orphans() async throws {
        let tested = try await AgentUnderTest()
        let path = try write("x", to: "report.txt")
        await #expect {
            try await queue(folder.path + "/missing", at: tested)
        } throws: {
            AgentAPI.Problem.of($0) is AgentAPI.Problem
        }
        let node = tested.agent.node
        let parcel = try await node.parcel([.file(at: path)], to: "nobody")
        await #expect(throws: CancellationError.self) {
            try await tested.agent.copies.copy(parcel) { _ in throw CancellationError() }
        }
        #expect(names(of: tested).isEmpty)
        // An existing parcel stays as it is.
        let queued = try await queue(path, at: tested)
        let document = try await tested.agent.database.read { try $0.outbox.document(of: queued.id.state) }
        let again = try Parcel(document: document)
        await #expect(throws: StateRefusal.parcelExists(queued.id.state)) {
            try await tested.agent.copies.copy(again) { $0 }
        }
        #expect(names(of: tested) == [queued.id.description])

        let copies = tested.agent.stateFolder + "/copies/"
        for name in [id(9).description, ".\(id(8))", "leftover"] { mkdir(copies + name, 0o700) }
        await tested.agent.copies.removeOrphans()
        #expect(names(of: tested) == [queued.id.description])
        try await tested.stop()
    }

    @Test("Copies stay with a parcel that failed, and go with one that was delivered.", arguments: [true, false])
    func ends(fails: Bool) async throws {
        let tested = try await AgentUnderTest()
        let parcel = try await queue(try write("x", to: "report.txt"), at: tested)
        try await tested.agent.database.write { change in
            try change.outbox.beginAttempt(parcel.id.state)
            try change.outbox.endAttempt(
                parcel.id.state, fails ? .failed(reason: "No.") : .delivered)
        }
        if fails {
            await tested.agent.copies.removeOrphans()
            #expect(names(of: tested) == [parcel.id.description])
        } else {
            while !names(of: tested).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }
        try await tested.stop()
    }
}
