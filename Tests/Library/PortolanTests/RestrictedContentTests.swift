import Foundation
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan

/// The memory of restricted content: bounded, and read back as it was written.
@Suite struct RestrictedContentTests {
    private func withStore(_ body: (RestrictedContentStore, String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-restricted-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let home = try HomeDirectory(override: root.path, environment: [:])
        try body(RestrictedContentStore(home: home), home.state + "/restricted")
    }

    private func content(_ number: Int, groups: Int = 0) throws -> RestrictedContent {
        let team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: 16)))
        let names = try (0..<groups).map { try GroupName(String(repeating: "g", count: 50) + "\($0)") }
        let restriction = Restriction(
            groups == 0 ? .team : .group, for: try Audience(team: team, groups: names))
        let digest = (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) }
        return RestrictedContent(size: UInt64(number) + 1, digest: digest, restriction: restriction)
    }

    @Test func recordsAreFoundBySizeAndDigest() throws {
        try withStore { store, _ in
            #expect(store.isEmpty && store.contents().isEmpty)
            let kept = try [content(1), content(2, groups: 3)]
            try store.remember(kept)
            try store.remember(kept)
            #expect(!store.isEmpty)
            let contents = store.contents()
            for content in kept {
                #expect(contents.restrictions(size: content.size, digest: content.digest) == [content.restriction])
                #expect(contents.restrictions(size: content.size, digest: [UInt8](repeating: 9, count: 32)).isEmpty)
            }
            #expect(!contents.holds(size: 77))
        }
    }

    @Test func theOldestIsForgottenBeyondTheLimit() throws {
        try withStore { store, path in
            let all = try (0..<RestrictedContentStore.recordsPerFile * 9).map { try content($0) }
            for start in stride(from: 0, to: all.count, by: 20_000) {
                try store.remember(Array(all[start..<min(start + 20_000, all.count)]))
            }
            let contents = store.contents()
            #expect(!contents.holds(size: all[0].size))
            #expect(contents.holds(size: all[RestrictedContentStore.recordsPerFile].size))
            #expect(contents.holds(size: try #require(all.last).size))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "lock" }.count == 8)
        }
    }

    @Test func longAudiencesFillAFileBeforeItsRecordsDo() throws {
        try withStore { store, path in
            try store.remember((0..<1200).map { try content($0, groups: 60) })
            for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "lock" {
                let size = try #require(FileManager.default.contents(atPath: "\(path)/\(name)")).count
                #expect(size <= RestrictedContentStore.bytesPerFile)
            }
            #expect(store.contents().holds(size: 1))
        }
    }

    @Test func damagedRecordEndsTheList() throws {
        let records = try [content(1), content(2), content(3)]
        let bytes = records.flatMap(\.record)
        #expect(RestrictedContent.records(in: bytes) == records)
        for end in bytes.indices {
            let read = RestrictedContent.records(in: Array(bytes[..<end]))
            #expect(read == Array(records.prefix(read.count)))
        }
        var changed = bytes
        changed[records[0].record.count + 42] ^= 0xff
        #expect(RestrictedContent.records(in: changed) == [records[0]])
        #expect(RestrictedContent.records(in: [UInt8](repeating: 0xff, count: 4096)).isEmpty)
    }
}
