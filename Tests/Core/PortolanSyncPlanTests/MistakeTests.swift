import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Possible mistakes in the model. Each breaks a promise in some small world: a check that misses one of them is too
/// weak.
@Suite struct MistakeTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var mistakes: InjectedMistakes

        init(_ testDescription: String, _ mistakes: InjectedMistakes) {
            (self.testDescription, self.mistakes) = (testDescription, mistakes)
        }
    }

    static let list = [
        Mistake("of two versions that did not know of each other one is kept", .keepsOneVersion),
        Mistake("a deletion beats an edit", .deletionBeatsEdit),
        Mistake("merging forgets which changes are known", .forgetsVersions),
        Mistake("folders that were moved into each other remain a cycle", .leavesCycles),
        Mistake("each device breaks a cycle at a folder of its own choice", .breaksCyclesAlone),
        Mistake("a deleted folder is not kept for what is alive in it", .dropsDeletedFolders),
        Mistake("each device prefers its own version", .prefersOwnVersion),
        Mistake("an edit replaces versions that the writer has not seen", .writeReplacesAll),
        Mistake("a deletion deletes versions that nobody there has seen", .deletionReplacesAll),
        Mistake("a file of the right name counts as the right file", .adoptsByName),
        Mistake("a file that was moved out of the way and not written down counts as deleted", .forgetsParked),
        Mistake("a file is removed though it changed after the plan", .removesUnseen),
        Mistake("a file is replaced though it changed after the plan", .replacesUnseen),
        Mistake("a file is put in the place of one that no scan has seen", .placesOverOthers),
        Mistake("a folder is removed with what is in it", .removesFullFolders),
        Mistake("a step is written down before it is done", .commitsFirst),
        Mistake("files that wait for each other's names wait for ever", .neverParks),
        Mistake("a file that changed in the middle of a step is not put back", .keepsReplacement),
        Mistake("an older copy of the database goes on as if nothing had happened", .ignoresMarker),
        Mistake("another epoch of a member counts as the one before", .ignoresEpochOfPeer),
        Mistake("records are acknowledged that were not merged", .acknowledgesUnmerged),
        Mistake("a member passes on its own changes only", .keepsNewsToItself),
        Mistake("a deletion is forgotten before all members know of it", .forgetsDeletionsEarly),
        Mistake("an empty folder without a marker counts as one whose files were deleted", .startsOnEmptyRoot),
    ]

    /// Seeds to try: the mistake that is hardest to find takes a tenth of them.
    static let seeds: UInt64 = 3000

    @Test("a deliberate mistake is found", arguments: list)
    func found(_ mistake: Mistake) {
        for seed in 0..<Self.seeds {
            guard let failure = RandomWorld(seed: seed, mistakes: mistake.mistakes).run() else { continue }
            #expect(RandomWorld(seed: seed).run() == nil, "the model has a mistake of its own")
            print(
                "\(mistake.testDescription): found in world \(seed) by \(failure.actions.count) actions: \(failure.reason.prefix(60).split(separator: "\n")[0])"
            )
            return
        }
        Issue.record("not found in \(Self.seeds) worlds")
    }
}
