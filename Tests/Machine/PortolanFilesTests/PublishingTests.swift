import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite(.aside) struct PublishingTests {
    let temporary = TemporaryFolder.inMemory()

    /// Every test runs with the kernel's features, as if it offered neither openat2 nor a rename that never replaces,
    /// and as on a file system that has no hard links either.
    static let kernels = [
        KernelFeatures.detected,
        KernelFeatures(openBeneath: false, renameWithoutReplacing: false, hardLinks: true),
        KernelFeatures(openBeneath: false, renameWithoutReplacing: false, hardLinks: false),
    ]

    private func publishFile(_ text: String, as name: String, in inbox: Inbox) throws -> String {
        let partial = try inbox.newPartial()
        try partial.file(0, "x", text)
        return try partial.publish(as: FileName(name)).name.text
    }

    @Test(arguments: kernels) func anExistingFileIsNeverReplaced(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        temporary.file("inbox/a.txt", "mine")
        #expect(try publishFile("theirs", as: "a.txt", in: inbox) == "a (2).txt")
        #expect(content(of: temporary("inbox/a.txt")) == Array("mine".utf8))
        #expect(content(of: temporary("inbox/a (2).txt")) == Array("theirs".utf8))
        #expect(names(in: inbox.path).count == 2)
    }

    @Test(arguments: kernels) func existingEntryKeepsItsName(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        temporary.file("outside", "untouched")
        temporary.link("inbox/nowhere", to: "/nonexistent/at all")
        temporary.link("inbox/out", to: "../outside")
        temporary.folder("inbox/empty folder")
        #expect(mkfifo(temporary("inbox/pipe"), 0o600) == 0)
        let before = snapshot(of: inbox.path)
        for name in ["nowhere", "out", "empty folder", "pipe"] {
            #expect(try publishFile("new", as: name, in: inbox) == "\(name) (2)")
        }
        #expect(Set(snapshot(of: inbox.path)).isSuperset(of: before))
        #expect(content(of: temporary("outside")) == Array("untouched".utf8))
        #expect(status(of: "/nonexistent") == nil)
    }

    @Test(arguments: kernels) func foldersAreNeverMerged(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        temporary.folder("inbox/tree")
        temporary.link("inbox/link", to: "tree")
        temporary.file("inbox/file", "text")
        for name in ["tree", "link", "file"] {
            let partial = try inbox.newPartial()
            try partial.folder(0)
            try partial.file(1, in: 0, "child", "text")
            #expect(try partial.publish(as: FileName(name)).name.text == "\(name) (2)")
            #expect(names(in: temporary("inbox/\(name) (2)")) == ["child"])
        }
        #expect(names(in: temporary("inbox/tree")).isEmpty)
    }

    @Test(arguments: kernels) func thousandItemsOfOneNameGetDifferentNames(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        for number in 1...1000 {
            let expected = number == 1 ? "a.tar.gz" : "a (\(number)).tar.gz"
            #expect(try publishFile("\(number)", as: "a.tar.gz", in: inbox) == expected)
        }
        #expect(names(in: inbox.path).count == 1000)
        #expect(content(of: temporary("inbox/a (617).tar.gz")) == Array("617".utf8))
    }

    @Test func concurrentReceiversOfOneNameLoseNothing() async throws {
        let inbox = try temporary.inbox()
        let stored = try await withThrowingTaskGroup(of: [String].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    try (0..<50).map { try publishFile("\(worker) \($0)", as: "same.bin", in: inbox) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(stored).count == 200)
        let contents = Set(names(in: inbox.path).compactMap { content(of: "\(inbox.path)/\($0)") })
        #expect(contents.count == 200)
    }

    @Test func hiddenNameIsStoredVisibly() throws {
        let inbox = try temporary.inbox()
        #expect(try publishFile("alias ls=rm", as: ".bashrc", in: inbox) == "_.bashrc")
        #expect(names(in: inbox.path) == ["_.bashrc"])
    }

    @Test(arguments: [("-rf", "_-rf"), (" ", "unnamed"), ("trailing. ", "trailing__"), ("\u{200B}", "unnamed")])
    func nameWithASpecialMeaningIsChanged(_ proposed: String, _ stored: String) throws {
        let inbox = try temporary.inbox()
        #expect(try publishFile("x", as: proposed, in: inbox) == stored)
        #expect(names(in: inbox.path) == [stored])
        // Inside an item the name is kept unchanged.
        let partial = try inbox.newPartial()
        try partial.folder(0)
        try partial.file(1, in: 0, proposed, "x")
        _ = try partial.publish(as: name("tree"))
        #expect(names(in: inbox.path + "/tree") == [proposed])
    }

    @Test func oddNamesAreStoredUnchanged() throws {
        let inbox = try temporary.inbox()
        for name in ["CON", "a:b", "*", "~", "名前", "\\..\\up", "a -rf"] {
            #expect(try publishFile("x", as: name, in: inbox) == name)
        }
        #expect(names(in: temporary.path) == ["inbox"])
    }

    @Test func itemWithManyFilesIsSyncedAsAWhole() throws {
        // On a disk, where syncing means something.
        let onDisk = TemporaryFolder()
        let inbox = try onDisk.inbox()
        for count in [1, UInt32(UnsyncedFiles.limit) * 2] {
            let partial = try inbox.newPartial()
            try partial.folder(0)
            for index in 1...count { try partial.file(index, in: 0, "\(index)", "content \(index)") }
            #expect(try partial.publish(as: name("tree\(count)")).entries == UInt64(count) + 1)
            #expect(names(in: onDisk("inbox/tree\(count)")).count == Int(count))
            #expect(status(of: onDisk("inbox/tree\(count)"))?.modified == someTime)
        }
    }

    @Test func itemIsPublishedIntoTheFolderInWhichItBegan() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.file(0, "a", "text")
        #expect(rename(inbox.path, temporary("moved")) == 0)
        _ = try partial.publish(as: name("a"))
        #expect(names(in: temporary("moved")) == ["a"])
        #expect(names(in: temporary.path) == ["moved"])
    }
}
