import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Second transfer of a stored item.
@Suite(.aside) struct UpdatingTests {
    let temporary = TemporaryFolder.inMemory()

    func send(_ shipment: inout Shipment, to inbox: Inbox, called name: String = "tree") throws -> PublishedItem {
        let partial = try inbox.receive(shipment.about(name), called: FileName(name), asking: true)
        try shipment.send(to: partial)
        return try partial.publish(as: FileName(name))
    }

    /// Returns true if the inbox keeps attributes; without them no entry is recognised, and there is nothing to test.
    func keepsAttributes(_ inbox: Inbox) -> Bool {
        guard let folder = try? inbox.open(),
            (try? SourceMark.set(.test(9), on: folder, by: KernelStorage())) == true
        else {
            print("skipped: the file system of \(inbox.path) keeps no attributes")
            return false
        }
        return true
    }

    private let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))

    @Test func unchangedFilesAreNeitherSentNorTouched() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        #expect(try send(&shipment, to: inbox).updated == false)
        let before = snapshot(of: inbox.path)
        let changes = changeTimes(of: inbox.path)
        var again = Shipment.tree()
        let stored = try send(&again, to: inbox)
        #expect(stored.updated && stored.name.text == "tree" && again.sent == 0)
        #expect(stored.keptEntries == stored.entries && stored.entries == UInt64(again.entries.count))
        #expect(stored.keptBytes == UInt64(again.size) && stored.bytes == stored.keptBytes && stored.report.isComplete)
        #expect(snapshot(of: inbox.path) == before && changeTimes(of: inbox.path) == changes)
    }

    @Test func readOnlyEntriesAreUpdated() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        try obeyingPermissions {
            var shipment = Shipment.readOnlyTree()
            _ = try send(&shipment, to: inbox)
            for seed in 1...20 as ClosedRange<UInt64> {
                var again = Shipment(Shipment.readOnlyTree().entries, seed: seed)
                for index in [2, 4] {
                    again.entries[index].kind = .file(Shipment.noise(70_000, seed))
                    again.entries[index].modified = try FileTime(seconds: Int64(seed), nanoseconds: 0)
                }
                #expect(try send(&again, to: inbox).report.isComplete)
                #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
            }
        }
    }

    private func changeTimes(of path: String) -> [FileTime?] {
        names(in: path).flatMap { name -> [FileTime?] in
            let found = status(of: "\(path)/\(name)")
            return [found?.changed] + (found?.kind == .folder ? changeTimes(of: "\(path)/\(name)") : [])
        }
    }

    @Test(arguments: PublishingTests.kernels) func onlyChangedFilesMove(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        var again = Shipment.tree()
        again.entries[3].kind = .file(Shipment.noise(6000, 77))
        again.entries[3].modified = later
        again.entries[2].modified = later
        again.entries.append(Shipment.Entry(parent: 0, name: "new", kind: .folder, permissions: 0o500))
        again.entries.append(Shipment.Entry(parent: 13, name: "file", kind: .file([1, 2, 3])))
        let stored = try send(&again, to: inbox)
        #expect(again.sent == 6003 && stored.updated && stored.report.isComplete == kernel.hardLinks)
        #expect(stored.keptEntries == UInt64(again.entries.count) - 3)
        #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
        #expect(content(of: inbox.path + "/tree/sub/small") == Shipment.noise(6000, 77))
        #expect(names(in: inbox.path) == ["tree"])
    }

    @Test func locallyChangedFileStaysAndTheNewVersionIsStoredBesideIt() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        let file = open(inbox.path + "/tree/sub/small", O_WRONLY | O_TRUNC)
        #expect(write(file, "mine", 4) == 4)
        close(file)
        #expect(unlink(inbox.path + "/tree/last") == 0 && mkdir(inbox.path + "/tree/last", 0o755) == 0)
        #expect(unlink(inbox.path + "/tree/link") == 0 && symlink("elsewhere", inbox.path + "/tree/link") == 0)
        temporary.file("inbox/tree/own", "mine too")
        for round in 1...2 {
            var again = Shipment.tree()
            again.entries[3].kind = .file(Shipment.noise(6000, 77))
            again.entries[3].modified = later
            let stored = try send(&again, to: inbox)
            #expect(
                Set(stored.report.omissions.map { "\($0.shownPath.text) \($0.reason.rawValue)" })
                    == ["sub/small conflict", "last taken", "link taken"])
            // The second time, the content is stored already.
            #expect(again.sent == (round == 1 ? 306_000 : 0))
            #expect(content(of: inbox.path + "/tree/sub/small") == Array("mine".utf8))
            #expect(content(of: inbox.path + "/tree/sub/small (2)") == Shipment.noise(6000, 77))
            #expect(content(of: inbox.path + "/tree/last (2)") == Shipment.noise(300_000, 6))
            #expect(names(in: inbox.path + "/tree/sub") == ["after", "deep", "linked", "small", "small (2)"])
            #expect(
                names(in: inbox.path + "/tree")
                    == ["empty folder", "large", "last", "last (2)", "link", "link (2)", "own", "sub"])
            #expect(content(of: inbox.path + "/tree/own") == Array("mine too".utf8))
        }
    }

    /// A loss of power may keep the time that an update set, and not the mark with it.
    @Test func anEmptyFileWithAnotherTimeIsReplaced() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        let time = try FileTime(seconds: 1_400_000_000, nanoseconds: 7)
        let path = inbox.path + "/tree/sub/deep/empty"
        #expect(time.withTimes { utimensat(AT_FDCWD, path, $0, 0) } == 0)
        var again = Shipment.tree()
        again.entries[7].kind = .file(Shipment.noise(1660, 77))
        again.entries[7].modified = later
        #expect(try send(&again, to: inbox).report.isComplete)
        #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
    }

    @Test func aFolderGetsItsTimeBackAndOtherPermissionsAreReported() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        temporary.file("inbox/tree/sub/deep/own", "mine")
        #expect(
            chmod(inbox.path + "/tree/sub/small", 0o640) == 0 && chmod(inbox.path + "/tree/empty folder", 0o700) == 0)
        var again = Shipment.tree()
        let stored = try send(&again, to: inbox)
        #expect(again.sent == 0 && stored.keptEntries == stored.entries)
        #expect(
            Set(stored.report.omissions.map { "\($0.shownPath.text) \($0.reason.rawValue)" })
                == ["sub/small mode", "empty folder mode"])
        for folder in ["", "/sub", "/sub/deep"] {
            #expect(status(of: inbox.path + "/tree" + folder)?.modified == someTime)
        }
        #expect(status(of: inbox.path + "/tree/sub/small")?.mode == 0o640)
        #expect(names(in: inbox.path) == ["tree"])
        // If the mode is required, an entry that stays with another one is a loss.
        let partial = try inbox.receive(shipment.about(), called: name("tree"), keeping: .mode, asking: true)
        #expect(kind { try again.send(to: partial) } == .fidelity)
    }

    @Test func repeatedNameIsRefusedEvenIfNothingIsCreated() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        for twice in [1, 3, 10] {
            var again = Shipment.tree()
            again.entries.insert(again.entries[twice], at: twice)
            let partial = try inbox.receive(again.about(), called: name("tree"), asking: true)
            #expect(kind { try again.send(to: partial) } == .malformedTree)
            partial.discard()
        }
        #expect(snapshot(of: inbox.path) == shipment.expected(as: "tree"))
    }

    @Test func allConflictsAreCounted() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        let count = FidelityReport.listedOmissions + 10
        var entries = [Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)]
        for number in 1...count { entries.append(Shipment.Entry(parent: 0, name: "\(number)", kind: .file([1]))) }
        var shipment = Shipment(entries)
        _ = try send(&shipment, to: inbox)
        for number in 1...count {
            temporary.file("inbox/tree/\(number)", "mine")
            entries[number].modified = later
        }
        var again = Shipment(entries)
        let report = try send(&again, to: inbox).report
        #expect(report.omitted == UInt64(count) && report.omissions.count == FidelityReport.listedOmissions)
    }

    @Test(arguments: ["tree", "a.txt"]) func entryRemovedMeanwhileIsNotReportedAsStored(_ item: String) throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        let whole =
            item == "tree"
            ? Shipment.tree() : Shipment([Shipment.Entry(parent: 0, name: item, kind: .file(Shipment.noise(1000, 1)))])
        var first = whole
        _ = try send(&first, to: inbox, called: item)
        for isReplaced in [false, true] {
            var again = Shipment(whole.entries)
            let partial = try inbox.receive(again.about(item), called: name(item), asking: true)
            try again.send(to: partial)
            #expect(rename("\(inbox.path)/\(item)", temporary("aside")) == 0)
            if isReplaced { temporary.folder("inbox/" + item) }
            #expect(kind { _ = try partial.publish(as: name(item)) } == .changedHere)
            partial.discard()
            #expect(!isReplaced || rmdir("\(inbox.path)/\(item)") == 0)
            #expect(rename(temporary("aside"), "\(inbox.path)/\(item)") == 0)
        }
    }

    @Test func filesRemovedFromTheSourceStay() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        let before = snapshot(of: inbox.path)
        var again = Shipment(Array(Shipment.tree().entries.prefix(3)))
        #expect(try send(&again, to: inbox).updated)
        #expect(snapshot(of: inbox.path) == before)
    }

    @Test func unchangedFileIsNotSentAgainAndAChangedOneIsNew() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        let whole = Shipment([Shipment.Entry(parent: 0, name: "a.txt", kind: .file(Shipment.noise(1000, 1)))])
        var first = whole
        #expect(try send(&first, to: inbox, called: "a.txt").name.text == "a.txt")
        var second = whole
        let again = try send(&second, to: inbox, called: "a.txt")
        #expect(second.sent == 0 && again.updated && again.name.text == "a.txt" && again.keptEntries == 1)
        #expect(names(in: inbox.path) == ["a.txt"])
        var changed = whole
        changed.entries[0].kind = .file(Shipment.noise(1000, 2))
        changed.entries[0].modified = later
        let other = try send(&changed, to: inbox, called: "a.txt")
        #expect(other.name.text == "a (2).txt" && !other.updated && changed.sent == 1000)
        // Both versions are known now.
        for version in [whole, changed] {
            var version = Shipment(version.entries)
            let found = try send(&version, to: inbox, called: "a.txt")
            #expect(version.sent == 0 && found.updated)
        }
        #expect(names(in: inbox.path) == ["a (2).txt", "a.txt"])
        // A file that was changed here is no copy of the source any more.
        temporary.file("inbox/a.txt", "mine")
        var third = whole
        #expect(try send(&third, to: inbox, called: "a.txt").name.text == "a (3).txt")
        #expect(content(of: inbox.path + "/a.txt") == Array("mine".utf8))
    }

    @Test func differentSourceIsADifferentItem() throws {
        let inbox = try temporary.inbox()
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        var other = Shipment.tree()
        let partial = try inbox.receive(other.about(of: 2), called: name("tree"), asking: true)
        try other.send(to: partial)
        #expect(try partial.publish(as: name("tree")).name.text == "tree (2)")
        #expect(other.sent == other.size)
    }

    @Test func interruptedUpdateIsResumed() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        let before = snapshot(of: inbox.path + "/tree")
        var changed = Shipment.tree()
        changed.entries[1].kind = .file(Shipment.noise(2 << 20, 50))
        changed.entries[1].modified = later
        var first = changed
        first.patience = 17
        let partial = try inbox.receive(first.about(), called: name("tree"), asking: true)
        #expect(throws: Shipment.Interrupted.self) { try first.send(to: partial) }
        partial.suspend()
        #expect(first.sent > 0 && snapshot(of: inbox.path + "/tree") == before)
        var second = changed
        #expect(try send(&second, to: inbox).updated)
        #expect(first.sent + second.sent == 2 << 20)
        #expect(snapshot(of: inbox.path) == changed.expected(as: "tree"))
    }

    @Test func updateWithALinkToAStoredFileIsResumed() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        var changed = Shipment.tree()
        changed.entries += [
            Shipment.Entry(parent: 0, name: "third name", kind: .hardLink(4)),
            Shipment.Entry(parent: 0, name: "new", kind: .file(Shipment.noise(300_000, 51))),
        ]
        // From the second time on, the entry to put aside and the entry that was put aside before are names of one
        // file.
        for _ in 0..<3 {
            var interrupted = changed
            interrupted.patience = changed.entries.count
            let partial = try inbox.receive(interrupted.about(), called: name("tree"), asking: true)
            #expect(throws: Shipment.Interrupted.self) { try interrupted.send(to: partial) }
            partial.suspend()
            #expect(try inbox.partials().count == 1)
        }
        #expect(try send(&changed, to: inbox).updated)
        #expect(names(in: inbox.path) == ["tree"])
        #expect(snapshot(of: inbox.path) == changed.expected(as: "tree"))
    }

    @Test func aFileSwappedForALinkInTheStoredItemIsNotWrittenThrough() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        temporary.folder("outside")
        temporary.file("outside/small", "untouched")
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        #expect(rename(inbox.path + "/tree/sub", temporary("moved")) == 0)
        #expect(symlink(temporary("outside"), inbox.path + "/tree/sub") == 0)
        var again = Shipment.tree()
        again.entries[3].modified = later
        let stored = try send(&again, to: inbox)
        #expect(names(in: temporary("outside")) == ["small"])
        #expect(content(of: temporary("outside/small")) == Array("untouched".utf8))
        #expect(stored.report.omissions.contains { $0.shownPath.text == "sub" && $0.reason == .taken })
        #expect(names(in: inbox.path + "/tree/sub (2)").contains("small"))
    }
}
