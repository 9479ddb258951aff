import AppleConveniences
import Foundation
import Glibc
import Testing
import UniformTypeIdentifiers

@Suite("Additions to Foundation's types")
struct FoundationAdditionsTests {
    @Test("Progress() is a progress of its own with nothing to do")
    func progress() {
        let parent = Progress(totalUnitCount: 2)
        parent.becomeCurrent(withPendingUnitCount: 1)
        let progress = Progress()
        parent.resignCurrent()
        #expect(progress.totalUnitCount == 0 && progress.isIndeterminate && !progress.isFinished)
        progress.totalUnitCount = 4
        progress.completedUnitCount = 4
        #expect(progress.isFinished && progress.fractionCompleted == 1)
        progress.cancel()
        #expect(progress.isCancelled && !parent.isCancelled)
    }

    @Test("ProcessInfo() tells of this process")
    func processInfo() {
        let info = ProcessInfo()
        #expect(info.processIdentifier == getpid())
        #expect(info.environment == ProcessInfo.processInfo.environment)
        #expect(ProcessInfo().processorCount > 0)
    }

    @Test("Security-scoped access is granted and changes nothing")
    func securityScope() throws {
        let url = URL(fileURLWithPath: "/etc/hostname")
        try #require(url.startAccessingSecurityScopedResource())
        url.stopAccessingSecurityScopedResource()
        #expect(url == URL(fileURLWithPath: "/etc/hostname"))
    }

    @Test("contentTypeKey gives a file's type by its extension, and a folder's, package's and link's")
    func contentTypes() throws {
        let scratch = try ScratchFolder()
        let picture = try scratch.file("a.PNG", "not looked at")
        let link = scratch.url.appendingPathComponent("link.png")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: picture)
        let pipe = scratch.url.appendingPathComponent("pipe.png")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let expected: [(URL, UTType)] = [
            (picture, .png), (try scratch.file("plain", ""), .data), (try scratch.file("a.gz", ""), .gzip),
            (try scratch.folder("folder"), .folder), (try scratch.folder("folder.png"), .folder),
            (try scratch.folder("Some.app"), .applicationBundle), (link, .symbolicLink),
        ]
        for (url, type) in expected {
            let values = try url.resourceValues(forKeys: [.contentTypeKey, .isDirectoryKey])
            #expect(values.contentType == type, "\(url.lastPathComponent)")
            #expect(values.isDirectory == url.hasDirectoryPath)
        }
        let special = try #require(pipe.resourceValues(forKeys: [.contentTypeKey]).contentType)
        #expect(!special.conforms(to: .data))
        let unknown = try scratch.file("a.no-such-extension", "").resourceValues(forKeys: [.contentTypeKey])
        #expect(unknown.contentType?.isDynamic == true && unknown.contentType?.conforms(to: .data) == true)
    }

    @Test("Missing files, other URLs and keys that were not requested have no value")
    func noContentType() throws {
        let absent = URL(fileURLWithPath: "/no/such/file.png")
        #expect(try absent.resourceValues(forKeys: [.contentTypeKey]).contentType == nil)
        #expect(try URL(fileURLWithPath: "/").resourceValues(forKeys: [.isDirectoryKey]).contentType == nil)
        let web = try #require(URL(string: "https://a.example/a.png"))
        #expect(try web.resourceValues(forKeys: [.contentTypeKey]).contentType == nil)
    }
}
