import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Testing

@testable import PortolanFiles

/// Restricted files inside a folder that is offered to a wider audience, over real connections.
@Suite(.serialized, .enabled(if: FolderScene.keepsAttributes, "the file system keeps no extended attributes"))
struct FolderVisibilityTests {
    typealias Viewer = FolderScene.Viewer

    @Test("a folder arrives without a trace of the entries that the peer may not see", arguments: Viewer.allCases)
    func tellsNothing(viewer: Viewer) async throws {
        let scene = try FolderScene(viewer)
        defer { scene.remove() }
        let sent = try await scene.transfer(of: scene.makeTree("with") { _ in true })
        let hidden = FolderScene.entries.filter { !viewer.sees($0.level) }
        let everything = (sent.records + sent.messages).map { String(decoding: $0, as: UTF8.self) }
        for entry in hidden {
            let name = entry.path.split(separator: "/").last ?? ""
            #expect(!everything.contains { $0.contains(name) }, "\(name) before \(viewer)")
        }
        #expect(sent.entries.map(\.index) == Array(0..<UInt32(sent.entries.count)))
        #expect(sent.end.entries == UInt32(sent.entries.count))

        // The transfer equals that of a folder without hidden entries.
        let alone = try await scene.transfer(of: scene.makeTree("without", viewer.sees))
        #expect(sent.entries == alone.entries)
        #expect(sent.end.bytes == alone.end.bytes && sent.end.omissions == alone.end.omissions)
        #expect(sent.messages.count == alone.messages.count)
        // A stranger sees few enough files for them to be sent with the offer.
        #expect(sent.inline == alone.inline && (sent.inline != nil) == (viewer == .stranger))
        print("\(FolderScene.entries.count) entries before \(viewer): \(hidden.count) hidden")

        // Only the sender's own user is informed.
        let told = Set(sent.delivery.withheld.listed.map(\.path.text))
        let tops = hidden.map(\.path).filter { path in !hidden.contains { path.hasPrefix($0.path + "/") } }
        #expect(told == Set(tops) && sent.delivery.withheld.count == UInt64(tops.count))
        #expect(alone.delivery.withheld.count == 0)
        let reasons = Dictionary(uniqueKeysWithValues: sent.delivery.withheld.listed.map { ($0.path.text, $0.reason) })
        #expect(reasons["d-secret.txt"] == "for nobody else")
        #expect(reasons["e-others.txt"] == "for team other")
        if !viewer.sees(.design) { #expect(reasons["c-design.txt"] == "for group design of team acme") }
    }

    @Test("a peer that is entitled gets each entry with its restriction", arguments: Viewer.allCases)
    func carriesRestrictions(viewer: Viewer) async throws {
        let scene = try FolderScene(viewer)
        defer { scene.remove() }
        let sent = try await scene.transfer(of: scene.makeTree("tree") { _ in true })
        var paths: [UInt32: String] = [:]
        var restrictions: [String: Restriction] = [:]
        for entry in sent.entries {
            let parent = paths[entry.parent] ?? ""
            let path = entry.index == 0 ? "" : parent.isEmpty ? entry.name : parent + "/" + entry.name
            paths[entry.index] = path
            restrictions[path] = entry.restriction ?? restrictions[parent] ?? .everyone
        }
        let visible = FolderScene.entries.filter { viewer.sees($0.level) }
        #expect(Set(restrictions.keys) == Set(visible.map(\.path) + [""]))
        for entry in visible where entry.carriesRestriction {
            #expect(restrictions[entry.path] == scene.restriction(entry.level), "\(entry.path)")
        }
    }

    @Test("a member's machine stores the restrictions, tightens stored ones, and passes on no restricted entry")
    func restrictionIsStoredAndHonoured() async throws {
        let scene = try FolderScene(.designer)
        defer { scene.remove() }
        let tree = try scene.makeTree("plans") { _ in true }
        let member = try scene.memberNode()
        let inbox = scene.root.appending(path: "inbox")
        try await scene.whileReceiving(member, into: inbox) { peer in
            let first = try await scene.node.send([.file(at: tree.path)], to: peer, options: .once)
            #expect(first[0].isStored)
            let stored = inbox.appending(path: "plans")
            let visible = FolderScene.entries.filter { Viewer.designer.sees($0.level) }
            for entry in visible where entry.carriesRestriction {
                let kept = try StoredVisibility.read(stored.appending(path: entry.path).path)
                #expect(kept == scene.restriction(entry.level), "\(entry.path)")
            }
            #expect(try StoredVisibility.read(stored.path) == .everyone)

            // A file for everyone is restricted to the team from now on.
            try scene.keep(.team, on: tree.appending(path: "a-open.txt"))
            let second = try await scene.node.send([.file(at: tree.path)], to: peer, options: .once)
            guard case .stored(let again, _) = second[0].outcome else {
                Issue.record("it was not stored: \(second[0].outcome)")
                return
            }
            #expect(again.isUpdated && again.keptEntries == again.entries)
            #expect(try StoredVisibility.read(stored.appending(path: "a-open.txt").path) == scene.restriction(.team))
        }
        // A stranger gets only the visible files, and no link to the rest.
        let passed = try await scene.transfer(
            of: inbox.appending(path: "plans"), by: member, to: .made(named: "somebody"))
        let names = Set(passed.entries.map(\.name))
        #expect(names == ["", "h-open", "h-twin.txt"])
    }
}
