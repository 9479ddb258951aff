import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import Synchronization
import Testing

@testable import PortolanSyncing

/// Changed files of a member that takes long to read them.
@Suite(.serialized) struct LateDescriptionTests {
    /// Bytes that are read at once for chunks, and never for content.
    private static let piece = 256 << 10

    private static let first = ChangedFileTests.bytes(4 << 20)
    /// The next version, which differs in a small part.
    private static let second = {
        var bytes = first
        bytes[700_000] ^= 1
        return bytes
    }()

    /// Two devices with a shared folder: the second one reads slowly.
    private func pair(
        pause: (@Sendable (SyncWait) async throws -> Void)? = nil, _ meddling: MeddlingHost.Meddling
    ) throws -> (one: SyncDevice, slow: SyncDevice) {
        let one = try SyncDevice("one", pause: pause)
        let slow = try SyncDevice("slow", meddling: meddling)
        let id = SyncFolderID()
        try one.share(id, with: [slow])
        try slow.share(id, with: [one])
        return (one, slow)
    }

    /// Runs both devices, from the first version on both of them.
    private func running(
        _ one: SyncDevice, _ slow: SyncDevice, _ body: () async throws -> Void
    ) async throws {
        try slow.write("large", Self.first)
        try await SyncDevice.running([one, slow]) {
            try await one.changed { one.bytes("large") == Self.first }
            try await body()
        }
    }

    /// Checks that the second version comes to a device with fewer bytes than `most`.
    private func checkSecond(on one: SyncDevice, from slow: SyncDevice, most: Int) async throws {
        let whole = one.received
        try slow.write("large", Self.second)
        try await one.changed { one.bytes("large") == Self.second }
        #expect(one.received - whole < most, "\(one.received - whole)")
    }

    @Test("a description that takes too long is refused, and not asked for again: the content comes as it is")
    func refused() async throws {
        let (hangs, fails) = (Signal(), Signal())
        let scans = Mutex(0)
        let gives = Mutex(true)
        let (one, slow) = try pair(
            .hesitates(
                reading: { count in
                    if count == Self.piece {
                        scans.withLock { $0 += 1 }
                        hangs.give()
                        try await Signal.never()
                    }
                    guard gives.withLock(\.self) else {
                        fails.give()
                        throw CancellationError()
                    }
                },
                pausing: { wait in
                    guard wait == .description else { return try await Signal.never() }
                    try await hangs.wait()
                }))
        try await running(one, slow) {
            gives.withLock { $0 = false }
            try slow.write("large", Self.second)
            // The content cannot be read, either, so another round requests it.
            try await fails.wait()
            gives.withLock { $0 = true }
            try slow.write("small", [1])
            try await one.changed { one.bytes("large") == Self.second }
            let count = scans.withLock(\.self)
            #expect(count == 1)
        }
    }

    @Test("a member that reads for a description is not silent")
    func silence() async throws {
        let (hangs, goesOn) = (Signal(), Signal())
        let pauses = Mutex(0)
        let (one, slow) = try pair(
            pause: { wait in
                guard wait == .answer else { return try await Signal.never() }
                try await hangs.wait()
                // The first pause may have begun before the question.
                let count = pauses.withLock { count in
                    count += 1
                    return count
                }
                if count == 3 { goesOn.give() }
                if count > 3 { try await Signal.never() }
            },
            .hesitates(
                reading: { count in
                    guard count == Self.piece else { return }
                    hangs.give()
                    try await goesOn.wait()
                }, pausing: { _ in try await Signal.never() }))
        try await running(one, slow) { try await checkSecond(on: one, from: slow, most: 32 << 10) }
    }

    @Test("a member that describes nothing in the time of a comparison is asked for no further description")
    func unanswered() async throws {
        let hangs = Signal()
        let scans = Mutex(0)
        let (one, slow) = try pair(
            pause: { wait in
                guard wait == .comparison else { return try await Signal.never() }
                try await hangs.wait()
            },
            .hesitates(
                reading: { count in
                    guard count == Self.piece else { return }
                    scans.withLock { $0 += 1 }
                    hangs.give()
                    try await Signal.never()
                }, pausing: { _ in try await Signal.never() }))
        try await running(one, slow) {
            for bytes in [Self.second, Self.second + [7]] {
                try slow.write("large", bytes)
                try await one.changed { one.bytes("large") == bytes }
            }
            let count = scans.withLock(\.self)
            #expect(count == 1)
        }
    }

    @Test("what is known of a changed file when the time is over is of use")
    func halfKnown() async throws {
        let hangs = Signal()
        let state = Mutex((isScanned: false, hasHung: false))
        let (one, slow) = try pair(
            pause: { wait in
                guard wait == .comparison else { return try await Signal.never() }
                try await hangs.wait()
            },
            .hesitates(
                reading: { count in
                    let hangsNow = state.withLock { state in
                        if count == Self.piece { state.isScanned = true }
                        guard state.isScanned, !state.hasHung, count != Self.piece else { return false }
                        state.hasHung = true
                        return true
                    }
                    // Chunks are known, so sums are requested.
                    guard hangsNow else { return }
                    hangs.give()
                    try await Signal.never()
                }, pausing: { _ in try await Signal.never() }))
        try await running(one, slow) { try await checkSecond(on: one, from: slow, most: 1 << 20) }
        let hasHung = state.withLock(\.hasHung)
        #expect(hasHung)
    }

    // MARK: Sizes

    /// Zeros that are read from nowhere.
    private struct Zeros: ContentSource {
        let size: Int

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            [UInt8](repeating: 0, count: max(0, min(count, size - Int(offset))))
        }
    }

    @Test("content has a description up to a size, and not a byte above it", arguments: [1_000_000, 1 << 20])
    func size(most: Int) async throws {
        let key = [UInt8](repeating: 1, count: 32)
        for (size, isDescribed) in [(most - 1, true), (most, true), (most + 1, false), (most + Self.piece, false)] {
            let list = try await WantedContents.chunks(of: Zeros(size: size), key, most: UInt64(most))
            #expect((list != nil) == isDescribed, "\(size)")
        }
    }

    @Test("a peer is asked for no description twice, and for none after a long wait")
    func undescribed() throws {
        let (one, other) = (ContentDigest(1), ContentDigest(2))
        let undescribed = Undescribed()
        #expect(undescribed.mayAsk(of: one))
        undescribed.insert(one)
        #expect(!undescribed.mayAsk(of: one) && undescribed.mayAsk(of: other))
        undescribed.insertAll()
        undescribed.insert(one)
        #expect(!undescribed.mayAsk(of: other))
    }
}
