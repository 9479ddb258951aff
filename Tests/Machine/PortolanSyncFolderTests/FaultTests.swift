import Foundation
import Glibc
import PortolanSyncPlan
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// A call on the disk fails, while a device scans its folder and makes the changes of another.
@Suite(.atOnce(3)) struct FaultTests {
    /// Numbers of the calls of a kind that fail, each in a folder of its own.
    private static let numbers = [1, 2, 3, 5, 8, 13, 21, 34, 55]

    /// Changes of both devices, of which the second one's are known to the first.
    private func changed(_ disk: WatchedStorage) async throws -> SyncFolders {
        let folders = try await SyncFolders.withChanges(on: disk, and: [("own", "6"), ("mine", "7")])
        try folders.write(0, "own", "new 6")
        try folders.makeFolder(0, "here")
        try folders.write(0, "here/made", "new 7")
        folders.move(0, "mine", to: "here/mine")
        return folders
    }

    private static let wanted = [
        "edited=new 1", "here/", "here/made=new 7", "here/mine=7", "left=4", "link->left", "own=new 6", "right=3", "y/",
        "y/moved=5", "y/z/", "y/z/made=new 2",
    ]

    @Test("a call that fails once loses nothing, deletes nothing, and all settles", arguments: [ENOSPC, EIO, EINTR])
    func once(error: Int32) async throws {
        let counting = WatchedStorage()
        var folders = try await changed(counting)
        counting.fail(nil)
        try await folders.synchronize(0)
        let calls = counting.calls
        #expect(calls.count > 10 && calls.values.reduce(0, +) > 50, "\(calls)")
        try await folders.settle()
        #expect(try folders.common() == Self.wanted)
        for (call, count) in calls.sorted(by: { $0.key < $1.key }) {
            for number in Self.numbers where number <= count {
                let disk = WatchedStorage()
                folders = try await changed(disk)
                disk.fail(call, number: number, with: error)
                _ = try? await folders.synchronize(0)
                disk.fail(nil)
                try await folders.settle()
                #expect(try folders.common() == Self.wanted, "error \(error) of call \(number) of \(call)")
                #expect(
                    try await history(folders, 0).isSuperset(of: ["1", "2"]),
                    "error \(error) of call \(number) of \(call)")
                #expect(try await history(folders, 1).contains("6"), "error \(error) of call \(number) of \(call)")
                for device in 0..<2 { try await folders.replicas[device].close() }
            }
        }
    }

    /// Contents in the history of a device.
    private func history(_ folders: SyncFolders, _ number: Int) async throws -> Set<String> {
        Set(
            try await folders.replicas[number].history().compactMap {
                folders.text(number, "\(ControlFolder.name)/history/\($0.file)")
            })
    }
}
