import Glibc
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Removal of entries of any owner and kind.
@Suite struct RemovalTests {
    let temporary = TemporaryFolder()

    @Test func foldersDeeperThanMayBeOpenAtOnceAreRemoved() throws {
        var folder = Descriptor(owning: open(temporary.folder("deep"), O_RDONLY))
        for _ in 0..<1000 {
            try #require(mkdirat(folder.number, "inner", 0o700) == 0)
            folder = Descriptor(owning: openat(folder.number, "inner", O_RDONLY))
        }
        Removal.empty(Descriptor(owning: open(temporary.path, O_RDONLY)))
        #expect(names(in: temporary.path).isEmpty)
    }

    @Test func unwritableFoldersAreRemoved() throws {
        for name in ["closed", "closed/inner"] { temporary.folder(name) }
        temporary.file("closed/inner/file")
        for name in ["closed/inner", "closed"] { #expect(chmod(temporary(name), 0) == 0) }
        // Root may list them all the same, so the effect shows only if tests run as another user.
        if geteuid() == 0 { print("closed folders: root is kept out of none") }
        Removal.empty(Descriptor(owning: open(temporary.path, O_RDONLY)))
        #expect(names(in: temporary.path).isEmpty)
    }

    @Test func linkTargetsAreNotChangedByRemoval() {
        let outside = TemporaryFolder()
        outside.folder("kept", mode: 0o500)
        temporary.link("link", to: outside("kept"))
        Removal.empty(Descriptor(owning: open(temporary.path, O_RDONLY)))
        #expect(names(in: temporary.path).isEmpty)
        #expect(status(of: outside("kept"))?.mode == 0o500)
    }
}
