import Foundation
import PortolanRepositories
import Testing

/// Repositories on two or three devices, with real git. What travels is copied here.
@Suite(.serialized) struct RepositoryTests {
    let world: TestWorld
    let first: GitDevice
    let second: GitDevice

    init() throws {
        world = try TestWorld()
        first = GitDevice("laptop", in: world)
        second = GitDevice("desk", in: world)
        try first.git("init", "-q", "-b", "main")
        try first.commit("one")
    }

    /// Both devices have the same references, head, staged files and status.
    private func expectAlike(at location: SourceLocation = #_sourceLocation) throws {
        #expect(try first.references() == second.references(), sourceLocation: location)
        #expect(try first.status() == second.status(), sourceLocation: location)
        #expect(try first.git("rev-parse", "HEAD") == second.git("rev-parse", "HEAD"), sourceLocation: location)
        try first.isSound(at: location)
        try second.isSound(at: location)
    }

    @Test("A repository comes to a device that has none, with its head, its index and a clean status")
    func arrival() throws {
        try first.git("tag", "-a", "v1", "-m", "v1")
        try first.git("branch", "topic")
        let outcome = try first.send(to: second)
        #expect(outcome.apart.isEmpty && outcome.waits.isEmpty)
        try expectAlike()
        #expect(try second.status().isEmpty)
        #expect(try second.git("symbolic-ref", "HEAD") == "refs/heads/main")
    }

    @Test("Commits move the branch of the other device in turn, as do amended ones, which it descends from no more")
    func turns() throws {
        try first.send(to: second)
        for turn in 0..<3 {
            try second.commit("turn \(turn)")
            try second.send(to: first)
            try expectAlike()
            try first.commit("answer \(turn)", to: "other")
            try first.send(to: second)
            try expectAlike()
        }
        try first.git("commit", "-q", "--amend", "-m", "amended")
        try first.send(to: second)
        try expectAlike()
        try second.git("reset", "-q", "--hard", "HEAD~2")
        try second.send(to: first)
        try expectAlike()
    }

    @Test("Staged files come along, and stay staged when the other device commits another file")
    func staged() throws {
        try first.send(to: second)
        try first.write("staged", to: "new")
        try first.git("add", "new")
        try first.send(to: second)
        try expectAlike()
        #expect(try second.status() == "A  new")
        try second.git("reset", "-q")
        try second.send(to: first)
        try expectAlike()

        try second.git("add", "new")
        try first.write("two", to: "file")
        try first.git("commit", "-q", "-m", "two", "file")
        try second.exchange()
        try first.send(to: second, files: false)
        try second.write("two", to: "file")
        #expect(try second.status() == "A  new")
        #expect(try second.git("log", "-1", "--format=%s") == "two")
    }

    @Test("A file that is staged here and committed otherwise there keeps the branch in place")
    func stagedApart() throws {
        try first.send(to: second)
        try second.write("mine", to: "file")
        try second.git("add", "file")
        try second.exchange()
        try first.commit("theirs")
        let outcome = try first.send(to: second, files: false)
        #expect(outcome.apart.map(\.name) == ["heads/main"])
        #expect(try second.git("log", "-1", "--format=%s") == "one")
        #expect(try second.status() == "M  file")
        #expect(try second.git("log", "-1", "--format=%s", "refs/portolan/laptop/heads/main") == "theirs")
    }

    @Test("Branches, tags, checkouts and deletions come over")
    func references() throws {
        try first.send(to: second)
        try first.git("checkout", "-q", "-b", "topic")
        try first.commit("topic", to: "topic")
        try first.git("tag", "light")
        try first.send(to: second)
        try expectAlike()
        #expect(try second.git("symbolic-ref", "HEAD") == "refs/heads/topic")
        try second.git("checkout", "-q", "main")
        try second.git("merge", "-q", "--no-ff", "-m", "merged", "topic")
        try second.git("branch", "-q", "-d", "topic")
        try second.git("tag", "-d", "light")
        try second.send(to: first)
        try expectAlike()
        try first.git("checkout", "-q", "--detach", "HEAD~1")
        try first.send(to: second)
        try expectAlike()
    }

    @Test("Commits on both devices stand beside each other until one of them merges")
    func apart() throws {
        try first.send(to: second)
        try first.commit("here", to: "here")
        try second.commit("there", to: "there")
        try first.exchange()
        try second.exchange()
        try first.carry(to: second, files: false)
        try second.carry(to: first, files: false)
        #expect(try first.exchange().apart.map(\.shown) == ["portolan/desk/heads/main"])
        #expect(try second.exchange().apart.map(\.shown) == ["portolan/laptop/heads/main"])
        #expect(try first.git("log", "-1", "--format=%s") == "here")
        #expect(try second.git("log", "-1", "--format=%s") == "there")
        try second.git("merge", "-q", "-m", "both", "portolan/laptop/heads/main")
        let outcome = try second.send(to: first)
        #expect(outcome.apart.isEmpty)
        try expectAlike()
        #expect(try first.git("for-each-ref", "refs/portolan").isEmpty)
        #expect(try second.exchange().apart.isEmpty)
        try first.send(to: second)
        #expect(try second.git("for-each-ref", "refs/portolan").isEmpty)
        try expectAlike()
    }

    @Test("A repository that both devices have cloned from one place needs no merge, and the one behind comes forward")
    func clones() throws {
        try second.git("clone", "-q", first.path, ".")
        try first.commit("two")
        try first.send(to: second)
        #expect(try second.git("log", "-1", "--format=%s") == "two")
        try second.isSound()
        #expect(try second.status().isEmpty)
    }

    @Test("Three devices come to the same state in each order of their exchanges")
    func three() throws {
        let third = GitDevice("attic", in: world)
        try first.send(to: second)
        try second.send(to: third)
        try third.commit("third")
        try third.send(to: first)
        try first.send(to: second)
        try third.carry(to: second)
        try second.exchange()
        try expectAlike()
        #expect(try third.references() == second.references())
        try first.git("commit", "-q", "--amend", "-m", "amended")
        try first.exchange()
        try first.carry(to: third)
        try third.exchange()
        try third.carry(to: second)
        try second.exchange()
        #expect(try second.git("log", "-1", "--format=%s") == "amended")
        #expect(try third.exchange().apart.isEmpty)
        #expect(try second.exchange().apart.isEmpty)
    }

    @Test("Objects that a device has collected as garbage come again when a branch needs them")
    func garbage() throws {
        try first.send(to: second)
        try first.commit("kept")
        let kept = try first.git("rev-parse", "HEAD")
        try first.send(to: second)
        try second.git("reset", "-q", "--hard", "HEAD~1")
        try second.git("reflog", "expire", "--expire=now", "--all")
        try second.git("gc", "-q", "--prune=now")
        try second.send(to: first)
        #expect(try !second.tryGit(["cat-file", "-e", kept]))
        try first.git("reset", "-q", "--hard", kept)
        try first.send(to: second)
        try expectAlike()
        #expect(try second.git("rev-parse", "HEAD") == kept)
    }

    @Test("A merge that is not done keeps head and branch in place, and the other device's come when it is")
    func busy() throws {
        try first.send(to: second)
        try second.git("checkout", "-q", "-b", "topic")
        try second.commit("topic")
        try second.git("checkout", "-q", "main")
        try second.commit("main")
        try second.send(to: first)
        try #expect(!second.tryGit(["merge", "-q", "topic"]))
        try first.commit("more", to: "other")
        try first.send(to: second, files: false)
        #expect(try second.git("log", "-1", "--format=%s") == "main")
        #expect(second.has(".git/MERGE_HEAD"))
        try second.git("merge", "--abort")
        try second.exchange()
        #expect(try second.git("log", "-1", "--format=%s") == "more")
        try second.isSound()
    }

    @Test("The lock of git is respected")
    func locked() throws {
        try first.send(to: second)
        try second.write("", to: ".git/index.lock")
        try first.commit("two")
        try first.send(to: second)
        #expect(try second.git("log", "-1", "--format=%s") == "one")
        #expect(second.has(".git/index.lock"))
        try FileManager.default.removeItem(atPath: "\(second.path)/.git/index.lock")
        try second.exchange()
        try expectAlike()
    }

    @Test("Of two tags of one name that stands which is left when a person removes the other one's")
    func tags() throws {
        try first.send(to: second)
        try first.commit("two")
        try first.git("tag", "v")
        try first.git("branch", "b", "HEAD~1")
        try first.exchange()
        try second.git("tag", "v", second.git("commit-tree", "HEAD^{tree}", "-m", "other"))
        try first.carry(to: second)
        #expect(try second.exchange().apart.map(\.shown) == ["portolan/laptop/tags/v"])
        try second.git("update-ref", "-d", "refs/portolan/laptop/tags/v")
        #expect(try second.exchange().apart.isEmpty)
        try second.send(to: first)
        try expectAlike()
        #expect(try first.git("log", "-1", "--format=%s", "v") == "other")
    }

    @Test("Without a change nothing is written")
    func rest() throws {
        try first.send(to: second)
        try second.send(to: first)
        try first.send(to: second)
        #expect(try first.exchange().folders.isEmpty)
        #expect(try second.exchange().folders.isEmpty)
    }
}
