/// Deliberate mistakes, for tests that show that mistakes are found. Empty in all other uses.
package struct Mistakes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    // Records
    package static let keepsOneVersion = Mistakes(rawValue: 1 << 0)
    package static let deletionBeatsEdit = Mistakes(rawValue: 1 << 1)
    package static let forgetsVersions = Mistakes(rawValue: 1 << 2)
    // View
    package static let leavesCycles = Mistakes(rawValue: 1 << 3)
    package static let breaksCyclesAlone = Mistakes(rawValue: 1 << 4)
    package static let dropsDeletedFolders = Mistakes(rawValue: 1 << 5)
    package static let prefersOwnVersion = Mistakes(rawValue: 1 << 6)
    // Observation
    package static let writeReplacesAll = Mistakes(rawValue: 1 << 7)
    package static let deletionReplacesAll = Mistakes(rawValue: 1 << 8)
    package static let adoptsByName = Mistakes(rawValue: 1 << 9)
    package static let forgetsParked = Mistakes(rawValue: 1 << 11)
    // Planning and steps
    package static let removesUnseen = Mistakes(rawValue: 1 << 13)
    package static let replacesUnseen = Mistakes(rawValue: 1 << 14)
    package static let placesOverOthers = Mistakes(rawValue: 1 << 15)
    package static let removesFullFolders = Mistakes(rawValue: 1 << 16)
    package static let commitsFirst = Mistakes(rawValue: 1 << 17)
    package static let neverParks = Mistakes(rawValue: 1 << 18)
    package static let keepsReplacement = Mistakes(rawValue: 1 << 19)
    // Members and epochs
    package static let ignoresMarker = Mistakes(rawValue: 1 << 20)
    package static let ignoresEpochOfPeer = Mistakes(rawValue: 1 << 21)
    package static let acknowledgesUnmerged = Mistakes(rawValue: 1 << 22)
    package static let keepsNewsToItself = Mistakes(rawValue: 1 << 23)
    package static let forgetsDeletionsEarly = Mistakes(rawValue: 1 << 24)
    package static let startsOnEmptyRoot = Mistakes(rawValue: 1 << 25)
}
