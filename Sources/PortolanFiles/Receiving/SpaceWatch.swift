import Glibc
import PortolanTrust
import Synchronization

/// Sees to it that some space stays free.
final class SpaceWatch: Sendable {
    /// How much is written between two looks.
    private static let step: UInt64 = 64 << 20

    /// Bytes that are to stay free.
    let reserve: UInt64
    private let folder: Descriptor
    private let unchecked = Atomic<UInt64>(0)

    init(_ folder: Descriptor, reserve: UInt64) {
        self.folder = folder
        self.reserve = reserve
    }

    /// Whether there is room for so many bytes more.
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

    /// Counts bytes that were written.
    func use(_ count: Int, _ name: FileName) throws(FileError) {
        // Without a reserve, the write that does not fit says so itself.
        guard reserve > 0 else { return }
        let sum = unchecked.add(UInt64(count), ordering: .relaxed).newValue
        guard sum >= Self.step else { return }
        unchecked.store(0, ordering: .relaxed)
        try check(roomFor: 0, name)
    }
}
