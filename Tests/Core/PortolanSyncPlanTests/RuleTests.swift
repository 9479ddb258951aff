import Foundation
import Testing

@testable import PortolanSyncPlan

/// Rules that persons notice, one world each.
@Suite struct RuleTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var actions: [Action]
        /// Files on all members at rest. `*` stands for the note of a conflict.
        var files: [String]

        init(_ testDescription: String, _ actions: [Action], _ files: [String]) {
            (self.testDescription, self.actions, self.files) = (testDescription, actions, files)
        }
    }

    static let rules = [
        Rule("nothing happens", [], ["/X", "/X/a=0", "/Y"]),
        Rule("an edit goes to all", [.write(0, path("X/a"))], ["/X", "/X/a=1", "/Y"]),
        Rule("a deletion goes to all", [.delete(0, path("X"))], ["/Y"]),
        Rule("a folder is moved with what is in it", [.move(0, path("X"), path("Y/Z"))], ["/Y", "/Y/Z", "/Y/Z/a=0"]),
        Rule(
            "an edit beats a deletion", [.isolate(0), .write(0, path("X/a")), .delete(1, path("X"))],
            ["/X", "/X/a=1", "/Y"]),
        Rule(
            "a move beats a deletion", [.isolate(0), .move(0, path("X/a"), path("Y/b")), .delete(1, path("X"))],
            ["/Y", "/Y/b=0"]),
        Rule(
            "a new file keeps the folder that is deleted elsewhere",
            [.isolate(0), .write(0, path("X/b")), .delete(1, path("X"))], ["/X", "/X/b=1", "/Y"]),
        Rule(
            "both edit: both versions stay",
            [.isolate(0), .write(0, path("X/a")), .write(1, path("X/a"))],
            ["/X", "/X/a *=2", "/X/a=1", "/Y"]),
        Rule(
            "both make a file of one name: both stay",
            [.isolate(0), .write(0, path("Y/b")), .write(1, path("Y/b"))],
            ["/X", "/X/a=0", "/Y", "/Y/b *=1", "/Y/b=2"]),
        Rule(
            "both make a folder of one name: it is one folder",
            [
                .isolate(0), .makeFolder(0, path("Z")), .write(0, path("Z/a")), .makeFolder(1, path("Z")),
                .write(1, path("Z/b")),
            ],
            ["/X", "/X/a=0", "/Y", "/Z", "/Z/a=1", "/Z/b=2"]),
        Rule(
            "a file and a folder of one name: the folder has the name",
            [.isolate(0), .write(0, path("b")), .makeFolder(1, path("b"))], ["/X", "/X/a=0", "/Y", "/b", "/b *=1"]),
        Rule(
            "both delete", [.isolate(0), .delete(0, path("X")), .delete(1, path("X/a")), .delete(1, path("X"))], ["/Y"]),
        Rule(
            "of two versions, each member deletes the one that it had",
            [
                .write(0, path("X/a")), .scan(0), .write(1, path("X/a")), .scan(1), .pull(0, from: 1),
                .pull(1, from: 0),
                .delete(0, path("X/a")), .delete(1, path("X/a")),
            ], ["/X", "/Y"]),
        Rule(
            "both rename: one name wins",
            [.isolate(0), .move(0, path("X/a"), path("X/b")), .move(1, path("X/a"), path("Y/b"))],
            ["/X", "/X/b=0", "/Y"]),
        Rule(
            "one renames and the other edits: both count",
            [.isolate(0), .move(0, path("X/a"), path("Y/b")), .write(1, path("X/a"))], ["/X", "/Y", "/Y/b=1"]),
        Rule(
            "folders that are moved into each other settle",
            [.isolate(0), .move(0, path("X"), path("Y/X")), .move(1, path("Y"), path("X/Y"))],
            ["/Y", "/Y/X", "/Y/X/a=0"]),
        Rule(
            "a folder goes into one that it shares a place with, in a cycle",
            [
                .move(0, path("X"), path("Y/X")), .move(1, path("Y"), path("X/Y")), .scan(0),
                .makeFolder(1, path("Y")), .pull(1, from: 0), .scan(1), .move(1, path("X/Y"), path("Y/a")), .step(1),
            ], ["/Y", "/Y/a", "/Y/a/X", "/Y/a/X/a=0"]),
        Rule(
            "names are exchanged",
            [
                .write(0, path("X/b")), .syncAll(0), .syncAll(1), .syncAll(0), .move(0, path("X/a"), path("c")),
                .move(0, path("X/b"), path("X/a")), .move(0, path("c"), path("X/b")),
            ],
            ["/X", "/X/a=1", "/X/b=0", "/Y"]),
        Rule(
            "a folder goes into the one that was in it",
            [
                .move(0, path("Y"), path("X/Y")), .syncAll(0), .syncAll(1), .syncAll(0),
                .move(0, path("X/Y"), path("Z")),
                .move(0, path("X"), path("Z/Y")), .move(0, path("Z"), path("X")),
            ],
            ["/X", "/X/Y", "/X/Y/a=0"]),
        Rule(
            "a file becomes a folder",
            [.delete(0, path("X/a")), .makeFolder(0, path("X/a")), .write(0, path("X/a/b"))],
            ["/X", "/X/a", "/X/a/b=1", "/Y"]),
        Rule(
            "a lost database deletes nothing and doubles nothing", [.loseDatabase(0)], ["/X", "/X/a=0", "/Y"]),
        Rule(
            "all databases are lost", [.loseDatabase(0), .loseDatabase(1), .scan(0), .scan(1)], ["/X", "/X/a=0", "/Y"]),
        Rule(
            "an older database does not delete what came later",
            [.write(1, path("Y/b")), .syncAll(1), .syncAll(0), .syncAll(1), .restoreDatabase(0)],
            ["/X", "/X/a=0", "/Y", "/Y/b=1"]),
        Rule(
            "created, deleted elsewhere, forgotten, created again",
            [.delete(1, path("X/a")), .syncAll(1), .syncAll(0), .loseDatabase(0), .write(0, path("X/a"))],
            ["/X", "/X/a=1", "/Y"]),
        Rule("a disk that is not mounted deletes nothing", [.unmount(0), .syncAll(0)], ["/X", "/X/a=0", "/Y"]),
        Rule(
            "a folder that cannot be read deletes nothing", [.write(0, path("Y/b")), .unreadable(0, SyncName("X"))],
            ["/X", "/X/a=0", "/Y", "/Y/b=1"]),
    ]

    @Test("a rule for changes holds", arguments: rules)
    func holds(_ rule: Rule) {
        var world = Choices.start(2)
        for action in rule.actions {
            let isDone = world.perform(action)
            #expect(isDone, "\(action)")
        }
        var walker = Walker(actions: [], engine: [], depth: 0)
        let failure = walker.settle(world)
        #expect(failure == nil, "\(failure ?? "")")
        world.repair()
        for _ in 0..<Walker.maximumSteps where !world.settleOnce() { break }
        for member in world.members {
            let files = member.disk.listing.map { line in
                guard let note = line.range(of: "(conflict of "),
                    let end = line.range(of: ")", range: note.upperBound..<line.endIndex)
                else {
                    return line
                }
                return line.replacingCharacters(in: note.lowerBound..<end.upperBound, with: "*")
            }
            #expect(files.sorted() == rule.files.sorted())
        }
    }

    @Test("an edit of a conflict's copy makes it a file of its own, and its deletion leaves the other")
    func copies() throws {
        for edits in [true, false] {
            var world = Choices.start(2)
            for action: Action in [.isolate(0), .write(0, path("X/a")), .write(1, path("X/a"))] {
                _ = world.perform(action)
            }
            world.repair()
            for _ in 0..<200 where !world.settleOnce() { break }
            let copy = try #require(
                world.members[0].disk.listing.first { $0.contains("conflict") }?.split(separator: "=")[0])
            _ = world.perform(edits ? .write(0, path(String(copy))) : .delete(0, path(String(copy))))
            for _ in 0..<200 where !world.settleOnce() { break }
            #expect(world.violationAtRest == nil)
            let files = edits ? ["/X", "\(copy)=3", "/X/a=1", "/Y"] : ["/X", "/X/a=1", "/Y"]
            #expect(world.members[1].disk.listing == files.sorted())
        }
    }
}
