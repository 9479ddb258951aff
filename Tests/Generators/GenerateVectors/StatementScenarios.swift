import Foundation
import PortolanCrypto

/// Statements for whom a folder is (SYNC.md 8), byte by byte.
func statementScenarios() throws -> [Scenario] {
    let (maker, keeper, other) = (try HandSigner(0x1A), try HandSigner(0x1B), try HandSigner(0x1C))
    let contact = HandStatement.Part.contact(fixedBytes(0xD0), "Dora’s laptop")
    let team = HandStatement.Part.team(Array(fixedBytes(0x31).prefix(16)), "acme", "")
    let group = HandStatement.Part.team(Array(fixedBytes(0x31).prefix(16)), "acme", "design")
    let first = HandStatement(maker: maker.key, signer: maker, parts: [contact, team, group])
    var granting = first
    granting.parts = [contact]
    granting.keepers = [keeper.key]
    func changed(_ statement: HandStatement, _ change: (inout HandStatement) -> Void) -> HandStatement {
        var statement = statement
        change(&statement)
        return statement
    }
    func following(
        _ grant: HandStatement, by signer: HandSigner, _ change: (inout HandStatement) -> Void = { _ in }
    ) -> HandStatement {
        changed(grant) { next in
            next.version += 1
            next.before = sha256([grant.bytes])
            next.signer = signer
            change(&next)
        }
    }
    func taken(
        _ name: String, _ statement: HandStatement, after grant: HandStatement? = nil, bySigner: Bool = true,
        _ comment: String
    ) -> Scenario {
        Scenario(
            "statement-" + name, kind: "statement", comment,
            statement.json(after: grant).merging([
                "signer_seed": hex(statement.signer.seed), "meaning": statement.meaning,
                "signer_may": bySigner,
            ]) { one, _ in one })
    }
    func refused(
        _ name: String, _ statement: HandStatement, after grant: HandStatement? = nil, as word: String = "malformed",
        _ comment: String, twist: ([UInt8]) -> [UInt8] = { $0 }
    ) -> Scenario {
        Scenario(
            "statement-refused-" + name, kind: "statement", comment,
            statement.json(after: grant, twist: twist).merging(["refused": word]) { one, _ in one })
    }
    let many = (0..<33).map { HandStatement.Part.contact([UInt8(0x20 + $0)] + fixedBytes(0x40).dropFirst(), "a") }
    let long = (0..<32).map {
        HandStatement.Part.contact(
            [UInt8(0x20 + $0)] + fixedBytes(0x40).dropFirst(), String(repeating: "a", count: 31))
    }
    let grant = granting
    return [
        taken("first", first, "The maker's first: for a contact, a team and one of its groups."),
        taken("nobody", changed(first) { $0.parts = [] }, "For nobody but its signer's own devices: no part."),
        taken(
            "former", changed(first) { $0.former = Array(fixedBytes(0x71).prefix(16)) },
            "Of a folder that is older than statements: the identifier is the former one."),
        taken(
            "second", following(first, by: maker) { $0.parts = [contact] },
            "The maker's second names the digest of its first, and no grant comes along."),
        taken("keepers", grant, "The maker names a keeper."),
        taken(
            "by-keeper", following(grant, by: keeper) { $0.parts = [team] }, after: grant,
            "A keeper that the grant names signs for others."),
        taken(
            "largest", changed(first) { $0.parts = Array(many.dropLast()) }, "As many parts as there may be: 32."),
        taken(
            "by-unnamed", following(grant, by: other), after: grant, bySigner: false,
            "The grant does not name the signer: the statement is passed over."),
        refused(
            "wrong-signature", first, "The signature is that of another salt.",
            twist: { bytes in
                var bytes = bytes
                bytes[37] ^= 1
                return bytes
            }),
        refused("version-0", changed(first) { $0.version = 0 }, "Version 0."),
        refused(
            "first-with-before", changed(first) { $0.before = fixedBytes(0x55) },
            "Version 1 follows no other statement."),
        refused(
            "second-without-before", changed(first) { $0.version = 2 }, "A later one of the maker names the one before."
        ),
        refused("without-grant", following(grant, by: keeper), "A keeper's statement comes with the grant."),
        refused(
            "maker-with-grant", following(grant, by: maker), after: grant,
            "The maker's statement comes without a grant."),
        refused(
            "other-before", following(grant, by: keeper) { $0.before = fixedBytes(0x55) }, after: grant,
            "The digest is not that of the grant."),
        refused(
            "other-keepers", following(grant, by: keeper) { $0.keepers.append(other.key) }, after: grant,
            "A keeper names other keepers than the grant."),
        refused(
            "other-salt", following(grant, by: keeper) { $0.salt = Array(fixedBytes(0x66).prefix(16)) }, after: grant,
            "Another salt than the grant, so that it is of another folder."),
        refused(
            "same-version", following(grant, by: keeper) { $0.version = grant.version }, after: grant,
            "Its version is not above that of the grant."),
        refused(
            "grant-of-other", following(changed(grant) { $0.signer = keeper }, by: keeper),
            after: changed(grant) { $0.signer = keeper }, "The grant is not the maker's."),
        refused(
            "unordered",
            changed(first) {
                $0.parts.reverse()
                $0.isSorted = false
            }, "The parts are not in their order."),
        refused(
            "twice",
            changed(first) {
                $0.parts = [contact, contact]
                $0.isSorted = false
            }, "One part is there twice."),
        refused("33-parts", changed(first) { $0.parts = many }, as: "limit", "33 parts."),
        refused(
            "9-keepers",
            changed(first) { $0.keepers = (0..<9).map { [UInt8(0x20 + $0)] + fixedBytes(0x40).dropFirst() } },
            as: "limit", "Nine keepers."),
        refused("too-long", changed(first) { $0.parts = long }, as: "limit", "More than 2,048 bytes."),
        refused(
            "byte-behind", first, "A byte behind the last keeper.",
            twist: { $0 + [0] }),
    ]
}

private struct HandSigner {
    let seed: [UInt8]
    let pair: DeviceKey

    init(_ label: UInt8) throws {
        seed = fixedBytes(label)
        pair = try DeviceKey(seed: seed)
    }

    var key: [UInt8] { pair.publicKey.bytes }
}

/// A statement by hand.
private struct HandStatement {
    enum Part {
        case contact([UInt8], String)
        case team([UInt8], String, String)

        var order: [UInt8] {
            switch self {
            case .contact(let key, _): [1] + key
            case .team(let team, _, let group): [2] + team + Array(group.lowercased().utf8)
            }
        }

        var bytes: [UInt8] {
            func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
            return switch self {
            case .contact(let key, let name): [1] + key + text(name)
            case .team(let team, let name, let group): [2] + team + text(name) + text(group)
            }
        }

        var meaning: [String: Any] {
            switch self {
            case .contact(let key, let name): ["contact": hex(key), "name": name]
            case .team(let team, let name, let group): ["team": hex(team), "name": name, "group": group]
            }
        }
    }

    var version: UInt32 = 1
    var maker: [UInt8]
    var salt = Array(fixedBytes(0x5A).prefix(16))
    var former: [UInt8]?
    var before: [UInt8]?
    var signer: HandSigner
    var parts: [Part]
    var keepers: [[UInt8]] = []
    var isSorted = true

    var sorted: [Part] {
        isSorted ? parts.sorted { $0.order.lexicographicallyPrecedes($1.order) } : parts
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [1] + withUnsafeBytes(of: version.bigEndian, Array.init) + maker + salt
        bytes += former ?? [UInt8](repeating: 0, count: 16)
        bytes += before ?? [UInt8](repeating: 0, count: 32)
        bytes += signer.key + [UInt8(parts.count)] + sorted.flatMap(\.bytes)
        let keepers = keepers.sorted { $0.lexicographicallyPrecedes($1) }
        return bytes + [UInt8(keepers.count)] + keepers.joined()
    }

    var folder: [UInt8] { former ?? Array(sha256([Array("portolan/1 folder".utf8), maker, salt]).prefix(16)) }

    func signature(for bytes: [UInt8]) -> [UInt8] {
        signer.pair.signature(for: Array("portolan/1 folder statement".utf8) + bytes)
    }

    /// - Parameter twist: changes the bytes behind the signing.
    func json(after grant: HandStatement?, twist: ([UInt8]) -> [UInt8] = { $0 }) -> [String: Any] {
        let own: [String: Any] = ["statement": hex(twist(bytes)), "signature": hex(signature(for: bytes))]
        guard let grant else { return own }
        return own.with("grant", hex(grant.bytes)).with("grant_signature", hex(grant.signature(for: grant.bytes)))
    }

    var meaning: [String: Any] {
        let all: [String: Any] = [
            "folder": hex(folder), "version": Int(version), "maker": hex(maker), "salt": hex(salt),
            "signer": hex(signer.key), "parts": sorted.map(\.meaning),
            "keepers": keepers.sorted { $0.lexicographicallyPrecedes($1) }.map(hex),
        ]
        return all.with("former", former.map(hex)).with("before", before.map(hex))
    }
}
