import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

@testable import PortolanFiles

/// A device that holds files, and one device of each standing before it, on the loopback interface.
///
/// The judgement is by bytes: all that a device has on its disk, and all that it was told, is searched for texts that
/// stand in one file each.
final class AccessWorld: Sendable {
    typealias Who = AccessCell.Who
    typealias What = AccessCell.What
    typealias Way = AccessCell.Way

    /// Item of the holder.
    struct Piece: Sendable {
        let what: What
        /// Path that is sent, shared or queued.
        let path: String
        /// Bytes that are in this file alone.
        let content: Data
        /// Part of the name of the file that is meant, and of no other.
        let name: String
        /// The private file that takes its place; nil if none does.
        let secret: String?
        /// The only device to which it goes; nil for all.
        var recipient: Who?
    }

    final class Device: Sendable {
        let node: Node
        let root: URL
        private let log = Mutex<[String]>([])

        init(_ name: String, below root: URL) throws {
            self.root = root.appending(path: name)
            var configuration = try Node.Configuration.onLoopback(name, home: self.root.appending(path: "home"))
            configuration.converters = false
            node = try Node(blocking: configuration)
        }

        var inbox: String { root.appending(path: "inbox").path }
        var teams: TeamStore { TeamStore(home: node.configuration.home, own: node.identity.publicKey) }
        var pin: PinnedKey { PinnedKey(node.identity.publicKey) }

        /// Notes something that the device was told.
        func note(_ told: Any) { log.withLock { $0.append("\(told)") } }

        /// Makes another device a contact of this one.
        func meet(_ other: Device) throws {
            let (home, identity) = (node.configuration.home, other.node.identity)
            _ = try KnownPeers(home: home).confirm(name: identity.name, key: identity.publicKey, now: .now)
        }

        /// Texts that are on the disk of the device, as content or names, or that it was told.
        ///
        /// - Parameter others: texts that do not begin with ``AccessWorld/prefix``.
        func traces(and others: Set<Data>) -> Set<Data> {
            var found: Set<Data> = []
            func search(_ data: Data) {
                for other in others where data.range(of: other) != nil { found.insert(other) }
                var start = data.startIndex
                while let place = data.range(of: AccessWorld.prefix, in: start..<data.endIndex) {
                    found.insert(Data(data[place.lowerBound...].prefix(AccessWorld.textLength)))
                    start = place.upperBound
                }
            }
            search(Data(log.withLock { $0.joined(separator: "\n") }.utf8))
            let files = FileManager.default
            guard let names = files.enumerator(atPath: root.path) else { return found }
            for case let name as String in names {
                let path = root.path + "/" + name
                search(Data(name.utf8))
                if let target = try? files.destinationOfSymbolicLink(atPath: path) { search(Data(target.utf8)) }
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                if let data = files.contents(atPath: path) { search(data) }
            }
            return found
        }
    }

    /// Beginning of the texts that are searched for, each of which stands in one place only.
    private static let prefix = Data("access-".utf8)
    private static let textLength = prefix.count + 36

    private static func text() -> String { "access-\(UUID().uuidString)" }

    static let design = try? GroupName("design")

    let root: URL
    let holder: Device
    let devices: [Who: Device]
    let team: TeamID
    private let judged = Mutex<Set<AccessCell>>([])

    /// - Parameter isRemoved: false if the member is to be removed later.
    init(isRemoved: Bool = true) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-access-\(UUID().uuidString)")
        holder = try Device("holder", below: root)
        var devices: [Who: Device] = [:]
        for who in Who.allCases { devices[who] = try Device("\(who)", below: root) }
        self.devices = devices

        let (teams, admin) = (holder.teams, holder.node.identity)
        let design = try #require(Self.design)
        team = try teams.create(name: TeamName("acme"), by: admin, now: .now).team.id
        var whole = try teams.change(team, .addToGroup(holder.pin, design), by: admin, now: .now)
        let members: [(Who, [GroupName])] = [(.member, []), (.grouped, [design]), (.removed, [design])]
        for (who, groups) in members {
            let device = try #require(devices[who])
            let change = RosterChange.add(device.pin, name: device.node.identity.name, groups: groups)
            whole = try teams.change(team, change, by: admin, now: .now)
        }
        for (who, _) in members {
            let device = try #require(devices[who])
            _ = try device.teams.join(
                whole.updates, invitedBy: admin.publicKey, own: device.node.identity.publicKey, now: .now)
        }
        try holder.meet(try #require(devices[.contact]))
        if isRemoved { try removeMember() }
    }

    func removeMember() throws {
        let removed = try #require(devices[.removed])
        _ = try holder.teams.change(team, .remove(removed.pin), by: holder.node.identity, now: .now)
    }

    func close() async {
        for device in devices.values { await device.node.close() }
        await holder.node.close()
        try? FileManager.default.removeItem(at: root)
    }

    // MARK: What the holder has

    private func restriction(_ what: What) throws -> Restriction {
        switch what {
        case .team: Restriction(.team, for: try Audience(team: team))
        case .group: Restriction(.group, for: try Audience(team: team, groups: [try #require(Self.design)]))
        default: .everyone
        }
    }

    /// Stores the mark of a piece with its file.
    func mark(_ piece: Piece) throws {
        guard piece.what == .team || piece.what == .group else { return }
        let file = open(piece.path, O_RDONLY)
        try #require(file >= 0)
        try StoredVisibility.keep(restriction(piece.what), on: Descriptor(owning: file))
    }

    /// Makes a piece, without its mark.
    ///
    /// - Parameters:
    ///   - folder: where it lies; a new folder by default.
    ///   - filler: bytes before those that are searched for.
    func makePiece(_ what: What, in folder: URL? = nil, after filler: Data = Data()) throws -> Piece {
        let name = Self.text()
        let content = Data(Self.text().utf8)
        let files = FileManager.default
        let place = folder ?? root.appending(path: "holder/files/\(UUID().uuidString)")
        try files.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        switch what {
        case .own:
            let key = holder.node.configuration.home.deviceKeyFile
            try Data("note".utf8).write(to: place.appending(path: "note.txt"))
            try files.linkItem(atPath: key, toPath: place.appending(path: name).path)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: key))
            return Piece(what: what, path: place.path, content: bytes, name: name, secret: nil)
        case .link, .inode:
            let secret = root.appending(path: "holder/private/\(name).txt")
            try files.createDirectory(
                at: secret.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try (filler + content).write(to: secret)
            try #require(chmod(secret.path, 0o600) == 0)
            let path = place.appending(path: "harmless.txt").path
            try (filler + Data("harmless".utf8)).write(to: URL(fileURLWithPath: path))
            try #require(chmod(path, 0o644) == 0)
            return Piece(what: what, path: path, content: content, name: name, secret: secret.path)
        default:
            let path = place.appending(path: what == .excluded ? "\(name).hidden" : "\(name).txt").path
            try (filler + content).write(to: URL(fileURLWithPath: path))
            try #require(chmod(path, 0o644) == 0)
            return Piece(what: what, path: path, content: content, name: name, secret: nil)
        }
    }

    /// Makes a marked piece of each kind that a way is tried with.
    func makePieces(for way: Way, to recipient: Who? = nil) throws -> [Piece] {
        try AccessCell.contents(of: way).map { what in
            var piece = try makePiece(what)
            piece.recipient = recipient
            try mark(piece)
            return piece
        }
    }

    /// Puts the private file, or a link to it, in the place of the file that was named.
    func swap(_ piece: Piece) throws {
        guard let secret = piece.secret else { return }
        if piece.what == .link {
            try #require(unlink(piece.path) == 0 && symlink(secret, piece.path) == 0)
        } else {
            try #require(rename(secret, piece.path) == 0)
        }
    }

    // MARK: The devices

    /// Runs `body` for each device in turn while it receives everything that it is offered.
    func withReceivers(_ body: (Who, Device, Peer) async throws -> Void) async throws {
        for who in Who.allCases {
            let device = try #require(devices[who])
            try await receiving(device) { port in
                try await body(who, device, holder.node.find("127.0.0.1:\(port)"))
            }
        }
    }

    /// Runs `body` while a device receives everything that it is offered.
    func receiving(_ device: Device, _ body: (UInt16) async throws -> Void) async throws {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let task = Task {
            defer { feed.finish() }
            try await device.node.receive(into: device.inbox, decide: { _ in .accept }) { event in
                device.note(event)
                if case .listening(let port, _, _) = event { feed.yield(port) }
            }
        }
        defer { task.cancel() }
        var iterator = ports.makeAsyncIterator()
        try await body(try #require(await iterator.next()))
        task.cancel()
        _ = await task.result
    }

    // MARK: The judgement

    /// Compares what each device has with the rules. Of a piece for another device it has nothing.
    ///
    /// - Parameters:
    ///   - names: false where the device was told the names before they became private.
    ///   - mayHave: the rules.
    func judge(
        _ pieces: [Piece], _ way: Way, names: Bool = true,
        by mayHave: (Who, What) -> Bool = { AccessCell.mayHave($0, $1) }
    ) throws {
        let keys = Set(pieces.filter { $0.what == .own }.map(\.content))
        for who in Who.allCases {
            let found = try #require(devices[who]).traces(and: keys)
            for piece in pieces {
                let cell = AccessCell(who: who, way: way, what: piece.what)
                let isRecipient = piece.recipient ?? who == who
                let isExpected = isRecipient && mayHave(who, piece.what)
                #expect(found.contains(piece.content) == isExpected, "content, \(cell), \(isRecipient)")
                // A link in a folder is told with its target, which is a text of its owner.
                let isNameTold = !names || way == .sync && piece.what == .link
                if !isExpected, !isNameTold { #expect(!found.contains(Data(piece.name.utf8)), "name, \(cell)") }
                if isRecipient { judged.withLock { _ = $0.insert(cell) } }
            }
        }
    }

    /// Checks that no cell of a way was left out.
    func confirmAll(of way: Way) {
        let missing = Set(AccessCell.run(by: way)).subtracting(judged.withLock(\.self))
        #expect(missing.isEmpty, "\(missing)")
    }
}
