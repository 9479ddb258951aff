import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite struct InboxTests {
    let temporary = TemporaryFolder()

    @Test func aMissingFolderIsMadeForItsOwnerAlone() throws {
        let inbox = try Inbox(path: temporary("a/b/c"), createIfMissing: true)
        #expect(status(of: temporary("a"))?.mode == 0o700)
        #expect(status(of: inbox.path)?.mode == 0o700)
        #expect(try #require(try inbox.freeSpace()) > 0)
        #expect(throws: Never.self) { try Inbox(path: temporary("a/b/c/"), createIfMissing: true) }
    }

    @Test func inboxThatIsNoFolderIsRefused() {
        temporary.file("file")
        temporary.link("nowhere", to: "nothing")
        #expect(kind { _ = try Inbox(path: temporary("missing"), createIfMissing: false) } == .destinationGone)
        #expect(kind { _ = try Inbox(path: temporary("file"), createIfMissing: false) } == .notFolder)
        #expect(kind { _ = try Inbox(path: temporary("file"), createIfMissing: true) } == .notFolder)
        #expect(kind { _ = try Inbox(path: temporary("file/inner"), createIfMissing: true) } == .notFolder)
        #expect(kind { _ = try Inbox(path: temporary("nowhere"), createIfMissing: true) } == .destinationGone)
        #expect(kind { _ = try Inbox(path: "", createIfMissing: true) } == .destinationGone)
    }

    @Test func aFolderThatCannotBeMadeIsSaidToBeSoAndWhy() {
        temporary.file("file")
        temporary.link("nowhere", to: "nothing")
        let long = String(repeating: "x", count: 300)
        let (file, link) = (temporary("file/inner"), temporary("nowhere/inner"))
        let cases = [
            ("/proc/portolan", "/proc/portolan", "this file system lets nobody make folders there"),
            ("/proc/portolan/inner", "/proc/portolan", "this file system lets nobody make folders there"),
            (file, file, "a part of the path is no folder"), (link, link, "a link above it leads nowhere"),
            (temporary(long), temporary(long), "this file system does not take that name"),
        ]
        for (path, shown, reason) in cases {
            let error = #expect(throws: FileError.self) { _ = try Inbox(path: path, createIfMissing: true) }
            #expect(
                error?.description == "The folder “\(DisplayText(shown))” cannot be made: \(reason). "
                    + "Choose another one to receive into.")
        }
    }

    @Test func aLinkThatThePersonNamedIsFollowed() throws {
        temporary.folder("real")
        temporary.link("link", to: "real")
        let partial = try Inbox(path: temporary("link"), createIfMissing: true).newPartial()
        try partial.file(0, "a", "text")
        _ = try partial.publish(as: name("a"))
        #expect(names(in: temporary("real")) == ["a"])
    }

    @Test func relativePathIsResolvedOnce() throws {
        let current = try #require(getcwd(nil, 0))
        defer { free(current) }
        let depth = String(cString: current).split(separator: "/").count
        let relative = String(repeating: "../", count: depth) + temporary.path.dropFirst()
        let inbox = try Inbox(path: relative, createIfMissing: false)
        #expect(inbox.path == String(cString: current) + "/" + relative)
        let partial = try inbox.newPartial()
        try partial.file(0, "a", "text")
        _ = try partial.publish(as: name("a"))
        #expect(names(in: temporary.path) == ["a"])
    }

    @Test func removedDestinationFailsOnlyTheItem() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.folder(0)
        Removal.empty(Descriptor(owning: open(inbox.path, O_RDONLY)), features: .detected)
        #expect(rmdir(inbox.path) == 0)
        #expect(kind { try partial.file(1, in: 0, "a", "text") } == .destinationGone)
        #expect(kind { _ = try inbox.newPartial() } == .destinationGone)
        partial.discard()
        // Made again, it is found again.
        temporary.folder("inbox")
        let next = try inbox.newPartial()
        try next.file(0, "a", "text")
        _ = try next.publish(as: name("a"))
        #expect(names(in: inbox.path) == ["a"])
    }

    @Test func aDestinationRemovedBeforePublishingIsNoticed() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.file(0, "a", "text")
        Removal.empty(Descriptor(owning: open(inbox.path, O_RDONLY)), features: .detected)
        #expect(rmdir(inbox.path) == 0)
        #expect(kind { _ = try partial.publish(as: name("a")) } == .destinationGone)
    }

    @Test func aFileTooLargeForTheDiskIsRefusedBeforeItsFirstByte() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        let free = try #require(try inbox.freeSpace())
        #expect(kind { try partial.add(root: .file(size: free + 1 << 40)) } == .noSpace)
        partial.discard()
        #expect(names(in: inbox.path).isEmpty)
    }
}

@Suite(.aside) struct AbandonedPartialTests {
    let temporary = TemporaryFolder()

    @Test func partialInUseIsNotRemoved() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.file(0, "a", "text")
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(-1)) == 0)
        _ = try partial.publish(as: name("a"))
        #expect(names(in: inbox.path) == ["a"])
    }

    @Test(arguments: PublishingTests.kernels) func onlyLeftoversAreRemoved(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        temporary.folder("outside")
        temporary.file("outside/precious", "text")
        let leftover = FileName.partialPrefix + "left"
        temporary.folder("inbox/" + leftover)
        temporary.folder("inbox/\(leftover)/item")
        temporary.folder("inbox/\(leftover)/item/deep")
        temporary.file("inbox/\(leftover)/item/deep/file", "text")
        temporary.link("inbox/\(leftover)/item/link", to: "../../../outside")
        temporary.link("inbox/\(FileName.partialPrefix)link", to: "../outside")
        temporary.file("inbox/\(FileName.partialPrefix)file", "text")
        temporary.folder("inbox/other")
        temporary.folder("inbox/.portolan")
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(3600)) == 0)
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .zero) == 1)
        #expect(
            names(in: inbox.path) == [
                ".portolan", FileName.partialPrefix + "file", FileName.partialPrefix + "link", "other",
            ])
        #expect(names(in: temporary("outside")) == ["precious"])
    }

    @Test func partialsOfOtherUsersAreNotRemoved() throws {
        guard geteuid() == 0 else {
            print("skipped: only root can make another user's folder")
            return
        }
        let inbox = try temporary.inbox()
        let foreign = temporary.folder("inbox/" + FileName.partialPrefix + "foreign")
        #expect(chown(foreign, 65534, 65534) == 0)
        #expect(try inbox.removeExpiredPartials(leftoversOlderThan: .zero) == 0)
    }

    @Test func makingAndCleaningAtOnceNeverCollide() async throws {
        let shared = TemporaryFolder.inMemory()
        let inbox = try shared.inbox()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<300 {
                    let partial = try inbox.newPartial()
                    try partial.file(0, "a", "text")
                    _ = try partial.publish(as: name("\(number)"))
                }
            }
            group.addTask {
                for _ in 0..<300 { try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(-1)) }
            }
            try await group.waitForAll()
        }
        try inbox.removeExpiredPartials(leftoversOlderThan: .seconds(-1))
        #expect(names(in: inbox.path).count == 300)
        #expect(names(in: inbox.path).allSatisfy { content(of: "\(inbox.path)/\($0)") == Array("text".utf8) })
    }
}
