import Foundation
import NodeTestSupport
import Portolan
import PortolanFiles
import PortolanProtocol
import PortolanSyncFolder
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// A device that synchronizes one folder, in a home of its own on the loopback interface.
final class SyncDevice: Sendable {
    let folder: URL
    let service: SyncCoordinator
    private let root: URL
    private let directory: HomeDirectory
    private let node: Node
    private let events: AsyncStream<SyncEvent>
    private let feed: AsyncStream<SyncEvent>.Continuation

    /// Misbehaviour of the device in the session that it opens.
    private let meddling: MeddlingHost.Meddling?

    /// - Parameters:
    ///   - patience: time in which a peer has to answer something.
    ///   - pause: waits as long as something may take; nil for the machine's clock.
    init(
        _ name: String, meddling: MeddlingHost.Meddling? = nil, patience: Duration = .seconds(30),
        pause: (@Sendable (SyncWait) async throws -> Void)? = nil
    ) throws {
        self.meddling = meddling
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-syncing-\(UUID().uuidString)")
        folder = root.appending(path: "notes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let home = root.appending(path: "home")
        directory = try HomeDirectory(override: home.path, environment: [:])
        node = try Node(blocking: .onLoopback(name, home: home))
        let (events, feed) = AsyncStream.makeStream(of: SyncEvent.self)
        (self.events, self.feed) = (events, feed)
        service = SyncCoordinator(node, SyncFolderList(home: directory), patience: patience, pause: pause) {
            feed.yield($0)
        }
    }

    /// A device with copies of the home and the folder of one whose service has ended. A service runs once.
    ///
    /// - Parameter agrees: true if a person there has agreed to the folder.
    init(copyOf other: SyncDevice, agrees: Bool = true) async throws {
        meddling = nil
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-syncing-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: other.root, to: root)
        folder = root.appending(path: "notes")
        let home = root.appending(path: "home")
        directory = try HomeDirectory(override: home.path, environment: [:])
        node = try Node(blocking: .onLoopback(other.node.identity.name.text, home: home))
        let (events, feed) = AsyncStream.makeStream(of: SyncEvent.self)
        (self.events, self.feed) = (events, feed)
        let list = SyncFolderList(home: directory)
        service = SyncCoordinator(node, list) { feed.yield($0) }
        let path = folder.path
        try list.change { $0[0].path = path }
        guard agrees else { return }
        _ = try await list.check(try #require(try list.all().first), .repairing(startsOver: true), by: node)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Shares the folder, or another one that is made, with other devices, which become known to this one.
    func share(_ id: SyncFolderID, with others: [SyncDevice], as name: String = "notes") throws {
        let path = root.appending(path: name)
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        var audiences: [SyncAudience] = []
        for other in others {
            let identity = other.node.identity
            _ = try KnownPeers(home: directory).confirm(name: identity.name, key: identity.publicKey, now: .now)
            audiences.append(SyncAudience(contact: PinnedKey(identity.publicKey), name: identity.name))
        }
        try SyncFolderList(home: directory).change { folders in
            folders.append(SyncFolderEntry(name: name, path: path.path, audiences: audiences, id: id))
        }
    }

    // MARK: Teams

    private var teams: TeamStore { TeamStore(home: directory, own: node.identity.publicKey) }

    /// Founds a team of this device and other ones.
    ///
    /// - Returns: the restriction to it.
    func found(_ name: String, with others: SyncDevice...) throws -> Restriction {
        var team = try teams.create(name: TeamName(name), by: node.identity, now: .now)
        for other in others {
            let added = RosterChange.add(other.pin, name: other.node.identity.name, groups: [])
            team = try teams.change(team.id, added, by: node.identity, now: .now)
        }
        for other in others {
            _ = try other.teams.join(
                team.updates, invitedBy: node.identity.publicKey, own: other.node.identity.publicKey, now: .now)
        }
        return Restriction(.team, for: try Audience(team: team.id))
    }

    /// Removes another device from a team of this one.
    ///
    /// - Returns: what members are told of it.
    func remove(_ other: SyncDevice, from team: TeamID) throws -> [TeamHeads.Update] {
        try teams.change(team, .remove(other.pin), by: node.identity, now: .now).updates
    }

    /// Hears of a change of a team.
    func take(_ updates: [TeamHeads.Update], of team: TeamID) throws {
        _ = try teams.adopt(team, updates, own: node.identity, now: .now)
    }

    /// Makes the folder for a team of this device.
    func make(forTeam team: TeamID, named name: String, as folderName: String = "notes") throws {
        let path = folderName == "notes" ? folder : root.appending(path: folderName)
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        let entry = try SyncFolderEntry(
            name: folderName, path: path.path, for: [.team(team, TeamName(name), nil)], by: node.identity.key)
        try list.change { $0.append(entry) }
    }

    /// Writes a file as ``write(_:_:)`` does, which is for some alone.
    func write(_ name: String, _ bytes: some Sequence<UInt8>, for restriction: Restriction) throws {
        let file = root.appending(path: "new")
        try Data(bytes).write(to: file)
        try StoredVisibility.keep(restriction, on: KernelStorage().open(path: file.path))
        guard rename(file.path, folder.appending(path: name).path) == 0 else { throw POSIXError(.EIO) }
    }

    /// For whom a file is; what is sent asks the same.
    func restriction(of name: String) throws -> Restriction {
        try StoredVisibility.read(folder.appending(path: name).path)
    }

    // MARK: For whom the folder is

    private var list: SyncFolderList { SyncFolderList(home: directory) }

    /// Makes another device a contact of this one.
    func meet(_ other: SyncDevice) throws {
        let identity = other.node.identity
        _ = try KnownPeers(home: directory).confirm(name: identity.name, key: identity.publicKey, now: .now)
    }

    private func part(_ other: SyncDevice) -> FolderStatement.Part {
        .contact(other.pin, other.node.identity.name)
    }

    var pin: PinnedKey { PinnedKey(node.identity.publicKey) }

    /// Entry of the list for the folder; nil before there is one.
    var entry: SyncFolderEntry? { get throws { try list.all().first } }

    /// Makes the folder for other devices, which become known to this one.
    func make(for others: [SyncDevice]) throws -> SyncFolderID {
        for other in others { try meet(other) }
        let entry = try SyncFolderEntry(
            name: "notes", path: folder.path, for: others.map(part), by: node.identity.key)
        try list.change { $0.append(entry) }
        return try #require(entry.id)
    }

    /// Signs anew for whom the folder is.
    ///
    /// - Returns: false if this device may not.
    func sign(for others: [SyncDevice]) throws -> Bool {
        try list.change { folders in
            try folders[0].sign(for: others.map(part), keepers: nil, by: node.identity.key, .anyone)
        }
    }

    /// Has the folder joined from another device, which becomes known to this one.
    ///
    /// - Parameters:
    ///   - another: device from which it may be joined as well.
    ///   - id: identifier, as an earlier program left it; nil for a folder that is to be found.
    func join(_ other: SyncDevice, or another: SyncDevice? = nil, id: SyncFolderID? = nil) throws {
        try meet(other)
        let audiences = [other, another].compactMap(\.self).map { one in
            SyncAudience(contact: one.pin, name: one.node.identity.name)
        }
        try list.change { folders in
            folders.append(
                SyncFolderEntry(name: "notes", path: folder.path, audiences: audiences, id: id, wanted: "notes"))
        }
    }

    /// Returns a statement by this device that it has not stored: the folder is for other devices, too.
    func widened(for others: [SyncDevice]) throws -> FolderAudience {
        let audience = try #require(try entry?.audience)
        return try #require(
            try audience.signed(for: others.map(part), keepers: nil, by: node.identity.key, .anyone))
    }

    /// Has the folder with a statement that another device has given this one.
    func adopt(_ audience: FolderAudience) throws {
        var entry = SyncFolderEntry(
            name: "notes", path: folder.path, audiences: [], id: SyncFolderID(audience.folder), wanted: "notes")
        entry.audience = audience
        let news = entry
        try list.change { $0.append(news) }
    }

    /// Changes the list to keep the folder alike with other devices, as an earlier program did.
    func allow(_ others: [SyncDevice]) throws {
        for other in others { try meet(other) }
        try list.change { folders in
            folders[0].audiences = others.map { SyncAudience(contact: $0.pin, name: $0.node.identity.name) }
        }
    }

    /// Limits the folder, for this device, to other devices; none is no limit.
    func limit(to others: [SyncDevice]) throws {
        try list.change { folders in
            let audiences = others.map { SyncAudience(contact: $0.pin, name: $0.node.identity.name) }
            let isLimited = folders[0].limit(to: audiences)
            #expect(isLimited)
        }
    }

    /// Keeps another path of this device alike as well, as an edited list would.
    func add(_ path: String, named name: String) throws {
        try SyncFolderList(home: directory).change { folders in
            folders.append(SyncFolderEntry(name: name, path: path, audiences: [], id: SyncFolderID()))
        }
    }

    /// Names of the folders that others offer, with those who offer them.
    var offers: [[String]] {
        get throws { try list.offers().flatMap { one in one.folders.map { [one.peer, $0.name] } } }
    }

    /// Bytes of contents that all visible peers sent on request.
    var received: UInt64 { service.roles.reduce(0) { $0 + $1.received } }

    // MARK: Files

    /// Writes a file under another name and renames it, so that it is never visible in part.
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        let file = root.appending(path: "new")
        try Data(bytes).write(to: file)
        guard rename(file.path, folder.appending(path: name).path) == 0 else { throw POSIXError(.EIO) }
    }

    /// Overwrites the beginning of a file in place.
    func overwrite(_ name: String, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: folder.appending(path: name))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: folder.appending(path: name).path).map { Array($0) }
    }

    /// Contents of the files in the folder itself.
    func contents() throws -> Set<Data> {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Set(names.compactMap { FileManager.default.contents(atPath: folder.appending(path: $0).path) })
    }

    func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0 != ".portolan-sync" }
    }

    // MARK: Running

    /// Runs `body` while devices synchronize their folders, each but the first with a session to the first.
    static func running(_ devices: [SyncDevice], _ body: () async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
        var services: [Task<Void, any Error>] = []
        defer { for service in services { service.cancel() } }
        let first = devices[0].service
        services.append(
            Task {
                try await first.stay { event in
                    if case .listening(let number, _, _) = event { port.yield(number) }
                }
            })
        var listening = ports.makeAsyncIterator()
        let number = try #require(await listening.next())
        for device in devices.dropFirst() {
            services.append(Task { try await device.stay("127.0.0.1:\(number)") })
        }
        try await body()
        for service in services { service.cancel() }
        for service in services { _ = await service.result }
    }

    /// Returns why the folder stands still for a service that starts now.
    func problemAtStart() async throws -> String? {
        // The former service lets go of the folder.
        service.state.withLock { $0.folders = [:] }
        let again = SyncCoordinator(node, list) { _ in }
        let running = Task { try await again.stay() }
        await again.refresh()
        let problem = try await again.overview().first?.status.problem
        running.cancel()
        _ = await running.result
        return problem
    }

    /// Runs `body` with the addresses of devices that synchronize their folders, and connect to nobody.
    static func listening(_ devices: [SyncDevice], _ body: ([String]) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
        let services = devices.map { device in
            Task {
                try await device.service.stay { event in
                    if case .listening(let number, _, _) = event { port.yield(number) }
                }
            }
        }
        defer { for service in services { service.cancel() } }
        var listening = ports.makeAsyncIterator()
        var addresses: [String] = []
        for _ in devices { addresses.append("127.0.0.1:\(try #require(await listening.next()))") }
        try await body(addresses)
        for service in services { service.cancel() }
        for service in services { _ = await service.result }
    }

    private func stay(_ address: String) async throws {
        guard let meddling else { return try await service.stay(peersAt: [address]) }
        try await service.run(every: .seconds(2)) { [node, service] in
            let peer = try await node.find(address)
            let host = MeddlingHost(service: service, meddling: meddling)
            try await node.withSession(with: peer, playing: SyncRole.maker(for: host)) { _ in
                try await Task.sleep(for: .seconds(86_400))
            }
        }
    }

    /// Returns the next event about something that another device does not have alike; nil if the task is cancelled.
    func lacking() async -> (by: String, path: String?, reason: String)? {
        for await event in events {
            guard case .lacking(_, let by, let path, let reason, _) = event else { continue }
            return (by.text, path?.text, reason.text)
        }
        return nil
    }

    /// Returns when a condition is true after some change in the folder, or now.
    func changed(until isTrue: () throws -> Bool) async throws {
        if try isTrue() { return }
        for await event in events {
            guard case .changed = event else { continue }
            if try isTrue() { return }
        }
        try Task.checkCancellation()
    }
}
