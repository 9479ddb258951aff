import PortolanValues
import Synchronization

/// Result of the last check whether the inbox's file system supports extended attributes, which store restrictions.
final class AttributeProbe: Sendable {
    private struct Result {
        let folder: FileIdentity
        let isKept: Bool
    }

    private let result = Mutex<Result?>(nil)

    /// nil before the first look.
    var last: Bool? { result.withLock { $0?.isKept } }

    func result(for folder: FileIdentity) -> Bool? { result.withLock { $0?.folder == folder ? $0?.isKept : nil } }

    func set(_ isKept: Bool, for folder: FileIdentity) {
        result.withLock { $0 = Result(folder: folder, isKept: isKept) }
    }
}

extension Inbox {
    /// Last result of ``keepsRestrictions()``, without the disk; true before the first.
    package var isThoughtToKeepRestrictions: Bool { attributes.last ?? true }

    /// Checks whether the inbox can store the restriction of an item. The check creates a hidden folder, once for each
    /// inbox folder.
    ///
    /// - Throws: ``FileError`` if the folder is missing or not writable, or its disk is full.
    package func keepsRestrictions() throws(FileError) -> Bool {
        let folder = try open()
        return try FileError.whileStoring(DisplayText(path)) { () throws(SystemFailure) in
            let identity = try folder.status().identity
            if let isKept = attributes.result(for: identity) { return isKept }
            let workspace = try Workspace(in: folder, features: features, storage: storage)
            defer { workspace.remove() }
            let isKept = try Self.keepsRestriction(on: workspace.folder, by: storage)
            attributes.set(isKept, for: identity)
            return isKept
        }
    }

    /// Returns the error for an item whose restriction the inbox cannot store.
    package func notKept(_ restriction: Restriction) -> FileError {
        .visibilityNotKept(restriction, by: "the folder “\(DisplayText(path))”")
    }

    private static func keepsRestriction(
        on folder: Descriptor, by storage: any Storage
    ) throws(SystemFailure) -> Bool {
        do throws(SystemFailure) {
            try StoredVisibility.keep(.nobody, on: folder, by: storage)
            return true
        } catch {
            if error.isTrouble || error.reason == .noSpace { throw error }
            return false
        }
    }
}
