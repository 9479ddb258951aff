import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import PortolanFiles

/// Tasks of child processes of other tests; never part of an ordinary run.
@Suite(.enabled(if: ChildProcess.assignment != nil, "runs only in a child process of another test"))
struct ChildTasks {
    @Test func doWhatTheParentAsksFor() throws {
        let (task, folder) = try #require(ChildProcess.assignment)
        switch task {
        case "publish for ever": try publishForEver(folder)
        case "receive": try receive(folder)
        case "hold a partial": try holdPartial(folder)
        case "without privileges": try withoutPrivileges(folder)
        case "look without privileges": try lookWithoutPrivileges(folder)
        case "hash a name": print("hash \(try name("photo.jpg").hashValue)")
        default:
            let step = try #require(Int(task), "no such task: \(task)")
            try die(after: step, folder)
        }
    }

    /// Items of three files, one after another, until killed.
    private func publishForEver(_ folder: String) throws {
        let inbox = try Inbox(path: folder, createIfMissing: false)
        for number in 0... {
            let partial = try inbox.newPartial()
            try partial.folder(0)
            for index in 1...3 as ClosedRange<UInt32> {
                try partial.file(index, in: 0, "\(index)", String(repeating: "\(index)", count: 100_000))
            }
            _ = try partial.publish(as: name("item \(number)"))
        }
    }

    /// Receives an item, slowly enough to be killed; resumes it where another process was killed.
    private func receive(_ folder: String) throws {
        let inbox = try Inbox(path: folder, createIfMissing: false)
        var shipment = CrashTests.shipment
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
        shipment.generator = SeededGenerator(seed: UInt64(getpid()))
        shipment.pause = 300
        try shipment.send(to: partial)
        let stored = try partial.publish(as: name("tree"))
        // The last process prints how much it had to send.
        print("sent \(shipment.sent) of \(stored.bytes)")
    }

    private func holdPartial(_ folder: String) throws {
        let partial = try Inbox(path: folder, createIfMissing: false).newPartial()
        try partial.folder(0)
        try partial.file(1, in: 0, "ready", "text")
        sleep(60)
    }

    /// Takes the steps of a transfer and dies after one of them, without a chance to clean up.
    private func die(after step: Int, _ folder: String) throws {
        var partial: PartialItem?
        let steps: [() throws -> Void] = [
            { partial = try Inbox(path: folder, createIfMissing: false).newPartial() },
            { try partial?.folder(0) },
            { try partial?.folder(1, in: 0, "sub") },
            { try partial?.add(2, in: 1, "file", .file(size: 4 << 20)) },
            { try partial?.write(2, at: 0, String(repeating: "x", count: 2 << 20)) },
            { try partial?.write(2, at: 2 << 20, String(repeating: "y", count: 2 << 20)) },
            { try partial?.finish(2, size: 4 << 20) },
            { try partial?.link(3, in: 0, "link", to: "sub/file") },
        ]
        for each in steps.prefix(step) { try each() }
        kill(getpid(), SIGKILL)
    }

    /// Checks the effects of permissions, which do not apply to root.
    private func withoutPrivileges(_ folder: String) throws {
        if geteuid() == 0 { #expect(setgid(65534) == 0 && setuid(65534) == 0) }
        let tree = try SourceTree(path: folder + "/passage/tree")
        var found: [String] = []
        while let next = try tree.next() { found.append(next.entry.name.text) }
        #expect(found == ["tree", "readable"])
        #expect(tree.withheld.entries == unreadable)
        expectCounted(tree)
        #expect(kind { _ = try SourceTree(path: folder + "/passage/tree/secret") } == .unreadable)
        #expect(kind { _ = try SourceTree(path: folder + "/passage/tree/closed") } == .unreadable)
        #expect(kind { _ = try SourceTree(path: folder + "/passage/tree/closed/inner") } == .unreadable)
        #expect(kind { _ = try Inbox(path: folder + "/not ours", createIfMissing: false) } == .notPermitted)
        #expect(kind { _ = try Inbox(path: folder + "/not ours/new", createIfMissing: true) } == .notPermitted)
    }

    /// Entries whose restriction cannot be read, so that they are withheld.
    private var unreadable: [WithheldEntry] {
        ["closed", "secret"].map { WithheldEntry(path: DisplayText($0), cause: .unknown(.unreadable)) }
    }

    /// The peer learns how many there are, and no name.
    private func expectCounted(_ tree: SourceTree) {
        #expect(tree.report.omissions.isEmpty && tree.report.missing == 2 && tree.withheld.unknown == 2)
        // For this side's own user.
        #expect(tree.report.firsts[.unreadable]?.shownPath.text == "closed")
    }

    /// Does the same with a walk that opens nothing, by both ways to look up entries.
    private func lookWithoutPrivileges(_ folder: String) throws {
        if geteuid() == 0 { #expect(setgid(65534) == 0 && setuid(65534) == 0) }
        for kernel in WalkMethod.kernels {
            let later = folder + "/passage/tree/later"
            #expect(chmod(later, 0o644) == 0)
            let tree = try SourceTree(
                path: folder + "/passage/tree", options: SourceOptions(looking: true), features: kernel)
            let (entries, omissions) = try WalkMethod.all(tree)
            #expect(entries.map(\.entry.name.text) == ["tree", "later", "readable"])
            #expect(omissions.isEmpty && tree.withheld.entries == unreadable)
            expectCounted(tree)
            #expect(try entries[2].open().content() == Array("text".utf8))
            #expect(chmod(later, 0) == 0)
            #expect(kind { _ = try entries[1].open() } == .unreadable)
        }
    }
}
