import PortolanValues

/// Reason why a file could not be read, stored or accepted: a kind for programs and one sentence for people.
///
/// The sentence has the event and the remedy, and is safe to print: names in it went through ``DisplayText``. It may
/// name paths of this machine, so it is shown here and never sent to a peer.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable, CaseIterable {
        // Errors in incoming items.
        /// A name that no file of ours may have.
        case unacceptableName
        /// Entries that make no tree, or content that differs from its announcement.
        case malformedTree
        /// More content came than was offered or is accepted.
        case tooMuch
        /// A file has changed since reading began.
        case sourceChanged

        // Errors in reading sources.
        case notFound
        case unreadable
        /// A pipe, socket or device.
        case notFileOrFolder
        /// The stored restriction is narrower than the audience that would be shown the file.
        case keptFromOthers

        // The destination does not take it.
        case noSpace
        case readOnly
        case notPermitted
        /// The destination was removed, unmounted or exchanged.
        case destinationGone
        case notFolder
        /// A symbolic link or another file appeared where we were writing.
        case tamperedWith
        /// A stored file or folder was changed or moved during the comparison with the sender's.
        case changedHere
        /// This file system cannot hold such a name.
        case nameRefused
        case nameTaken
        /// This file system cannot hold a file of that size.
        case tooLarge
        /// This file system cannot store the item's restriction.
        case visibilityNotKept
        /// A required property cannot be kept.
        case fidelity

        // Other reasons for the end of an item.
        /// The item was discarded while something was still being stored, as when a transfer is cancelled.
        case stopped
        case inputOutput
        case tooManyOpenFiles
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        description = sentence
    }
}

extension FileError {
    /// Makes the error for a failed system call on a stored entry.
    ///
    /// - Parameter subject: the entry for display: a name inside the item, or the inbox's path.
    package static func storing(_ subject: DisplayText, _ failure: SystemFailure) -> FileError {
        switch failure.reason {
        case .noSpace: FileError(.noSpace, "There is no space left to store “\(subject)”; free some and send it again.")
        case .readOnly: FileError(.readOnly, "“\(subject)” cannot be stored: the file system is read-only.")
        case .notPermitted:
            FileError(
                .notPermitted, "“\(subject)” cannot be stored: permission denied. Choose a folder you may write to.")
        case .missing:
            FileError(.destinationGone, "“\(subject)” cannot be stored: the folder it was going to is gone.")
        case .inTheWay: tampered(subject)
        case .name: FileError(.nameRefused, "“\(subject)” cannot be stored: this file system does not take that name.")
        case .tooLarge:
            FileError(
                .tooLarge, "“\(subject)” is too large for this file system or for the limits set on this process.")
        case .descriptors: FileError.tooManyOpenFiles
        case .interrupted: FileError.stopped
        case .restriction:
            FileError(
                .visibilityNotKept,
                "“\(subject)” cannot be stored: the file system cannot keep who may see it. Receive it into a folder on a file "
                    + "system with extended attributes that hold as much.")
        case .other(let text):
            FileError(.inputOutput, "Storing “\(subject)” failed: \(text). Nothing of it was kept; check the disk.")
        }
    }

    /// Makes the error for a folder to receive into that does not exist and cannot be made.
    ///
    /// - Parameter isAboveThere: true if the folder that it was to be made in exists.
    static func making(_ folder: DisplayText, _ failure: SystemFailure, isAboveThere: Bool) -> FileError {
        let (kind, reason): (Kind, String) =
            switch failure.reason {
            case .noSpace: (.noSpace, "there is no space left")
            case .readOnly: (.readOnly, "the file system is read-only")
            case .notPermitted: (.notPermitted, "permission denied")
            case .missing where isAboveThere: (.notPermitted, "this file system lets nobody make folders there")
            case .missing: (.destinationGone, "a link above it leads nowhere")
            case .inTheWay: (.notFolder, "a part of the path is no folder")
            case .name: (.nameRefused, "this file system does not take that name")
            default: (.inputOutput, failure.text)
            }
        return FileError(kind, "The folder “\(folder)” cannot be made: \(reason). Choose another one to receive into.")
    }

    /// Makes the error for a failed system call on a source.
    static func reading(_ subject: DisplayText, _ failure: SystemFailure) -> FileError {
        switch failure.reason {
        case .missing: FileError(.notFound, "There is no “\(subject)”.")
        case .notPermitted: FileError(.unreadable, "“\(subject)” cannot be read: permission denied.")
        case .inTheWay:
            FileError(
                .notFound, "“\(subject)” cannot be reached: a part of the path is no folder or a link to nowhere.")
        case .descriptors: FileError.tooManyOpenFiles
        default: FileError(.inputOutput, "Reading “\(subject)” failed: \(failure.text).")
        }
    }

    /// - Parameter place: folder or file that cannot store the restriction.
    static func visibilityNotKept(_ restriction: Restriction, by place: String) -> FileError {
        FileError(
            .visibilityNotKept,
            "The item is only for \(restriction), and \(place) cannot keep that: its file system has no extended attributes, or "
                + "they hold too little. Receive it on another file system, or ask for a smaller audience.")
    }

    static func keptFromOthers(
        _ subject: DisplayText, _ restriction: Restriction, shownTo shown: Restriction
    ) -> FileError {
        FileError(
            .keptFromOthers,
            "“\(subject)” is kept for \(restriction) and cannot be shown to \(shown); offer it to nobody else.")
    }

    /// Makes the error for an item that is one of the program's own files, or in their folder.
    package static func own(_ subject: DisplayText) -> FileError {
        FileError(.keptFromOthers, "“\(subject)” is among the program's own files, which go to nobody.")
    }

    /// Makes the error for a folder to receive into that is one of the program's own, or below one.
    static func amongOwn(_ folder: DisplayText) -> FileError {
        FileError(
            .notPermitted,
            "“\(folder)” is among the program's own files, where nothing is received. Choose another folder.")
    }

    /// Makes the error for a file of an item whose restriction has changed since the peer was offered it.
    static func restrictedMeanwhile(_ subject: DisplayText, _ restriction: Restriction) -> FileError {
        FileError(.keptFromOthers, "“\(subject)” is only for \(restriction) now and was left out.")
    }

    /// Makes the error for an item that the peer may not see any more.
    static func withdrawn(_ subject: DisplayText, _ restriction: Restriction) -> FileError {
        FileError(
            .keptFromOthers, "“\(subject)” is only for \(restriction), and the receiver may not see it any more.")
    }

    static func tampered(_ subject: DisplayText) -> FileError {
        FileError(
            .tamperedWith,
            "“\(subject)” was not stored: another program put something in its way while it was being received.")
    }

    static func changedHere(_ subject: DisplayText) -> FileError {
        FileError(.changedHere, "“\(subject)” was changed here while it was compared; send it again.")
    }

    /// Makes the error for a required property that cannot be kept.
    ///
    /// - Parameter subject: the entry, for a person.
    static func lost(_ reason: Loss.Reason, of subject: String) -> FileError {
        FileError(.fidelity, "“\(subject)” would lose something that must be kept: \(reason.sentence).")
    }

    /// Runs a call that stores something.
    package static func whileStoring<Result>(
        _ subject: DisplayText, _ call: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        try translating(call()) { (error: SystemFailure) in FileError.storing(subject, error) }
    }

    /// Runs a call that reads a source.
    static func whileReading<Result>(
        _ subject: DisplayText, _ call: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        try translating(call()) { (error: SystemFailure) in FileError.reading(subject, error) }
    }

    static func malformed(_ sentence: String) -> FileError {
        FileError(.malformedTree, "The other side sent something that is no proper item: \(sentence).")
    }

    /// Throws ``malformed(_:)`` unless an item has its proper form.
    static func checkForm(_ isProper: Bool, _ sentence: @autoclosure () -> String) throws(FileError) {
        if !isProper { throw malformed(sentence()) }
    }

    static func twice(_ name: some Collection<UInt8>) -> FileError {
        malformed("two entries called “\(DisplayText(bytes: name, limit: 80))” in one folder")
    }

    package static let stopped = FileError(.stopped, "The transfer was stopped; nothing of it was kept.")

    static let tooManyOpenFiles = FileError(
        .tooManyOpenFiles,
        "This process may not open any more files; raise its limit (ulimit -n) or transfer less at once.")
}
