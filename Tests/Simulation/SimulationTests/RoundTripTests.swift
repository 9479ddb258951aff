import Foundation
import PortolanCompression
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import SimulationSupport
import TestSupport
import Testing

/// Number of network crossings before a small item is stored, on a network where only they take time.
@Suite(.aside) struct RoundTripTests {
    private static let crossing: Int64 = 10_000_000

    @Test(
        "an unrestricted item is sent directly after the last message of the handshake, and neither side waits for the end"
    )
    func firstContact() throws {
        // The connection, three messages of the handshake, and the receipt.
        #expect(try crossings(isForEveryone: true, awaitsEnd: false) == [5, 5])
    }

    @Test("a restricted item waits until the rosters are exchanged")
    func restrictedItemWaitsForTheRosters() throws {
        #expect(try crossings(isForEveryone: false, awaitsEnd: false) == [7, 7])
    }

    @Test("an item of a side that shares a team with the other, or did, waits for the rosters")
    func itemWaitsIfTheSidesShareATeam() throws {
        #expect(try crossings(isForEveryone: true, awaitsEnd: false, sharing: true) == [7, 7])
    }

    @Test("a side that waits for the end of the other hears it")
    func waiting() throws {
        #expect(try crossings(isForEveryone: true, awaitsEnd: true) == [5, 7])
    }

    @Test("the second item on a session takes there and back")
    func secondItem() throws {
        #expect(try crossings(isForEveryone: true, awaitsEnd: false, offers: 3) == [5, 7, 9, 9])
    }

    @Test("a file of less than 1 MiB is sent on the session, two crossings after its offer")
    func smallFile() throws {
        let times = try crossings(isForEveryone: true, awaitsEnd: false, file: 200_000)
        #expect(times == [7, 7])
    }

    @Test("a side that takes nothing is not offered anything twice, and the sender learns why")
    func takesNothing() throws {
        let error = #expect(throws: TransportError.self) {
            try crossings(isForEveryone: true, awaitsEnd: false, roles: SessionRoles())
        }
        guard case .takesNothing? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a peer that sends nothing after the handshake is abandoned in time, after an offer of any kind")
    func saysNothing() throws {
        let network = VirtualNetwork(seed: 1)
        defer { network.finish() }
        let loop = network.loop
        let silent = VirtualHost(try Self.identity("silent"), on: network) { _ in
            try? await loop.sleep(for: .seconds(1000))
        }
        let host = VirtualHost(try Self.identity("asking"), on: network) { _ in }
        network.add(host, at: 0)
        network.add(silent, at: 1)
        let error = #expect(throws: TransportError.self) {
            try loop.run {
                let session = try await host.open(to: 1)
                try await SessionDriver.run(on: session, ledger: NoTeams()) { driver in
                    _ = try await driver.offer(
                        SmallOfferSource(isForEveryone: true), answerWait: .seconds(600),
                        manner: SendingManner(compression: .never))
                }
            }
        }
        guard case .deadlinePassed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loop.elapsed < 12_000_000_000)
    }

    /// Crossings until each offer was settled, and until the session was over for the sender.
    ///
    /// - Parameter file: bytes of a file that is offered; nil offers data, which goes with the offer.
    private func crossings(
        isForEveryone: Bool, awaitsEnd: Bool, sharing isMember: Bool = false, offers: Int = 1,
        roles: SessionRoles? = nil, file: Int? = nil
    ) throws -> [Int64] {
        var manner = VirtualNetwork.Manner()
        manner.delay = Self.crossing...Self.crossing
        let network = VirtualNetwork(seed: 1, manner: manner)
        defer { network.finish() }
        let loop = network.loop
        var taking = SessionRoles()
        taking.receiving = { { Reception(SmallReceiver()) } }
        let answeringRoles = roles ?? taking
        let answering = VirtualHost(try Self.identity("answering"), on: network) { session in
            try? await SessionDriver.run(on: session, ledger: NoTeams(), roles: answeringRoles) {
                try await $0.stay()
            }
        }
        let host = VirtualHost(try Self.identity("asking"), on: network) { _ in }
        network.add(host, at: 0)
        network.add(answering, at: 1)
        let ledger: any TeamLedger = isMember ? try FormerTeam() : NoTeams()
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-trips-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "file")
        if let file { try Data(count: file).write(to: path) }
        let offering: any OfferSource =
            file.map { FileOffering(path: path.path, size: UInt64($0)) }
            ?? SmallOfferSource(isForEveryone: isForEveryone)
        return try loop.run {
            let session = try await host.open(to: 1)
            var times = try await SessionDriver.run(on: session, ledger: ledger, awaitsEnd: awaitsEnd) { driver in
                var times: [Int64] = []
                for _ in 0..<offers {
                    let outcomes = try await driver.offer(
                        offering, answerWait: .seconds(60), manner: SendingManner(compression: .never))
                    guard case .stored? = outcomes?.first else { return times }
                    times.append(loop.elapsed / Self.crossing)
                }
                return times
            }
            times.append(loop.elapsed / Self.crossing)
            return times
        }
    }

    private static func identity(_ name: String) throws -> LocalIdentity {
        LocalIdentity(DeviceIdentity(name: try DeviceName(name), key: .generate()))
    }
}

/// A team of which the other device was a member once; the other device does not know that it was removed.
private struct FormerTeam: TeamLedger {
    private let team: SharedTeam

    init() throws {
        let id = try #require(TeamID(bytes: [UInt8](repeating: 3, count: 16)))
        let head = try RosterHead(roster: [1], signature: [UInt8](repeating: 2, count: 64), secret: nil)
        team = SharedTeam(team: id, digest: [UInt8](repeating: 5, count: 32), heads: [head])
    }

    func teams(sharedWith peer: RemoteIdentity) -> [SharedTeam] { [team] }
    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) -> Bool { false }
}

private struct SmallOfferSource: OfferSource {
    let isForEveryone: Bool

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        let form = try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data, size: 1024)
        return try Offer(id: id, items: [OfferedItem(title: "item", representations: [form])], request: request)
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { places }
    func maySee(_ restriction: Restriction) -> Bool { true }
    func contentAtHand(at place: OfferedPlace) -> OfferedContent? { .bytes(Data(count: 1024)) }
    func produce(_ place: OfferedPlace) -> OfferedContent { .bytes(Data(count: 1024)) }
    func report(_ event: OfferingEvent) {}
}

private struct FileOffering: OfferSource {
    let path: String
    let size: UInt64
    var isForEveryone: Bool { true }

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        let form = try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .file, size: size)
        return try Offer(id: id, items: [OfferedItem(title: "item", representations: [form])], request: request)
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { places }
    func maySee(_ restriction: Restriction) -> Bool { true }
    func contentAtHand(at place: OfferedPlace) -> OfferedContent? { nil }
    func produce(_ place: OfferedPlace) -> OfferedContent { .file(path: path) }
    func report(_ event: OfferingEvent) {}
}

private struct SmallReceiver: ItemReceiver {
    func decide(on offer: Offer) -> [ItemDecision] { offer.items.map { _ in .take(representation: 0) } }
    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) -> any ItemSink { SmallSink() }

    func report(_ event: ReceivingEvent) {}
}

private struct SmallSink: ItemSink {
    func add(_ entry: TreeEntryElement) -> ContentNeed { .content }
    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) {}
    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) {}
    func finish(_ entry: UInt32, size: UInt64) {}
    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) {}
    func digest(_ entry: UInt32, block: UInt64) -> [UInt8]? { nil }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {}

    func complete(_ end: Message.End) throws -> Completion {
        .stored(try StoredItem(bytes: end.bytes, entries: 1))
    }

    func suspend() {}
    func discard() {}
}
