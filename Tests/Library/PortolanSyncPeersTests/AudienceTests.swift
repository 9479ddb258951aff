import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanSyncPeers

/// For whom a folder is, among devices that synchronize it.
@Suite(.serialized) struct AudienceTests {
    private let ada: SyncDevice
    private let ben: SyncDevice
    private let dee: SyncDevice

    init() throws {
        (ada, ben, dee) = (try SyncDevice("ada"), try SyncDevice("ben"), try SyncDevice("dee"))
    }

    /// Waits until something is true.
    private func wait(until isTrue: () throws -> Bool) async throws {
        while try !isTrue() { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Folders that a device has told another one, if there is a session.
    private func told(_ device: SyncDevice, to other: SyncDevice, _ id: SyncFolderID) -> Bool? {
        device.service.roles.first { other.pin.matches($0.peer) }.map { $0.said(of: id) != nil }
    }

    @Test("a member that adds a device to its own list gives it nothing")
    func widening() async throws {
        let id = try ada.make(for: [ben])
        try ben.join(ada)
        try dee.join(ben)
        try await SyncDevice.running([ben, ada, dee]) {
            try ada.write("first", [1])
            try await ben.changed { ben.bytes("first") == [1] }
            try ben.allow([ada, dee])
            await ben.service.refresh()
            try await wait { told(ben, to: dee, id) != nil && told(ben, to: ada, id) == true }
            try ada.write("second", [2])
            try await ben.changed { ben.bytes("second") == [2] }
            #expect(told(ben, to: dee, id) == false)
            #expect(try dee.count() == 0)
            #expect(try ben.entry?.audience?.words == ["ben"])
            #expect(try ada.entry?.audience == ben.entry?.audience)
            #expect(try !ben.sign(for: [ada, dee]))
        }
    }

    @Test("a statement that lets its teller in counts only when one who is in already tells it")
    func lettingOneselfIn() async throws {
        let id = try ada.make(for: [ben])
        try ben.join(ada)
        try ben.meet(dee)
        for device in [ada, ben] { try dee.meet(device) }
        try dee.adopt(ada.widened(for: [ben, dee]))
        try await SyncDevice.running([ben, ada, dee]) {
            try ada.write("first", [1])
            try await ben.changed { ben.bytes("first") == [1] }
            try await wait {
                ben.service.roles.contains { dee.pin.matches($0.peer) && $0.statements.all[id] != nil }
            }
            await ben.service.refresh()
            #expect(try ben.entry?.audience?.version == 1)
            #expect(told(ben, to: dee, id) == false && dee.bytes("first") == nil)
        }
    }

    @Test("a folder that is made for fewer is told to the others no more, and taken from them no more, at once")
    func narrowing() async throws {
        let id = try ada.make(for: [ben, dee])
        for device in [ben, dee] { try device.join(ada) }
        try await SyncDevice.running([ada, ben, dee]) {
            try ada.write("first", [1])
            for device in [ben, dee] { try await device.changed { device.bytes("first") == [1] } }
            #expect(try ada.sign(for: [ben]))
            await ada.service.refresh()
            try await wait { told(ada, to: dee, id) == false }
            try dee.write("intruding", [3])
            await dee.service.refresh()
            try ada.write("second", [2])
            try await ben.changed { ben.bytes("second") == [2] }
            await ada.service.refresh()
            #expect(dee.bytes("second") == nil)
            #expect(ada.bytes("intruding") == nil && ben.bytes("intruding") == nil)
            try await wait { try ben.entry?.audience?.version == 2 }
            #expect(try ben.entry?.audience?.words == ["ben"])
        }
    }

    @Test("a limit of this device is set and taken back while sessions are open, and lets in none beyond the statement")
    func limiting() async throws {
        let id = try ada.make(for: [ben, dee])
        for device in [ben, dee] { try device.join(ada) }
        try await SyncDevice.running([ada, ben, dee]) {
            try ada.write("first", [1])
            for device in [ben, dee] { try await device.changed { device.bytes("first") == [1] } }
            try ada.limit(to: [ben])
            try await wait { told(ada, to: dee, id) == false }
            try ada.write("second", [2])
            try await ben.changed { ben.bytes("second") == [2] }
            #expect(dee.bytes("second") == nil && told(ada, to: ben, id) == true)
            #expect(try ada.entry?.audience?.words == ben.entry?.audience?.words)
            try ada.limit(to: [])
            try await dee.changed { dee.bytes("second") == [2] }
            // Ben is made none of the audience: a limit that names him gives him nothing.
            #expect(try ada.sign(for: [dee]))
            try ada.limit(to: [ben, dee])
            try await wait { told(ada, to: ben, id) == false && told(ada, to: dee, id) == true }
        }
    }

    @Test("before its maker has said for whom a folder is, it has no limit but that of a folder to be joined")
    func limitBefore() throws {
        var entry = SyncFolderEntry(name: "old", path: "/old", audiences: [], id: SyncFolderID(), wanted: nil)
        let isLimited = entry.limit(to: [])
        #expect(!isLimited)
        entry = SyncFolderEntry(name: "new", path: "/new", audiences: [], id: nil, wanted: "new")
        let limit = SyncAudience(contact: ada.pin, name: try DeviceName("ada"))
        let isNarrower = entry.limit(to: [limit])
        #expect(isNarrower && entry.limits == [limit])
        let isWider = entry.limit(to: [])
        #expect(isWider && entry.limits == nil)
    }

    @Test("a folder of an earlier program goes on when the device that added it has said for whom it is")
    func earlier() async throws {
        let id = SyncFolderID()
        try ada.share(id, with: [ben])
        try ben.join(ada, id: id)
        try dee.join(ben, id: id)
        try ben.allow([ada, dee])
        try await SyncDevice.running([ben, ada, dee]) {
            try ada.write("first", [1])
            try await ben.changed { ben.bytes("first") == [1] }
            #expect(try ben.entry?.audience?.maker == ada.pin)
            await ben.service.refresh()
            try await wait { told(ben, to: dee, id) != nil }
            #expect(told(ben, to: dee, id) == false)
            #expect(try dee.entry?.audience == nil && dee.count() == 0)
        }
    }

    @Test("a folder is made anew of the same files, without copying, where its maker is gone")
    func anew() async throws {
        _ = try ben.make(for: [dee])
        try dee.join(ben)
        let content = [UInt8](repeating: 7, count: 200_000)
        for device in [ben, dee] { try device.write("large", content) }
        try await SyncDevice.running([ben, dee]) {
            try ben.write("new", [1])
            try await dee.changed { dee.bytes("new") == [1] }
            #expect(dee.received < 100_000 && ben.received < 100_000)
            #expect(try dee.contents().count == 2)
        }
    }
}
