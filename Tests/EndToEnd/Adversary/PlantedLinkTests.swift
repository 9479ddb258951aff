import Foundation
import Glibc
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import PortolanValues
import Testing
import UniformTypeIdentifiers

/// Links that one item plants for the next one, and names that lead outside, for every kind of inbox and output.
@Suite(.serialized) struct PlantedLinkTests {
    /// Destination of a person's items.
    enum Place: CaseIterable {
        case existing, missing, linked, deepLinked

        /// Puts this kind of entry in place of the inbox.
        func prepare(_ inbox: URL, elsewhere: URL) throws {
            let files = FileManager.default
            switch self {
            case .existing: break
            case .missing: try files.removeItem(at: inbox)
            case .linked:
                try files.removeItem(at: inbox)
                try files.createSymbolicLink(at: inbox, withDestinationURL: elsewhere)
            case .deepLinked:
                try files.removeItem(at: inbox)
                let second = elsewhere.appending(path: "second")
                try files.createSymbolicLink(at: second, withDestinationURL: elsewhere)
                try files.createSymbolicLink(at: inbox, withDestinationURL: second)
            }
        }
    }

    /// A folder outside of the scene, for the inbox to link to.
    private static func elsewhere() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-elsewhere-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    static let names: [HostileText] = [
        "../escaped", "../../escaped", "/tmp/portolan-escaped", "a/../../escaped", "..", "sub/inner", "a\0b",
    ]

    @Test("a name of any kind cannot leave the destination", arguments: Place.allCases, names)
    func leadsNowhere(place: Place, name hostile: HostileText) async throws {
        let name = hostile.text
        let elsewhere = try Self.elsewhere()
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        try await Victim.with(preparing: { try place.prepare($0, elsewhere: elsewhere) }) { victim in
            // The name is used for the item, for a file in it, and for the destination of a link.
            let item = try HostilePeer(port: victim.port)
            try item.shakeHands()
            try item.send(.offer(item.offered(.file, title: name)))
            guard case .answer? = try item.nextMessage() else { throw HostileSocket.Gone() }
            try item.begin(.file, name: Array(name.utf8))
            try item.sendWholeFile([1])
            #expect(try item.nextReceipt() == .failed(StoringFailure(.name)))

            let inside = try HostilePeer(port: victim.port)
            try inside.shakeHands()
            try inside.offer(.folder)
            try inside.begin(.file, name: Array("tree".utf8))
            try inside.lane().send(.folder(0), .whole(1, name: name, [1]), .mark)
            try inside.lane().sendEnd()
            try inside.end(entries: 2, bytes: 1)
            let left = Omission(path: Array(name.utf8), reason: .name)
            #expect(try inside.nextStored()?.omissions == Omissions([left]))

            // After the first stored item, the name belongs to its key.
            let link = try HostilePeer(port: victim.port, identity: .made(named: "another"))
            try link.shakeHands()
            try link.offer(.folder)
            try link.begin(.file, name: Array("tree".utf8))
            let target = name == "sub/inner" ? "../sub/inner" : name
            try link.lane().send(.folder(0), .link(1, name: "link", to: target), .mark)
            try link.lane().sendEnd()
            try link.end(entries: 2, bytes: 0)
            let leftLink = Omission(path: Array("link".utf8), reason: .linkLeavesFolder)
            #expect(try link.nextStored()?.omissions == Omissions([leftLink]))

            #expect(try victim.contents().filter { $0 != "second" } == ["tree", "tree (2)"])
            for tree in ["tree", "tree (2)"] { #expect(try victim.contents(of: tree) == []) }
            #expect(!FileManager.default.fileExists(atPath: "/tmp/portolan-escaped"))
            try await victim.stillServes()
            #expect(try victim.contents().contains("honest.txt"))
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).allSatisfy {
                ["honest.txt", "second", "tree", "tree (2)"].contains($0)
            })
    }

    @Test(
        "a link that an earlier item created is not written through, by a new item or by an update",
        arguments: Place.allCases, [true, false])
    func followsNothing(place: Place, isUpdate: Bool) async throws {
        let elsewhere = try Self.elsewhere()
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        try await Victim.with(preparing: { try place.prepare($0, elsewhere: elsewhere) }) { victim in
            var sender = try Planter()
            // The link leads to a folder and to a file of the item, where nothing else may be stored.
            try sender.make(["room/": "", "room/mine": "mine", "file": "mine", "door": "-> room", "window": "-> file"])
            #expect(try await sender.send(to: victim.port))
            // Another sender's folder of this name is another item.
            if !isUpdate { sender = try Planter(named: "another") }
            try sender.make([
                "room/": "", "room/mine": "mine", "file": "mine", "door/": "", "door/theirs": "theirs",
                "window": "theirs",
            ])
            #expect(try await sender.send(to: victim.port))

            let trees = try victim.contents().filter { $0.hasPrefix("tree") }
            #expect(trees.count == (isUpdate ? 1 : 2), "\(trees)")
            for tree in trees {
                let folder = victim.inbox.appending(path: tree)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "room").path) == ["mine"]
                )
                #expect(try String(contentsOf: folder.appending(path: "room/mine"), encoding: .utf8) == "mine")
                #expect(try String(contentsOf: folder.appending(path: "file"), encoding: .utf8) == "mine")
            }
        }
    }

    @Test(
        "a link in the inbox with the item's name is neither followed nor replaced",
        arguments: ["gift.txt", "tree"])
    func leavesLinksAlone(name: String) async throws {
        let elsewhere = try Self.elsewhere()
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        let target = elsewhere.appending(path: "target")
        try await Victim.with(preparing: { inbox in
            try FileManager.default.createSymbolicLink(at: inbox.appending(path: name), withDestinationURL: target)
        }) { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            let isFolder = name == "tree"
            try peer.offer(isFolder ? .folder : .file)
            try peer.begin(.file, name: Array(name.utf8))
            if isFolder {
                let lane = try peer.openLane()
                try lane.send(.folder(0), .whole(1, name: "inner", [1]), .mark)
                try lane.sendEnd()
                try peer.end(entries: 2, bytes: 1)
            } else {
                try peer.sendWholeFile([1])
            }
            guard case .stored(let stored)? = try peer.nextReceipt() else { throw HostileSocket.Gone() }
            #expect(String(decoding: stored.name, as: UTF8.self) == (isFolder ? "tree (2)" : "gift (2).txt"))
            let link = try FileManager.default.destinationOfSymbolicLink(
                atPath: victim.inbox.appending(path: name).path)
            #expect(link == target.path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
    }

    @Test(
        "an output to a file or a pipe ignores the item's name, and nothing is stored beside it",
        arguments: names)
    func outputsHaveTheirOwnName(name hostile: HostileText) async throws {
        let name = hostile.text
        for isPipe in [false, true] {
            let root = try Self.elsewhere()
            defer { try? FileManager.default.removeItem(at: root) }
            let output = root.appending(path: "output")
            let descriptor = open(output.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            var ends: [CInt] = [-1, -1]
            try #require(descriptor >= 0 && pipe(&ends) == 0)
            defer { for each in ends + [descriptor] { close(each) } }

            let node = try Node(blocking: .onLoopback("victim", home: root.appending(path: "home")))
            let (port, receiving) = try await node.startReceiving(to: isPipe ? ends[1] : descriptor)
            defer { receiving.cancel() }
            let peer = try HostilePeer(port: port)
            try peer.shakeHands()
            try peer.send(.offer(peer.offered(.file, title: name)))
            guard case .answer? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            try peer.begin(.file, name: Array(name.utf8))
            try peer.sendWholeFile([7])
            let stored = try #require(try peer.nextStored(), "it was not stored")
            #expect(stored.name.isEmpty && stored.bytes == 1)
            peer.cut()
            try await receiving.value
            var written = Array(try Data(contentsOf: output))
            if isPipe {
                #expect(written.isEmpty)
                written = [UInt8](repeating: 0, count: 8)
                // An empty pipe is then an error rather than a wait.
                #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
                let count = read(ends[0], &written, written.count)
                written.removeLast(written.count - max(count, 0))
            }
            #expect(written == [7])
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() == ["home", "output"])
            #expect(!FileManager.default.fileExists(atPath: "/tmp/portolan-escaped"))
        }
    }
}

/// An honest node that sends one folder repeatedly, in its state at that time.
private final class Planter: Sendable {
    private let home: URL
    private let node: Node

    init(named name: String = "planter") throws {
        home = try Sender.home()
        node = try Node(blocking: .onLoopback(name, home: home.appending(path: "home")))
    }

    deinit { try? FileManager.default.removeItem(at: home) }

    private var tree: URL { home.appending(path: "tree") }

    /// Replaces the content of the folder; for its receivers it stays the same folder.
    ///
    /// - Parameter entries: content by path; a path with a trailing slash is a folder, content with an arrow a link.
    func make(_ entries: [String: String]) throws {
        let files = FileManager.default
        try files.createDirectory(at: tree, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: tree.path) {
            try files.removeItem(at: tree.appending(path: name))
        }
        for (path, content) in entries.sorted(by: { $0.key < $1.key }) {
            let place = tree.appending(path: path)
            if path.hasSuffix("/") {
                try files.createDirectory(at: place, withIntermediateDirectories: true)
            } else if content.hasPrefix("-> ") {
                try files.createSymbolicLink(atPath: place.path, withDestinationPath: String(content.dropFirst(3)))
            } else {
                try Data(content.utf8).write(to: place)
            }
        }
    }

    func send(to port: UInt16) async throws -> Bool {
        try await node.send([.file(at: tree.path)], to: node.find("127.0.0.1:\(port)"), options: .once)
            .map(\.isStored) == [true]
    }
}
