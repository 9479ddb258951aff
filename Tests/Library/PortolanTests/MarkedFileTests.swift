import Foundation
import Glibc
import PortolanCrypto
import PortolanTransport
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanFiles

/// A file on offer that is marked for other people than the peer.
@Suite struct MarkedFileTests {
    @Test("a file's mark at the moment decides whether the peer may see it")
    func theMarkCounts() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/portolan-marked-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/plan.txt"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("a plan".utf8).write(to: URL(fileURLWithPath: path))
        let offering = try offering(of: [.file(at: path, contentType: nil, requested: .level(.all))], in: folder)
        offering.meet(DeviceKey.generate().publicKey)
        _ = try offering.makeOffer(1, answering: nil)
        let place = OfferedPlace(0, 0)
        #expect(try offering.seen(among: [place]) == [place])

        let team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: TeamID.length)))
        let restriction = Restriction(.team, for: try Audience(team: team, groups: []))
        try StoredVisibility.keep(restriction, on: Descriptor(owning: open(path, O_RDONLY)))
        #expect(try offering.seen(among: [place]).isEmpty)
        // A file that was removed fails when it is read.
        try FileManager.default.removeItem(atPath: path)
        #expect(try offering.seen(among: [place]) == [place])
    }

    @Test("rosters do not matter for offers of files and data for all, and matter for all others")
    func isForEveryone() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/portolan-everyone-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/plan.txt"
        try Data("a plan".utf8).write(to: URL(fileURLWithPath: path))
        let file = try ItemRepresentation.file(at: path, contentType: nil, requested: .level(.all))
        let folderItself = try ItemRepresentation.file(at: folder, contentType: nil, requested: .level(.all))
        #expect(try offering(of: [file], in: folder).isForEveryone)
        // Entries of the folder may be marked.
        #expect(try !offering(of: [folderItself], in: folder).isForEveryone)
        #expect(try !offering(of: [file, folderItself], in: folder).isForEveryone)
        let team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: TeamID.length)))
        try StoredVisibility.keep(
            Restriction(.team, for: try Audience(team: team, groups: [])),
            on: Descriptor(owning: open(path, O_RDONLY)))
        let marked = try ItemRepresentation.file(at: path, contentType: nil, requested: .level(.all))
        #expect(try !offering(of: [marked], in: folder).isForEveryone)
    }

    private func offering(of representations: [ItemRepresentation], in folder: String) throws -> NodeOfferSource {
        let item = Item(title: nil, representations: representations)
        let resolved = ResolvedItem(
            number: 0, title: item.title, givenTitle: item.givenTitle, fallbackTitle: item.fallbackTitle,
            representations: item.representations.map { ResolvedRepresentation($0, at: 0, audience: nil) },
            preview: item.preview)
        let home = try HomeDirectory(override: folder + "/home", environment: [:])
        let key = DeviceKey.generate()
        return try NodeOfferSource(
            [resolved], with: nil, store: PeerStore(home: home, own: key.publicKey), on: .system, key: key,
            without: .none,
            options: Node.SendOptions()
        ) { _ in }
    }
}
