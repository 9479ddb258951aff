/// Deliberate mistakes for tests that check whether mistakes are found. Empty otherwise.
package struct InjectedMistakes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    // Records
    package static let keepsOneVersion = InjectedMistakes(rawValue: 1 << 0)
    package static let deletionBeatsEdit = InjectedMistakes(rawValue: 1 << 1)
    package static let forgetsVersions = InjectedMistakes(rawValue: 1 << 2)
    // View
    package static let leavesCycles = InjectedMistakes(rawValue: 1 << 3)
    package static let breaksCyclesAlone = InjectedMistakes(rawValue: 1 << 4)
    package static let dropsDeletedFolders = InjectedMistakes(rawValue: 1 << 5)
    package static let prefersOwnVersion = InjectedMistakes(rawValue: 1 << 6)
    // Observation
    package static let writeReplacesAll = InjectedMistakes(rawValue: 1 << 7)
    package static let deletionReplacesAll = InjectedMistakes(rawValue: 1 << 8)
    package static let adoptsByName = InjectedMistakes(rawValue: 1 << 9)
    package static let forgetsParked = InjectedMistakes(rawValue: 1 << 11)
    // Planning and steps
    package static let removesUnseen = InjectedMistakes(rawValue: 1 << 13)
    package static let replacesUnseen = InjectedMistakes(rawValue: 1 << 14)
    package static let placesOverOthers = InjectedMistakes(rawValue: 1 << 15)
    package static let removesFullFolders = InjectedMistakes(rawValue: 1 << 16)
    package static let commitsFirst = InjectedMistakes(rawValue: 1 << 17)
    package static let neverParks = InjectedMistakes(rawValue: 1 << 18)
    package static let keepsReplacement = InjectedMistakes(rawValue: 1 << 19)
    // Members and epochs
    package static let ignoresMarker = InjectedMistakes(rawValue: 1 << 20)
    package static let ignoresEpochOfPeer = InjectedMistakes(rawValue: 1 << 21)
    package static let acknowledgesUnmerged = InjectedMistakes(rawValue: 1 << 22)
    package static let keepsNewsToItself = InjectedMistakes(rawValue: 1 << 23)
    package static let forgetsDeletionsEarly = InjectedMistakes(rawValue: 1 << 24)
    package static let startsOnEmptyRoot = InjectedMistakes(rawValue: 1 << 25)
}
