import Glibc
import PortolanValues
import Synchronization

/// Keeps some space of a file system free while an item is stored on it.
final class SpaceWatch: Sendable {
    /// The most bytes that are written between two looks at the file system.
    private static let longestStep: UInt64 = 4 << 20
    /// Space that a file, folder or link takes besides its content, in bytes.
    static let entry = 4096

    /// Bytes that must stay free.
    let reserve: UInt64
    private let folder: Descriptor
    private let step: UInt64
    private let unchecked = Atomic<UInt64>(0)

    init(_ folder: Descriptor, reserve: UInt64) {
        self.folder = folder
        self.reserve = reserve
        step = min(Self.longestStep, reserve / 8 + 1)
    }

    /// Checks that there is room for this many more bytes.
    ///
    /// - Throws: ``FileError/Kind/noSpace``
    func check(roomFor size: UInt64, _ name: FileName?) throws(FileError) {
        guard let free = folder.freeSpace() else { return }
        let (needed, overflow) = size.addingReportingOverflow(reserve)
        if !overflow, needed <= free { return }
        if reserve == 0 { throw .storing(DisplayText(name?.text ?? "the item"), SystemFailure(ENOSPC)) }
        throw FileError(
            .noSpace,
            "There is no room for “\(name?.description ?? "the item")”: \(free) bytes are free and \(reserve) of them are to "
                + "stay free; free some and send it again.")
    }

    /// Counts bytes that are written, and looks at the file system now and then.
    ///
    /// - Throws: ``FileError/Kind/noSpace``
    func use(_ count: Int, _ name: FileName) throws(FileError) {
        if isDue(after: UInt64(count)) { try check(roomFor: 0, name) }
    }

    /// Counts bytes before they are written.
    ///
    /// - Returns: true if there is room for the bytes.
    func hasRoom(for count: UInt64) -> Bool {
        !isDue(after: count) || (folder.freeSpace() ?? .max) >= reserve
    }

    /// True if the file system has no free inode for a further file or folder.
    var isOutOfEntries: Bool {
        var status = statvfs()
        return fstatvfs(folder.number, &status) == 0 && status.f_files > 0 && status.f_favail == 0
    }

    /// True if the file system has space for other items.
    var leavesRoomForOthers: Bool { (folder.freeSpace() ?? .max) >= folder.usualReserve() / 2 }

    private func isDue(after count: UInt64) -> Bool {
        // Without a reserve, the write itself fails if there is no room.
        guard reserve > 0, unchecked.wrappingAdd(count, ordering: .relaxed).newValue >= step else { return false }
        unchecked.store(0, ordering: .relaxed)
        return true
    }
}
