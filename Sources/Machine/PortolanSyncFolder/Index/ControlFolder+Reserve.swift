import Glibc
import PortolanFiles

/// Room on the disk that is kept for the marker: without it, a full disk would keep the folder from being opened, and
/// thereby from deletions of others, which free room.
extension ControlFolder {
    private static let reserveName = "reserve"
    private static let reserveBytes = 4096

    /// Runs `body`, and once more without the reserve if the disk is full.
    func withReserve(_ body: () throws(SystemFailure) -> Void) throws(SystemFailure) {
        do throws(SystemFailure) {
            try body()
        } catch {
            guard error.isFull else { throw error }
            try storage.removeIfPresent(Self.reserveName, in: folder)
            try body()
        }
        keepReserve()
    }

    /// Makes the reserve if there is none. On a full disk a later call makes it.
    private func keepReserve() {
        let size = (try? storage.status(of: Self.reserveName, in: folder))?.size
        guard size.map({ $0 < Self.reserveBytes }) ?? true else { return }
        do throws(SystemFailure) {
            try storage.removeIfPresent(Self.reserveName, in: folder)
            let file = try storage.makeFile(Self.reserveName, in: folder, mode: 0o600)
            // File systems keep no blocks for zeros, or few for what repeats.
            try storage.write((0..<Self.reserveBytes).map { _ in .random(in: .min ... .max) }, to: file, at: 0)
        } catch { try? storage.removeIfPresent(Self.reserveName, in: folder) }
    }
}
