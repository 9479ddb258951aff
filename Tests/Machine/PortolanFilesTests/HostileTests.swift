import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Peers and local rivals that want a file outside the inbox written, read or replaced.
@Suite(.aside) struct HostileTests {
    let temporary = TemporaryFolder.inMemory()
    let before: [String]

    init() {
        temporary.folder("outside")
        temporary.folder("outside/home")
        temporary.file("outside/home/authorized_keys", "mine")
        temporary.file("outside/passwd", "root")
        before = snapshot(of: temporary("outside"))
    }

    private func nothingHappenedOutside() -> Bool { snapshot(of: temporary("outside")) == before }

    @Test(arguments: PublishingTests.kernels)
    func aPlantedLinkIsNotWrittenThrough(_ kernel: KernelFeatures) throws {
        let partial = try temporary.inbox(features: kernel).newPartial()
        try partial.folder(0)
        // The link is left out when it is announced …
        try partial.link(1, in: 0, "out", to: "../../../outside/home")
        #expect(partial.report.omissions == [Loss(path: "out", reason: .linkLeavesItem)])
        #expect(kind { try partial.file(2, in: 1, "authorized_keys", "x") } == .malformedTree)
        // … and a link that stays inside cannot be used as a folder.
        let second = try temporary.inbox(features: kernel).newPartial()
        try second.folder(0)
        try second.folder(1, in: 0, "real")
        try second.link(2, in: 0, "link", to: "real")
        #expect(kind { try second.file(3, in: 2, "child", "x") } == .malformedTree)
        let third = try temporary.inbox(features: kernel).newPartial()
        try third.folder(0)
        try third.link(1, in: 0, "name", to: "elsewhere")
        #expect(kind { try third.file(2, in: 0, "name", "x") } == .malformedTree)
        let fourth = try temporary.inbox(features: kernel).newPartial()
        try fourth.folder(0)
        try fourth.link(1, in: 0, "name", to: "elsewhere")
        #expect(kind { try fourth.folder(2, in: 0, "name") } == .malformedTree)
        #expect(nothingHappenedOutside())
    }

    @Test func chainsOfAcceptedLinksStayInside() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.folder(1, in: 0, "sub")
        try partial.link(2, in: 1, "up", to: "..")
        // Lexically this is sub/x; where `up` leads, it would be outside.
        #expect(throws: LinkRefusal.turnsBack) { try LinkTarget(Array("up/../x".utf8)) }
        try partial.link(3, in: 0, "through", to: "sub/up/sub/up")
        _ = try partial.publish(as: name("tree"))
        var resolved = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        #expect(realpath(temporary("inbox/tree/through"), &resolved) != nil)
        #expect(resolved.prefix { $0 != 0 }.elementsEqual(temporary("inbox/tree").utf8.map(CChar.init(bitPattern:))))
    }

    @Test func aSecondItemCannotReachThroughAFirst() throws {
        let inbox = try temporary.inbox()
        let first = try inbox.newPartial()
        try first.folder(0)
        try first.folder(1, in: 0, "home")
        _ = try first.publish(as: name("item"))
        // Between the two, the remains of the first one are exchanged for a link.
        #expect(rename(temporary("inbox/item"), temporary("aside")) == 0)
        temporary.link("inbox/item", to: "../outside")
        let second = try inbox.newPartial()
        try second.folder(0)
        try second.folder(1, in: 0, "home")
        try second.file(2, in: 1, "authorized_keys", "theirs")
        #expect(try second.publish(as: name("item")).name.text == "item (2)")
        #expect(nothingHappenedOutside())
        #expect(content(of: temporary("inbox/item (2)/home/authorized_keys")) == Array("theirs".utf8))
    }

    @Test(arguments: PublishingTests.kernels)
    func aFolderExchangedForALinkIsNoticed(_ kernel: KernelFeatures) throws {
        let partial = try temporary.inbox(features: kernel).newPartial()
        let item = try #require(names(in: temporary("inbox")).first.map { temporary("inbox/\($0)/item") })
        try partial.folder(0)
        try partial.folder(1, in: 0, "victim")
        try crowdOut(partial, from: 2)
        #expect(rename(item + "/victim", item + "/moved") == 0)
        #expect(symlink(temporary("outside/home"), item + "/victim") == 0)
        #expect(kind { try partial.file(100, in: 1, "authorized_keys", "theirs") } == .tamperedWith)
        partial.discard()
        #expect(nothingHappenedOutside())
        #expect(names(in: temporary("inbox")).isEmpty)
    }

    @Test(arguments: PublishingTests.kernels)
    func exchangedFolderIsDetected(_ kernel: KernelFeatures) throws {
        let partial = try temporary.inbox(features: kernel).newPartial()
        let item = try #require(names(in: temporary("inbox")).first.map { temporary("inbox/\($0)/item") })
        try partial.folder(0)
        try partial.folder(1, in: 0, "victim")
        try crowdOut(partial, from: 2)
        #expect(rename(item + "/victim", temporary("aside")) == 0)
        #expect(rename(temporary("outside/home"), item + "/victim") == 0)
        #expect(kind { try partial.file(100, in: 1, "new", "theirs") } == .tamperedWith)
        #expect(rename(item + "/victim", temporary("outside/home")) == 0)
        #expect(nothingHappenedOutside())
    }

    /// Uses so many folders inside folder `first - 1` that it is no longer open.
    private func crowdOut(_ partial: PartialItem, from first: UInt32) throws {
        for index in first..<100 { try partial.folder(index, in: index - 1, "inner") }
    }

    @Test func anItemExchangedBeforePublishingIsNoticed() throws {
        let inbox = try temporary.inbox()
        for isFolder in [false, true] {
            let partial = try inbox.newPartial()
            let workspace = try #require(names(in: inbox.path).first)
            if isFolder { try partial.folder(0) } else { try partial.file(0, "a", "text") }
            #expect(rename("\(inbox.path)/\(workspace)/item", temporary("aside\(isFolder)")) == 0)
            #expect(symlink(temporary("outside/passwd"), "\(inbox.path)/\(workspace)/item") == 0)
            #expect(kind { _ = try partial.publish(as: name("a")) } == .tamperedWith)
            partial.discard()
            #expect(names(in: inbox.path).isEmpty && nothingHappenedOutside())
        }
    }

    @Test func exchangedWorkspaceIsDetected() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        let workspace = try #require(names(in: inbox.path).first)
        try partial.folder(0)
        #expect(rename("\(inbox.path)/\(workspace)", temporary("aside")) == 0)
        #expect(symlink(temporary("outside"), "\(inbox.path)/\(workspace)") == 0)
        try partial.file(1, in: 0, "passwd", "theirs")
        _ = try partial.publish(as: name("tree"))
        #expect(names(in: temporary("inbox/tree")) == ["passwd"] && nothingHappenedOutside())
        let second = try inbox.newPartial()
        let other = try #require(
            names(in: inbox.path).first { $0.hasPrefix(FileName.partialPrefix) && $0 != workspace })
        try second.file(0, "a", "text")
        #expect(rename("\(inbox.path)/\(other)", temporary("aside 2")) == 0)
        #expect(symlink(temporary("outside"), "\(inbox.path)/\(other)") == 0)
        second.discard()
        #expect(nothingHappenedOutside() && names(in: temporary("aside 2")).isEmpty)
    }

    @Test func aHardLinkToOutsideIsNeverWrittenTo() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        let workspace = try #require(names(in: inbox.path).first)
        #expect(link(temporary("outside/passwd"), "\(inbox.path)/\(workspace)/item") == 0)
        #expect(kind { try partial.file(0, "a", "theirs") } == .tamperedWith)
        #expect(content(of: temporary("outside/passwd")) == Array("root".utf8))
    }

    @Test(arguments: PublishingTests.kernels)
    func constantSwappingOfParentsLeaksNothing(_ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel)
        let rival = Rival(inbox: inbox.path, bait: temporary("outside/home"))
        rival.start()
        defer { rival.stop() }
        // On a busy machine the rival may not get a turn for a while.
        for round in 0..<1000 where round < 40 || rival.swaps < 5 {
            let partial = try inbox.newPartial()
            let thrown = kind {
                try partial.folder(0)
                var next: UInt32 = 1
                for number in 1...40 {
                    let folder = next
                    try partial.folder(folder, in: 0, "d\(number)")
                    // The depth makes the partial close the folder, and open it again for the file.
                    for depth in 0..<UInt32(OpenFolders.limit + 1) {
                        try partial.folder(folder + depth + 1, in: folder + depth, "i")
                    }
                    next += UInt32(OpenFolders.limit + 2)
                    try partial.file(next, in: folder, "authorized_keys", "theirs")
                    next += 1
                }
            }
            #expect(
                thrown == nil || thrown == .tamperedWith || thrown == .malformedTree,
                "\(String(describing: thrown))")
            partial.discard()
        }
        rival.stop()
        #expect(nothingHappenedOutside())
        #expect(rival.swaps >= 5)
    }
}

/// A local process with the same rights that replaces the folders of every partial by links, and back.
private final class Rival: Sendable {
    private let inbox: String
    private let bait: String
    private let goesOn = Atomic(true)
    private let count = Atomic(0)
    private let ended = Atomic(true)

    init(inbox: String, bait: String) {
        self.inbox = inbox
        self.bait = bait
    }

    var swaps: Int { count.load(ordering: .relaxed) }

    func start() {
        ended.store(false, ordering: .relaxed)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Rival>.fromOpaque(argument).takeRetainedValue().swap()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }

    func stop() {
        goesOn.store(false, ordering: .relaxed)
        _ = eventually { ended.load(ordering: .acquiring) }
    }

    private func swap() {
        var number = 0
        while goesOn.load(ordering: .relaxed) {
            number += 1
            for workspace in names(in: inbox) where workspace.hasPrefix(FileName.partialPrefix) {
                let victim = "\(inbox)/\(workspace)/item/d\(number % 40 + 1)"
                guard rename(victim, victim + "x") == 0 else { continue }
                if symlink(bait, victim) == 0 { count.add(1, ordering: .relaxed) }
                unlink(victim)
                rename(victim + "x", victim)
            }
        }
        ended.store(true, ordering: .releasing)
    }
}
