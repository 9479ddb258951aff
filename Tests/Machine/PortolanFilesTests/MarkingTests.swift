import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Files and folders that are marked for others while they are sent.
@Suite(.enabled(if: ExtendedAttributes.areKept, "the file system of /tmp keeps no extended attributes"))
struct MarkingTests {
    let temporary = TemporaryFolder()

    /// A source whose marks are read again at each step.
    private func tree(_ path: String) throws -> SourceTree {
        try SourceTree(
            path: temporary(path), filter: { $0 == .everyone || $0 == .team(.other) },
            storage: KernelStorage(), markLifetime: .zero)
    }

    @Test func readingStopsWhenTheFileIsRestricted() throws {
        let path = temporary.file("file")
        let tree = try tree("file")
        let file = try #require(try tree.next()).open()
        try file.confirmShown()
        try keep(.team(.acme), on: path)
        let error = #expect(throws: FileError.self) { try file.confirmShown() }
        #expect(error?.kind == .keptFromOthers)
    }

    @Test("the mark of a folder counts for the files in it", arguments: ["tree", "tree/sub", "tree/sub/file"])
    func theMarkOfAFolderCounts(marked: String) throws {
        for name in ["tree", "tree/sub"] { temporary.folder(name) }
        temporary.file("tree/sub/file")
        let tree = try tree("tree")
        var last: SourceEntry?
        while let entry = try tree.next() { last = entry }
        let file = try #require(last).open()
        try file.confirmShown()
        try keep(.team(.acme), on: temporary(marked))
        let error = #expect(throws: FileError.self) { try file.confirmShown() }
        #expect(error?.kind == .keptFromOthers)
    }

    @Test func restOfARestrictedFolderIsWithheld() throws {
        for name in ["tree", "tree/sub"] { temporary.folder(name) }
        for name in ["1", "2", "3"] { temporary.file("tree/sub/\(name)") }
        temporary.file("tree/sub-later")
        let tree = try tree("tree")
        for path in ["", "sub", "sub/1"] { #expect(try tree.next()?.place.path == path) }
        try keep(.team(.acme), on: temporary("tree/sub"))
        #expect(try tree.next()?.place.path == "sub-later")
        #expect(try tree.next()?.place.path == nil)
        #expect(tree.withheld.count == 2)
    }

    @Test func widerMarkRevealsNothingMore() throws {
        let path = temporary.file("file")
        let tree = try tree("file")
        let file = try #require(try tree.next()).open()
        try keep(.team(.acme), on: path)
        #expect(throws: FileError.self) { try file.confirmShown() }
        try keep(.team(.other), on: path)
        #expect(throws: FileError.self) { try file.confirmShown() }
    }

    /// The real disk, on which a path gets another file just before it is opened.
    private final class SwappingStorage: PassThroughStorage {
        private let swap: @Sendable () -> Void

        init(_ swap: @escaping @Sendable () -> Void) { self.swap = swap }

        func open(path: String) throws(SystemFailure) -> Descriptor {
            swap()
            return try disk.open(path: path)
        }
    }

    @Test("the mark of the file that is opened counts, not that of an earlier one at the path")
    func swappedBeforeOpening() throws {
        let (path, marked) = (temporary.file("file"), temporary.file("marked"))
        try keep(.team(.acme), on: marked)
        let storage = SwappingStorage { _ = rename(marked, path) }
        #expect(kind { _ = try SourceTree(path: path, storage: storage) } == .keptFromOthers)
        #expect(try StoredVisibility.read(path) == .team(.acme))
    }
}
