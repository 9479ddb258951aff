import Foundation
import Glibc
import Portolan
import PortolanClient
import PortolanFiles
import PortolanSettings
import PortolanValues
import TestSupport
import Testing

@testable import PortolanAgent

@Suite("Items that leave the quarantine", .serialized)
struct QuarantineTests {
    /// A folder on another file system than that of temporary folders; nil if there is none.
    private static let elsewhere: String? = {
        let folder = "/dev/shm/portolan-agent-\(getpid())"
        var (here, there) = (stat(), stat())
        guard stat("/tmp", &here) == 0, stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev,
            access("/dev/shm", W_OK) == 0
        else { return nil }
        return folder
    }()

    @Test(
        "An item is released to another file system, under a free name, with its contents; nothing is left behind.",
        .enabled(if: elsewhere != nil, "there is one file system only"))
    func farAway() async throws {
        let target = try #require(Self.elsewhere)
        defer { removeTree(target) }
        let tested = try await AgentUnderTest()
        let service = AgentOperations(agent: tested.agent)
        let quarantine = tested.agent.settings.home.data + "/quarantine"
        try FileManager.default.createDirectory(atPath: quarantine + "/tree", withIntermediateDirectories: true)
        try Data("inner".utf8).write(to: URL(fileURLWithPath: quarantine + "/tree/inner"))
        try FileManager.default.createDirectory(atPath: target + "/tree", withIntermediateDirectories: true)
        let number = try await tested.agent.database.write { change in
            try change.inbox.store(
                item(0), StoredItemFile(name: "tree", path: quarantine + "/tree", size: 5), isQuarantined: true)
        }
        let released = try await service.accept(AgentAPI.ID(item: number), AgentAPI.Acceptance(into: target))
        #expect(released.state == .received)
        let path = try #require(released.path)
        #expect(path != target + "/tree")
        #expect(try String(contentsOfFile: path + "/inner", encoding: .utf8) == "inner")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: quarantine).filter { !$0.hasPrefix(".") } == [])
        try await tested.stop()
    }

    @Test(
        "An item is released to its sender's folder, and not to another one that has the name of that by now.",
        .attributes(in: FileManager.default.temporaryDirectory.path))
    func sendersFolder() async throws {
        let tested = try await AgentUnderTest()
        let service = AgentOperations(agent: tested.agent)
        let (inbox, quarantine) = (tested.agent.settings.inbox, tested.agent.settings.home.data + "/quarantine")
        _ = try ReceivingPlace.path(inbox + "/laptop", owners: ["key b"], besides: .none, isQuarantine: false)
        try FileManager.default.createDirectory(atPath: quarantine, withIntermediateDirectories: true)
        let photo = StoredItemFile(name: "photo.jpg", path: quarantine + "/photo.jpg", size: 1)
        try Data("x".utf8).write(to: URL(fileURLWithPath: photo.path))
        var asked = item(0, deadline: .distantFuture, fallback: .quarantine)
        (asked.folder, asked.owners) = (inbox + "/laptop", ["contact a"])
        let record = asked
        let number = try await tested.agent.database.write { change in
            let number = try change.inbox.wait(record, offer: offer)
            try change.inbox.stored(number, photo, isQuarantined: true)
            return number
        }
        let released = try await service.accept(AgentAPI.ID(item: number), AgentAPI.Acceptance(into: nil))
        #expect(released.path == inbox + "/laptop (2)/photo.jpg")
        try await tested.stop()
    }

    @Test("The owners of a folder are kept with a question, until a person names another folder.")
    func owners() async throws {
        let tested = try await AgentUnderTest()
        var asked = item(0, deadline: .distantFuture)
        (asked.folder, asked.owners) = ("/in/a/b", ["contact a", nil])
        let record = asked
        let (before, after) = try await tested.agent.database.write { change in
            let number = try change.inbox.wait(record, offer: offer)
            let before = try change.inbox.show(number).owners
            try change.inbox.accept(number, into: "/elsewhere")
            return (before, try change.inbox.show(number).owners)
        }
        #expect(before == ["contact a", nil] && after.isEmpty)
        try await tested.stop()
    }
}
