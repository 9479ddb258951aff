import Foundation
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Contents that are sent with the changes that name them, and those that are requested.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CarriedContentTests {
    private static func bytes(_ count: Int, _ number: Int = 0) -> [UInt8] {
        let text = Array("\(number) ".utf8)
        return (0..<count).map { text[$0 % text.count] }
    }

    /// Two devices with a folder that is shared, and is empty at the second.
    private func pair() throws -> (one: SyncDevice, other: SyncDevice) {
        let (one, other) = (try SyncDevice("one"), try SyncDevice("other"))
        let id = SyncFolderID()
        try one.share(id, with: [other])
        try other.share(id, with: [one])
        return (one, other)
    }

    @Test("a first copy of small files asks for none of them, in however many answers they come")
    func firstCopy() async throws {
        let (one, other) = try pair()
        // More than one answer has room for.
        let (files, size) = (2_500, 4_096)
        for number in 0..<files { try one.write("\(number)", Self.bytes(size, number)) }
        try await SyncDevice.running([one, other]) {
            try await other.changed { try other.count() == files }
            #expect(other.received == 0)
        }
        for number in stride(from: 0, to: files, by: 99) {
            #expect(other.bytes("\(number)") == Self.bytes(size, number))
        }
    }

    @Test("a large first copy is put into the folder in parts, while further changes are to come")
    func firstCopyInParts() async throws {
        let (one, other) = try pair()
        // More than comes in one turn.
        let files = 2_000
        for number in 0..<files { try one.write("\(number)", Self.bytes(Limits.syncContent, number)) }
        try await SyncDevice.running([one, other]) {
            // The folder is looked at before the first change, and behind the work on each part.
            var looks = 0
            try await other.changed {
                looks += 1
                return try looks > 2 && other.count() == files
            }
            #expect(other.received == 0)
        }
    }

    @Test("the next answer comes while the last one is merged")
    func askedAhead() async throws {
        let hasCome = Atomic(false)
        let other = try SyncDevice(
            "other",
            meddling: .looks { role in
                let before = role.answers
                // Far longer than an answer takes. Who asks for the next one later gets none meanwhile.
                for _ in 0..<6_000 where !hasCome.load(ordering: .relaxed) {
                    if role.answers > before { hasCome.store(true, ordering: .relaxed) }
                    try? await Task.sleep(for: .milliseconds(10))
                }
            })
        let one = try SyncDevice("one")
        let id = SyncFolderID()
        try one.share(id, with: [other])
        try other.share(id, with: [one])
        // More than one answer has room for.
        let (files, size) = (2_500, 4_096)
        for number in 0..<files { try one.write("\(number)", Self.bytes(size, number)) }
        try await SyncDevice.running([one, other]) {
            try await other.changed { try other.count() == files }
            let cameEarly = hasCome.load(ordering: .relaxed)
            #expect(cameEarly)
        }
    }

    @Test("a small file that is changed comes without a question, and a large one is asked for")
    func changes() async throws {
        let (one, other) = try pair()
        try one.write("a", Self.bytes(10))
        try await SyncDevice.running([one, other]) {
            try await other.changed { other.bytes("a") != nil }
            let (small, large) = (Self.bytes(Limits.syncContent, 1), Self.bytes(Limits.syncContent + 1, 2))
            try one.write("a", small)
            try await other.changed { other.bytes("a") == small }
            #expect(other.received == 0)
            try one.write("large", large)
            try await other.changed { other.bytes("large") == large }
            #expect(other.received == UInt64(large.count))
            // The other direction works as well.
            try other.write("b", Self.bytes(20))
            try await one.changed { one.bytes("b") == Self.bytes(20) }
            #expect(one.received == 0)
        }
    }
}
