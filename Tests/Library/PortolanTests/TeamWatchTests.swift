import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan

/// Changes of the teams of a home directory, whichever process writes them.
@Suite(.timeLimit(.minutes(20))) struct TeamWatchTests {
    /// Waits until a watch reports what `body` changes.
    private func told(_ home: HomeDirectory, _ body: () throws -> Void) async throws {
        var changes = TeamWatch(home: home).changes.makeAsyncIterator()
        try body()
        try #require(await changes.next() != nil)
    }

    @Test("the first team, a change and the end of it are told")
    func reportsChanges() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-watch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let home = try HomeDirectory(override: root.path, environment: [:])
        let name = try DeviceName("watched")
        let device = try DeviceIdentity.loadOrCreate(in: home, defaultName: name)
        let store = TeamStore(home: home, own: device.publicKey)

        var changes = TeamWatch(home: home).changes.makeAsyncIterator()
        let team = try store.create(name: TeamName("acme"), by: device, now: .now).team.id
        try #require(await changes.next() != nil)
        let member = RosterChange.add(
            PinnedKey(DeviceKey.generate().publicKey), name: try DeviceName("ben"), groups: [])
        try await told(home) { _ = try store.change(team, member, by: device, now: .now) }
        try await told(home) { _ = try store.leave(team) }
    }

    @Test("a watch ends with the task that waits for it")
    func watchEndsWithItsTask() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-watch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let home = try HomeDirectory(override: root.path, environment: [:])
        let name = try DeviceName("watched")
        _ = try DeviceIdentity.loadOrCreate(in: home, defaultName: name)
        let waiting = Task { for await _ in TeamWatch(home: home).changes {} }
        waiting.cancel()
        await waiting.value
    }
}
