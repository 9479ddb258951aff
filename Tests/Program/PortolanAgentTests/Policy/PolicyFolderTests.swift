import Foundation
import Portolan
import PortolanCrypto
import PortolanFiles
import PortolanValues
import Testing
import UniformTypeIdentifiers

@testable import PortolanAgent

/// Paths that patterns make of names that senders choose.
@Suite struct PolicyFolderTests {
    private func path(_ pattern: String, sender: String = "laptop", name: String = "a.png") throws -> String? {
        let offer = PolicyOffer(
            peer: .init(name: sender, isContact: true),
            items: [.init(name: name, types: [.png], size: 1, mostBytes: 1)], time: try .parse("2026-03-05 14:30"))
        return try PolicyFolder.parse(pattern, userHome: "/home/ada").path(for: offer.items[0], in: offer)
    }

    @Test(
        "fields are filled in",
        arguments: [
            ("Pictures", "Pictures"), ("{sender}/{date}/{name}", "laptop/2026-03-05"), ("{name}", nil),
            ("{name}/x", "a.png/x"), ("{year}/{month}", "2026/03"), ("from {sender}, {year}", "from laptop, 2026"),
            ("/srv/{sender}", "/srv/laptop"), ("a//b/", "a/b"), (".hidden/{sender}", ".hidden/laptop"),
        ] as [(String, String?)])
    func fields(pattern: String, expected: String?) throws {
        #expect(try path(pattern) == expected)
    }

    @Test("a folder belongs to the sender that it is named after, a contact by its name here and others by their key")
    func owners() throws {
        let time: PolicyTime = try .parse("2026-03-05 14:30")
        func owners(_ pattern: String, isContact: Bool) throws -> [String?] {
            let peer = PolicyOffer.Peer(
                fingerprint: Fingerprint(ofKeyBytes: [1]), name: "Laptop", isContact: isContact)
            let items = [PolicyOffer.Item(name: "a.png", types: [.png], size: 1, mostBytes: 1)]
            let offer = PolicyOffer(peer: peer, items: items, time: time)
            let folder = try PolicyFolder.parse(pattern, userHome: "/home/ada")
            let place = try #require(folder.path(for: items[0], in: offer))
            #expect(isContact || !pattern.contains("{sender}") || place.contains("Laptop \(fingerprint.prefix(9))"))
            return folder.owners(in: offer)
        }
        let fingerprint = Fingerprint(ofKeyBytes: [1]).description
        #expect(try owners("Pictures/{sender}/{date}", isContact: true) == [nil, "contact laptop", nil])
        #expect(try owners("Pictures/{sender}/{date}", isContact: false) == [nil, "key \(fingerprint)", nil])
        #expect(try owners("~/Drop/{date}/{name}/x", isContact: false) == [nil, "key \(fingerprint)", nil])
        #expect(try owners("/srv/drop", isContact: false) == [])
    }

    @Test func aTildeIsTheHomeDirectory() throws {
        #expect(try path("~/Drop/{sender}") == "/home/ada/Drop/laptop")
    }

    @Test(
        "a name that a sender chose is one safe name",
        arguments: [
            "..", ".", "", "/", "../../etc/passwd", "/etc", "a/b", ".ssh", "-rf", "a\0b", "a\nb", "\u{1B}[2J",
            "\u{202E}gnp.exe",
            " ", "x/\u{301}y", ".portolan-partial", String(repeating: "ä", count: 300), "{date}", "~",
        ])
    func hostileNames(name: String) throws {
        for pattern in ["in/{sender}/x", "in/{name}/x", "in/a{sender}{name}/x"] {
            let made = try #require(try path(pattern, sender: name, name: name))
            // By bytes, as the system reads a path.
            let parts = made.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
                String($0) ?? ""
            }
            #expect(parts.count == 3 && parts[0] == "in" && parts[2] == "x", "\(DisplayText(made))")
            #expect(throws: Never.self) { try FileName(parts[1]) }
            #expect(!parts[1].hasPrefix(".") && !parts[1].hasPrefix("-") && parts[1] != "2026-03-05")
        }
    }

    @Test(
        "a pattern that is no path is refused",
        arguments: [
            "", "/", "..", "a/../b", "./a", "{sender", "sender}", "{}", "{who}", "{{sender}}", "/{name}", "/{sender}/a",
            "a\0",
            "a\u{202E}b", String(repeating: "a/", count: 17), String(repeating: "a", count: 1025),
        ])
    func mistakes(pattern: String) {
        #expect(throws: ValueError.self) { try PolicyFolder.parse(pattern, userHome: "/home/ada") }
    }
}
