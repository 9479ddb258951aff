import Foundation
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Changed files of which only the new parts are fetched.
@Suite(.serialized) struct ChangedFileTests {
    /// Bytes without repetitions.
    static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt64 = 88_172_645_463_325_252
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }

    /// Two devices with a shared folder, of which the second opens the session.
    private func pair(_ meddling: MeddlingHost.Meddling? = nil) throws -> (one: SyncDevice, other: SyncDevice) {
        let (one, other) = (try SyncDevice("one"), try SyncDevice("other", meddling: meddling))
        let id = SyncFolderID()
        try one.share(id, with: [other])
        try other.share(id, with: [one])
        return (one, other)
    }

    @Test("a byte that is inserted into a large file moves little, to and fro")
    func oneByte() async throws {
        let (one, other) = try pair()
        var bytes = Self.bytes(64 << 20)
        try one.write("large", bytes)
        try await SyncDevice.running([one, other]) {
            try await other.changed { other.bytes("large")?.count == 64 << 20 }
            let whole = other.received
            #expect(whole == 64 << 20)
            bytes.insert(7, at: 33_333_333)
            try one.write("large", bytes)
            try await other.changed { other.bytes("large")?.count == bytes.count }
            #expect(other.bytes("large") == bytes)
            #expect(other.received - whole < 32 << 10, "\(other.received - whole)")
            bytes.removeSubrange(1_000_000..<1_000_500)
            try other.write("large", bytes)
            try await one.changed { one.bytes("large")?.count == bytes.count }
            #expect(one.bytes("large") == bytes)
            #expect(one.received < 32 << 10, "\(one.received)")
        }
    }

    @Test("two versions of a large file in conflict move little")
    func conflict() async throws {
        let (one, other) = try pair()
        let first = Self.bytes(16 << 20)
        var second = first
        second[5_000_000] ^= 1
        second.insert(7, at: 9_000_000)
        try one.write("large", first)
        try other.write("large", second)
        try await SyncDevice.running([one, other]) {
            for device in [one, other] {
                try await device.changed { try device.contents() == [Data(first), Data(second)] }
                #expect(device.received > 0 && device.received < 64 << 10, "\(device.received)")
            }
        }
    }

    @Test("content that is put together wrong is fetched whole, once")
    func mismatch() async throws {
        let count = Mutex(0)
        let (one, other) = try pair(
            .changes { content in
                // The next version goes wrong once.
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number == 2 else { return content }
                var content = content
                content[700_000] ^= 2
                return content
            })
        var bytes = Self.bytes(1 << 20)
        try other.write("large", bytes)
        try await SyncDevice.running([one, other]) {
            try await one.changed { one.bytes("large") == bytes }
            bytes[700_000] ^= 1
            try other.write("large", bytes)
            try await one.changed { one.bytes("large") == bytes }
        }
        let opened = count.withLock(\.self)
        #expect(opened == 3)
    }

    @Test("a file that is changed while its next version is put together from it is kept beside that version")
    func changedMeanwhile() async throws {
        let target = Mutex<SyncDevice?>(nil)
        let mine = Array("changed meanwhile".utf8)
        let (one, other) = try pair(
            .changes { content in
                let device = target.withLock { device in
                    defer { device = nil }
                    return device
                }
                try? device?.overwrite("large", mine)
                return content
            })
        let first = Self.bytes(8 << 20)
        var second = first
        second[100_000] ^= 1
        let changed = mine + first.dropFirst(mine.count)
        try other.write("large", first)
        try await SyncDevice.running([one, other]) {
            try await one.changed { one.bytes("large") == first }
            target.withLock { $0 = one }
            try other.write("large", second)
            for device in [one, other] {
                try await device.changed { try device.contents() == [Data(second), Data(changed)] }
            }
        }
        let isDone = target.withLock { $0 == nil }
        #expect(isDone)
    }
}
