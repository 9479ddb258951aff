import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Folders with more names than are read at a time.
@Suite(.aside) struct LargeFolderTests {
    let temporary = TemporaryFolder.inMemory()

    private func fill(_ path: String, _ numbers: Range<Int>) -> [String] {
        let folder = open(path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        return numbers.map { number in
            let name = "\(number &* 7919 % numbers.upperBound)-\(number)"
            close(openat(folder, name, O_CREAT | O_WRONLY, 0o600))
            return name
        }
    }

    @Test func aFolderOfOneChunkIsInByteOrder() throws {
        let made = fill(temporary.folder("tree"), 0..<FolderNames.usualChunk)
        let tree = try SourceTree(path: temporary("tree"), options: SourceOptions(looking: true))
        let names = try WalkMethod.all(tree).entries.dropFirst().map(\.entry.name.text)
        #expect(names == made.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func chunksAreBoundedSortedAndComplete() throws {
        let made = fill(temporary.folder("tree"), 0..<5000)
        var names = try FolderNames(
            of: Descriptor(owning: open(temporary("tree"), O_RDONLY)), chunk: 1, through: DirectoryReader.Buffer())
        var found: [String] = []
        var chunks = 0
        while true {
            let chunk = names.listing.map { String(decoding: $0.name, as: UTF8.self) }
            // The bound is the number of records in one call of the system, at 24 bytes or more each.
            #expect(chunk.count <= (32 << 10) / 24)
            #expect(chunk == chunk.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            found += chunk
            chunks += 1
            if names.isAtEnd { break }
            try names.advance(chunk: 1, isRemembering: true, through: DirectoryReader.Buffer())
        }
        #expect(chunks > 4 && found.count == 5000 && Set(found) == Set(made))
    }

    @Test func noNameIsRepeatedWhileTheFolderChanges() throws {
        let path = temporary.folder("tree")
        let made = fill(path, 0..<5000)
        let folder = Descriptor(owning: open(path, O_RDONLY))
        var names = try FolderNames(of: folder, chunk: 1, through: DirectoryReader.Buffer())
        var found = names.listing.map { String(decoding: $0.name, as: UTF8.self) }
        // Files are replaced as programs do; the file system may list a replaced name again, here because the listing
        // begins anew.
        for name in found {
            unlink("\(path)/\(name)")
            close(open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o600))
        }
        #expect(lseek(folder.number, 0, SEEK_SET) == 0)
        while !names.isAtEnd {
            try names.advance(chunk: 1, isRemembering: true, through: DirectoryReader.Buffer())
            found += names.listing.map { String(decoding: $0.name, as: UTF8.self) }
        }
        #expect(found.count == 5000 && Set(found) == Set(made))
    }

    @Test func walkOfAGrowingFolderEnds() throws {
        let path = temporary.folder("tree")
        let made = fill(path, 0..<FolderNames.usualChunk + 2000)
        let tree = try SourceTree(path: path, options: SourceOptions(looking: true))
        var found: [String] = []
        var added = 0
        while let next = try tree.next() {
            found.append(next.entry.name.text)
            if found.count % 4 == 0, added < 3000 {
                close(open("\(path)/added \(added)", O_CREAT | O_WRONLY, 0o600))
                added += 1
            }
        }
        #expect(Set(found).count == found.count && Set(found).isSuperset(of: made))
        #expect(tree.report.isComplete)
    }

    @Test func folderRemovedDuringTheWalkIsReported() throws {
        temporary.folder("tree")
        let path = temporary.folder("tree/large")
        let made = fill(path, 0..<FolderNames.usualChunk + 4000)
        temporary.file("tree/next", "text")
        let tree = try SourceTree(path: temporary("tree"), options: SourceOptions(looking: true))
        #expect(try tree.next()?.entry.name.text == "tree")
        #expect(try tree.next()?.entry.name.text == "large")
        for name in made { unlink("\(path)/\(name)") }
        #expect(rmdir(path) == 0)
        #expect(try tree.next()?.entry.name.text == "next")
        #expect(try tree.next() == nil)
        // The first chunk of names was read before, but no restrictions of those files.
        #expect(tree.withheld.count >= FolderNames.usualChunk && tree.withheld.count < made.count)
        let paths = Set(tree.withheld.entries.map(\.path.text))
        #expect(paths.count == WithholdingReport.listedEntries && paths.isSubset(of: made.map { "large/" + $0 }))
        #expect(tree.withheld.entries.allSatisfy { $0.cause == .unknown(.vanished) })
        // The other names were not read, so the folder itself is reported.
        #expect(tree.report.omissions == [Loss(path: "large", reason: .vanished)])
    }

    @Test func namesAreRememberedAsLongAsThereIsRoom() {
        var seen = SeenNames()
        func insert(_ number: Int, isGrowing: Bool = true) -> Bool {
            Array("\(number)".utf8).withUnsafeBytes { seen.insert($0, isGrowing: isGrowing) }
        }
        // The set has a single table at first, then several.
        for total in [20_000, 200_000] {
            #expect((seen.count..<total).allSatisfy { insert($0) })
            #expect((0..<total).allSatisfy { !insert($0) })
            #expect(seen.count == total && seen.bytes <= total * 8 * 8 / 3)
            for _ in 0..<2 { #expect(insert(-1, isGrowing: false)) }
            #expect(!insert(7, isGrowing: false) && seen.count == total)
        }
    }
}
