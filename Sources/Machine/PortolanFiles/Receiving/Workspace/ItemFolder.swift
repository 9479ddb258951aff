import PortolanValues
import Synchronization

/// Folder of an item that is being received.
///
/// Entries come depth first, so only the folders above the last entry can get more; besides those, only folders with
/// unfinished files are kept in memory.
final class ItemFolder: Sendable {
    let entry: TreeEntry
    /// Nil for the item itself.
    let parent: ItemFolder?
    /// The item itself has depth 0.
    let depth: Int
    /// Restriction of the folder, combined with those of the folders above it and of the item.
    let restriction: Restriction
    /// Reason why neither the folder nor its entries are stored; nil if they are.
    let omission: Loss.Reason?
    /// Folder that an earlier transfer of the same source left.
    let earlier: HeldFolder?
    /// The folder in the inbox that is being brought up to date.
    let stored: HeldFolder?
    /// True if the stored folder has another time: of a change here or at the sender's, or of an update that was
    /// interrupted.
    let isOutOfDate: Bool
    /// Held while the folder is created, while names in it change, and while it is completed.
    let changing = Mutex(())
    private let state: Mutex<State>

    private struct State {
        var made: HeldFolder?
        var unfinished = 0
        var isLeft = false
        /// Received names of an updated folder: a stored entry is not created again, so the disk would not show a
        /// second entry of the same name.
        var names = SeenNames()
        var areAllRemembered = true
        /// Names of entries that are not stored.
        var leftOut: Set<[UInt8]> = []
    }

    init(
        _ entry: TreeEntry, in parent: ItemFolder?, for restriction: Restriction, earlier: HeldFolder?,
        stored: HeldFolder?, isOutOfDate: Bool
    ) {
        self.entry = entry
        self.parent = parent
        self.restriction = restriction
        omission = nil
        self.earlier = earlier
        self.stored = stored
        self.isOutOfDate = isOutOfDate
        depth = parent.map { $0.depth + 1 } ?? 0
        state = Mutex(State())
    }

    /// A folder that is not stored. Of its entry, only the number is looked at.
    init(leftOut index: UInt32, because reason: Loss.Reason, in parent: ItemFolder) {
        entry = TreeEntry(
            index: index, parent: parent.entry.index, name: FileName(obeying: "left out"), kind: .folder,
            permissions: 0, modified: .now)
        self.parent = parent
        restriction = .nobody
        omission = reason
        earlier = nil
        stored = nil
        isOutOfDate = false
        depth = parent.depth + 1
        state = Mutex(State())
    }

    var isLeftOut: Bool { omission != nil }

    /// Folder in which the entries are staged; nil while an updated folder has no new entries.
    var made: HeldFolder? {
        get { state.withLock(\.made) }
        set { state.withLock { $0.made = newValue } }
    }

    /// True if no more entries come into the folder.
    var isComplete: Bool { state.withLock { $0.isLeft && $0.unfinished == 0 } }

    /// Returns true if no other entry has this name, in the cases that the disk does not show. Called once for each
    /// name.
    ///
    /// - Parameter remembered: number of names in memory for all folders above the entry.
    func isNew(_ name: FileName, _ remembered: inout Int) -> Bool {
        guard !hasLeftOut(name.text.utf8) else { return false }
        guard stored != nil else { return true }
        var text = name.text
        let isGrowing = remembered < SeenNames.maximum
        let isNew = text.withUTF8 { bytes in
            state.withLock { state in
                if !isGrowing { state.areAllRemembered = false }
                return state.names.insert(UnsafeRawBufferPointer(bytes), isGrowing: isGrowing)
            }
        }
        if isNew, isGrowing { remembered += 1 }
        return isNew
    }

    /// True if all received names are in memory.
    var remembersAllNames: Bool { state.withLock(\.areAllRemembered) }

    /// Names that are remembered.
    var rememberedNames: Int { state.withLock(\.names.count) }

    /// Notes the name of an entry that is not stored.
    func leaveOut(_ name: [UInt8]) { state.withLock { _ = $0.leftOut.insert(name) } }

    /// Returns true if an entry of this name was not stored.
    func hasLeftOut(_ name: some Sequence<UInt8>) -> Bool {
        state.withLock { !$0.leftOut.isEmpty && $0.leftOut.contains(Array(name)) }
    }

    /// Returns true if an entry of this name was received, or one of a name from which
    /// ``FileName/numbered(_:isFolder:)`` makes it.
    func hasCome(_ name: FileName) -> Bool {
        func hasCome(_ text: String) -> Bool {
            var text = text
            return text.withUTF8 { self.hasCome(UnsafeRawBufferPointer($0)) }
        }
        return hasCome(name.text) || hasCome(name.unnumbered)
    }

    /// Returns true if an entry of exactly this name was received.
    func hasCome(_ name: UnsafeRawBufferPointer) -> Bool {
        state.withLock { !$0.names.insert(name, isGrowing: false) }
    }

    func begin() { state.withLock { $0.unfinished += 1 } }

    /// Notes that a file in the folder is finished.
    ///
    /// - Returns: true if nothing more comes into the folder.
    func finishOne() -> Bool {
        state.withLock { state in
            state.unfinished -= 1
            return state.isLeft && state.unfinished == 0
        }
    }

    /// Notes that the following entries are outside of the folder.
    ///
    /// - Returns: true if nothing more comes into the folder.
    func leave() -> Bool {
        state.withLock { state in
            state.isLeft = true
            state.names = SeenNames()
            return state.unfinished == 0
        }
    }
}

extension ItemFolder {
    /// Returns the path of a name in `folder`, below the item; empty for the item itself, which has no folder.
    static func path(of name: FileName?, in folder: ItemFolder?) -> String {
        guard var next = folder else { return "" }
        var parts: [String] = []
        if let name { parts.append(name.text) }
        while let parent = next.parent {
            parts.append(next.entry.name.text)
            next = parent
        }
        return parts.reversed().joined(separator: "/")
    }
}
