import Foundation
import PortolanProtocol
import Testing

@testable import PortolanSyncPeers

/// Contents that are sent with the changes that name them, and those that are requested.
@Suite(.serialized) struct CarriedContentTests {
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
