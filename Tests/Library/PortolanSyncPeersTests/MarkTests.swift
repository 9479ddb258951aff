import Foundation
import PortolanTrust
import TestSupport
import Testing

@testable import PortolanSyncPeers

/// Files that are for a team alone, in a folder that is kept alike.
@Suite(.serialized, .attributes(in: FileManager.default.temporaryDirectory.path)) struct MarkTests {
    private let ada: SyncDevice
    private let ben: SyncDevice
    private let dee: SyncDevice

    init() throws {
        (ada, ben, dee) = (try SyncDevice("ada"), try SyncDevice("ben"), try SyncDevice("dee"))
    }

    /// Waits until something is true.
    private func wait(until isTrue: () async throws -> Bool) async throws {
        while try await !isTrue() { try await Task.sleep(for: .milliseconds(20)) }
    }

    private func status(of device: SyncDevice) async throws -> SyncFolderList.Status? {
        try await device.service.overview().first?.status
    }

    @Test("a file for a team waits in a folder that a contact outside has, too, with a word; the others learn nothing")
    func waiting() async throws {
        let team = try ada.found("acme", with: ben)
        _ = try ada.make(for: [ben, dee])
        for device in [ben, dee] { try device.join(ada) }
        try await SyncDevice.running([ada, ben, dee]) {
            try ada.write("plan", [1, 2, 3], for: team)
            await ada.service.refresh()
            try await wait { try await status(of: ada)?.skipped?.map(\.path) == ["plan"] }
            try ada.write("open", [4])
            for device in [ben, dee] {
                try await device.changed { device.bytes("open") == [4] }
                #expect(try device.count() == 1)
            }
            #expect(try await status(of: ada)?.skipped?.first?.reason.contains("team acme,") == true)
            // An edit that brings a mark waits as well, also for those who ask for the file as it was.
            try ada.write("open", [5], for: team)
            await ada.service.refresh()
            try await wait { try await status(of: ada)?.skipped?.count == 2 }
            try ada.write("last", [6])
            for device in [ben, dee] {
                try await device.changed { device.bytes("last") == [6] }
                #expect(device.bytes("open") == [4])
            }
        }
    }

    @Test("a file for a team reaches its members with its mark, which an edit by another file keeps")
    func travelling() async throws {
        let team = try ada.found("acme", with: ben)
        _ = try ada.make(for: [ben])
        try ben.join(ada)
        try await SyncDevice.running([ada, ben]) {
            try ada.write("plan", [1], for: team)
            try await ben.changed { ben.bytes("plan") == [1] }
            #expect(try ben.restriction(of: "plan") == team)
            try ben.write("plan", [2])
            try await ada.changed { ada.bytes("plan") == [2] }
            #expect(try ada.restriction(of: "plan") == team)
            #expect(try ben.restriction(of: "plan") == team)
        }
    }

    @Test("a contact outside that comes later is told nothing of a folder with files for a team")
    func comingLater() async throws {
        let team = try ada.found("acme", with: ben)
        let id = try ada.make(for: [ben])
        try ben.join(ada)
        try ben.meet(dee)
        try dee.join(ben)
        try await SyncDevice.running([ben, ada, dee]) {
            try ada.write("plan", [1], for: team)
            try await ben.changed { ben.bytes("plan") == [1] }
            #expect(try ada.sign(for: [ben, dee]))
            await ada.service.refresh()
            try await wait { try ben.entry?.audience?.version == 2 }
            // A further one waits, since it would shut out a device that may have the folder.
            try ada.write("later", [3], for: team)
            await ada.service.refresh()
            try await wait { try await status(of: ada)?.skipped?.contains { $0.path == "later" } == true }
            try ben.write("open", [2])
            try await ada.changed { ada.bytes("open") == [2] }
            try await wait {
                await ben.service.refresh()
                return try await status(of: ben)?.lacks?.contains { $0.reason.contains("“dee”") } == true
            }
            let session = ben.service.roles.first { dee.pin.matches($0.peer) }
            #expect(session?.said(of: id) == nil)
            #expect(try dee.count() == 0)
        }
    }
    @Test("a contact that was told nothing because of a file for a team is told the folder when that is deleted")
    func deleted() async throws {
        let team = try ada.found("acme", with: ben)
        _ = try ada.make(for: [ben])
        try ben.join(ada)
        try ben.meet(dee)
        try dee.join(ben)
        try await SyncDevice.running([ben, ada, dee]) {
            try ada.write("plan", [1], for: team)
            try await ben.changed { ben.bytes("plan") == [1] }
            try ada.write("open", [2])
            try await ben.changed { ben.bytes("open") == [2] }
            #expect(try ada.sign(for: [ben, dee]))
            await ada.service.refresh()
            try await wait { try ben.entry?.audience?.version == 2 }
            #expect(dee.bytes("open") == nil)
            try FileManager.default.removeItem(at: ada.folder.appending(path: "plan"))
            try await dee.changed { dee.bytes("open") == [2] }
            #expect(try dee.count() == 1 && dee.bytes("plan") == nil)
        }
    }
}
