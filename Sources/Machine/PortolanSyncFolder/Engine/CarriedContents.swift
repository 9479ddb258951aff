import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import Synchronization

/// Small contents that came with changes of members, until a synchronization has used them.
///
/// The contents are in one unnamed file of the staging folder, which ends with the process. The first copy of a folder
/// arrives in many answers before any step runs, and memory holds the contents of one answer at a time.
final class CarriedContents: Sendable {
    /// Most contents that are kept, and most bytes that they have.
    static let most = (contents: 65_536, bytes: UInt64(256) << 20)
    /// Bytes that are written at once.
    private static let writeBytes = 256 << 10

    private struct State {
        var file: Descriptor?
        var places: [ContentDigest: Range<UInt64>] = [:]
        var bytes: UInt64 = 0
    }

    private let storage: any Storage
    private let state = Mutex(State())

    init(_ storage: any Storage) { self.storage = storage }

    /// True if there is room for the contents of another answer of `size` bytes.
    ///
    /// - Parameter free: free space of the file system, in bytes.
    func mayTake(bytes: UInt64, free: UInt64) -> Bool {
        state.withLock { state in
            // A quarter of the free space is the limit, because the same files will also be stored in the folder.
            state.places.count < Self.most.contents && state.bytes + bytes <= Self.most.bytes
                && (state.bytes + bytes) * 4 <= free
        }
    }

    func has(_ digest: ContentDigest) -> Bool { state.withLock { $0.places[digest] != nil } }

    /// Keeps verified contents. Contents without room are requested when they are needed.
    ///
    /// Not for concurrent calls.
    func keep(_ contents: [ContentDigest: [UInt8]], in control: ControlFolder) {
        // The lock is not held over calls that wait for the disk.
        var new = state.withLock { exchange(&$0, with: State()) }
        try? add(contents, to: &new, in: control)
        state.withLock { [new] in $0 = new }
    }

    private func add(
        _ contents: [ContentDigest: [UInt8]], to state: inout State, in control: ControlFolder
    ) throws(SystemFailure) {
        if state.file == nil { state.file = try open(in: control) }
        guard let file = state.file else { return }
        var buffer: [UInt8] = []
        var buffered: [ContentDigest: Range<UInt64>] = [:]
        for (digest, content) in contents where state.places[digest] == nil {
            let offset = state.bytes + UInt64(buffer.count)
            guard state.places.count + buffered.count < Self.most.contents,
                offset + UInt64(content.count) <= Self.most.bytes
            else { break }
            buffered[digest] = offset..<offset + UInt64(content.count)
            buffer += content
            guard buffer.count >= Self.writeBytes else { continue }
            try write(buffer, buffered, to: file, &state)
            (buffer, buffered) = ([], [:])
        }
        try write(buffer, buffered, to: file, &state)
    }

    private func write(
        _ buffer: [UInt8], _ places: [ContentDigest: Range<UInt64>], to file: Descriptor, _ state: inout State
    ) throws(SystemFailure) {
        guard !buffer.isEmpty else { return }
        try storage.write(buffer, to: file, at: state.bytes)
        state.places.merge(places) { $1 }
        state.bytes += UInt64(buffer.count)
    }

    private func open(in control: ControlFolder) throws(SystemFailure) -> Descriptor {
        let name = ControlFolder.newPartName()
        let file = try storage.makeFile(name, in: control.staging, mode: 0o600)
        try storage.remove(name, in: control.staging)
        return file
    }

    func content(_ digest: ContentDigest) -> StoredContent? {
        state.withLock { state in
            guard let file = state.file, let place = state.places[digest] else { return nil }
            return .part(place, of: file, storage)
        }
    }

    /// Drops the remaining contents.
    func drop() { state.withLock { $0 = State() } }
}
