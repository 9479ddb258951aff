import Foundation
import Portolan
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Folders of the holder that it keeps alike with those whom they are for, and that all devices try to join.
final class AccessFolders: Sendable {
    typealias Who = AccessCell.Who

    let world: AccessWorld
    let pieces: [AccessFolder: [AccessWorld.Piece]]
    private let holder: SyncCoordinator
    private let services: [Who: SyncCoordinator]
    /// Devices that had a session with the holder, or were refused one.
    private let met: Met

    private final class Met: Sendable {
        let all = Mutex<Set<Who>>([])
    }

    init(_ world: AccessWorld) throws {
        self.world = world
        let met = Met()
        self.met = met
        let node = world.holder.node
        let contact = try #require(world.devices[.contact])
        let (acme, design) = (try TeamName("acme"), try #require(AccessWorld.design))
        let parts: [AccessFolder: [FolderStatement.Part]] = [
            .wide: [.contact(contact.pin, contact.node.identity.name), .team(world.team, acme, nil)],
            .team: [.team(world.team, acme, nil)],
            .group: [.team(world.team, acme, design)],
        ]
        var pieces: [AccessFolder: [AccessWorld.Piece]] = [:]
        var entries: [SyncFolderEntry] = []
        for (folder, parts) in parts {
            let place = Self.place(of: folder, on: world.holder)
            pieces[folder] = try AccessCell.contents(of: .sync).map { what in
                let piece = try world.makePiece(what, in: place)
                try world.mark(piece)
                try world.swap(piece)
                return piece
            }
            try Data("*.hidden\n".utf8).write(to: place.appending(path: ".portolanignore"))
            entries.append(
                try SyncFolderEntry(name: "\(folder)", path: place.path, for: parts, by: node.identity.key))
        }
        self.pieces = pieces
        let list = SyncFolderList(home: node.configuration.home)
        let made = entries
        try list.change { $0.append(contentsOf: made) }
        holder = SyncCoordinator(node, list) { _ in }

        var services: [Who: SyncCoordinator] = [:]
        for (who, device) in world.devices {
            try device.meet(world.holder)
            let list = SyncFolderList(home: device.node.configuration.home)
            let audience = SyncAudience(contact: world.holder.pin, name: node.identity.name)
            for folder in AccessFolder.allCases {
                let place = Self.place(of: folder, on: device)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let entry = SyncFolderEntry(
                    name: "\(folder)", path: place.path, audiences: [audience], id: nil, wanted: "\(folder)")
                try list.change { $0.append(entry) }
            }
            services[who] = SyncCoordinator(device.node, list) { event in
                device.note(event)
                switch event {
                case .connected, .failed: met.all.withLock { _ = $0.insert(who) }
                default: break
                }
            }
        }
        self.services = services
    }

    private static func place(of folder: AccessFolder, on device: AccessWorld.Device) -> URL {
        device.root.appending(path: "folders/\(folder)")
    }

    /// Keeps the folders alike until all have what is meant for them, and a later file after that.
    func run() async throws {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        var running = [
            Task { [holder] in
                defer { feed.finish() }
                try await holder.stay { event in
                    if case .listening(let port, _, _) = event { feed.yield(port) }
                }
            }
        ]
        defer { for task in running { task.cancel() } }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        for service in services.values {
            running.append(Task { try await service.stay(peersAt: ["127.0.0.1:\(port)"]) })
        }
        for folder in AccessFolder.allCases {
            for piece in pieces[folder] ?? [] {
                let name = URL(fileURLWithPath: piece.path).lastPathComponent
                try await wait(for: name, piece.what, in: folder)
            }
        }
        // Devices without a right to anything had a session, too, if they get one at all.
        for _ in 0..<1500 where met.all.withLock(\.count) < Who.allCases.count {
            try await Task.sleep(for: .milliseconds(20))
        }
        for folder in AccessFolder.allCases {
            try Data("later".utf8).write(to: Self.place(of: folder, on: world.holder).appending(path: "later"))
        }
        await holder.refresh()
        for folder in AccessFolder.allCases { try await wait(for: "later", .plain, in: folder) }
        for task in running { task.cancel() }
        for task in running { _ = await task.result }
    }

    /// Waits until a file has come to all devices that the rules give it to.
    private func wait(for name: String, _ what: AccessCell.What, in folder: AccessFolder) async throws {
        for (who, device) in world.devices where AccessCell.mayHave(who, what, in: folder) {
            let path = Self.place(of: folder, on: device).appending(path: name).path
            while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
}
