import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Marked files that programs save as new files.
@Suite(.attributes(in: SyncFolders.parent))
struct PlaceMarkTests {
    enum Saving: CaseIterable {
        case renamed, backedUp, madeAnew

        func save(_ text: String, in folders: SyncFolders) throws {
            switch self {
            case .renamed:
                try folders.write(0, "a.new", text)
                folders.move(0, "a.new", to: "a")
            case .backedUp:
                folders.move(0, "a", to: "a~")
                try folders.write(0, "a", text)
            case .madeAnew:
                // Its inode is not free for the new file.
                folders.move(0, "a", to: "../old")
                try folders.write(0, "a", text)
            }
        }
    }

    private let team: Restriction

    init() throws {
        let id = try #require(TeamID(bytes: Array(repeating: 7, count: TeamID.length)))
        team = Restriction(.team, for: try Audience(team: id))
    }

    private func mark(_ folders: SyncFolders) throws {
        try StoredVisibility.keep(team, on: KernelStorage().open(path: folders(0, "a")))
    }

    private func restriction(_ folders: SyncFolders, _ number: Int) throws -> Restriction {
        try StoredVisibility.read(KernelStorage().open(path: folders(number, "a")))
    }

    private func waits(_ reports: [SyncReport]) -> Bool {
        let one = SkippedFile(path: DisplayText("a"), reason: .marked(team), place: [SyncName("a")])
        return reports.contains { $0.skipped.contains(one) }
    }

    @Test(
        "a file that is saved as a new one keeps the mark of the one that waited at its path, also while nothing ran",
        arguments: Saving.allCases, [false, true])
    func saved(_ saving: Saving, isStopped: Bool) async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try mark(folders)
        try await folders.settle()
        if isStopped {
            try await folders.restart(0) { try saving.save("2", in: folders) }
        } else {
            try saving.save("2", in: folders)
        }
        for _ in 0..<2 { #expect(try await waits(folders.settle())) }
        #expect(try folders.listing(1).isEmpty)
        #expect(try restriction(folders, 0) == team)
        for replica in folders.replicas { replica.setAudience { [team] in $0 == team } }
        try await folders.settle()
        #expect(try folders.common() == (saving == .backedUp ? ["a=2", "a~=1"] : ["a=2"]))
        #expect(try restriction(folders, 1) == team)
        try await folders.checkAll()
    }

    @Test("another file with the inode of the marked one is told by the time when it was made")
    func reusedInode() {
        let handle = FileHandleID(1, generation: 0)
        let last = PlaceMark(handle: handle, birth: 5, mark: team)
        #expect(last.isOf(handle, birth: 5) && last.isOf(handle, birth: nil) && !last.isOf(handle, birth: 6))
        #expect(!last.isOf(FileHandleID(1, generation: 1), birth: 5))
    }

    @Test("a mark that a person sets on a synchronized file stays when the file is saved as a new one, until taken off")
    func known() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.settle()
        try mark(folders)
        #expect(try await waits(folders.settle()))
        try Saving.renamed.save("2", in: folders)
        #expect(try await waits(folders.settle()))
        #expect(try folders.listing(1) == ["a=1"])
        let disk = KernelStorage()
        try disk.setAttribute(StoredVisibility.attribute, Array("all".utf8), of: disk.open(path: folders(0, "a")))
        try await folders.settle()
        #expect(try folders.common() == ["a=2"])
        for number in 0...1 { #expect(try restriction(folders, number) == .everyone) }
    }

    @Test(
        "a file that is made a moment after the marked one was taken away has its mark, and a later one has none",
        arguments: [false, true])
    func away(isTold: Bool) async throws {
        let folders = try await SyncFolders(2)
        let team = team
        for replica in folders.replicas { replica.setAudience { isTold && $0 == team } }
        try folders.write(0, "a", "1")
        try mark(folders)
        try await folders.settle()
        folders.move(0, "a", to: "../old")
        try await folders.settle()
        try folders.write(0, "a", "2")
        try await folders.settle()
        #expect(try folders.listing(1) == (isTold ? ["a=2"] : []))
        #expect(try restriction(folders, 0) == team)
        folders.move(0, "a", to: "../older")
        try await folders.settle()
        folders.pass(60)
        try folders.write(0, "a", "3")
        try await folders.settle()
        #expect(try folders.common() == ["a=3"])
        for number in 0...1 { #expect(try restriction(folders, number) == .everyone) }
    }
}
