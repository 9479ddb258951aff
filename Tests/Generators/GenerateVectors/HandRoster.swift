import PortolanCrypto

/// Devices of the vectors: three that can be admins, and two that sign nothing.
struct Cast {
    let ada: DeviceKey
    let ben: DeviceKey
    let cleo: DeviceKey
    let fay: DeviceKey
    /// Eight more, in the order of their public keys.
    let others: [DeviceKey]
    let dora = fixedBytes(0xD0)
    let eve = fixedBytes(0xE0)
    let salt = Array(fixedBytes(0x5A).prefix(16))
    let team: [UInt8]

    static let now: UInt64 = 1_800_000_000

    init() throws {
        ada = try DeviceKey(seed: fixedBytes(0x0A))
        ben = try DeviceKey(seed: fixedBytes(0x0B))
        cleo = try DeviceKey(seed: fixedBytes(0x0C))
        fay = try DeviceKey(seed: fixedBytes(0x0F))
        others = try (0x90..<0x98).map { try DeviceKey(seed: fixedBytes($0)) }
            .sorted { $0.publicKey.bytes.lexicographicallyPrecedes($1.publicKey.bytes) }
        team = Array(sha256([Array("portolan/1 team".utf8), ada.publicKey.bytes, salt]).prefix(16))
    }

    func admin(_ key: DeviceKey, _ name: String, seat: UInt8, by issuer: DeviceKey, voucherBy signer: DeviceKey? = nil)
        -> HandRoster.Member
    {
        .init(
            key: key.publicKey.bytes, name: name, seat: HandRoster.seat(seat),
            admin: adminSeat(key, HandRoster.seat(seat | 0x80), by: issuer, voucherBy: signer))
    }

    func adminSeat(
        _ key: DeviceKey, _ seat: [UInt8], by issuer: DeviceKey, voucherBy signer: DeviceKey? = nil
    ) -> HandRoster.Admin {
        let statement = Array("portolan/1 admin".utf8) + team + key.publicKey.bytes + seat
        return .init(
            seat: seat, issuer: issuer.publicKey.bytes, voucher: (signer ?? issuer).signature(for: statement))
    }

    /// The first roster: the founder alone.
    func first(secret: UInt8 = 1) -> HandRoster {
        HandRoster(
            founder: ada.publicKey.bytes, salt: salt, clock: [(ada, 1)], members: [admin(ada, "ada", seat: 1, by: ada)],
            secret: fixedBytes(secret), signer: ada)
    }

    /// A later one: two admins, and two members with groups.
    func second() -> HandRoster {
        var roster = first()
        roster.clock = [(ada, 5)]
        roster.members += [
            admin(ben, "ben", seat: 2, by: ada),
            .init(
                key: dora, name: "Dora’s laptop", seat: HandRoster.seat(4), groups: [("design", HandRoster.seat(0x41))]),
            .init(
                key: eve, name: "東京", seat: HandRoster.seat(5),
                groups: [("design", HandRoster.seat(0x51)), ("Ünïon", HandRoster.seat(0x52))]),
        ]
        return roster
    }
}

extension Cast {
    /// A later one: Ben has made Cleo an admin.
    func third() -> HandRoster {
        var roster = first()
        roster.clock = [(ada, 7)]
        roster.members += [
            admin(ben, "ben", seat: 2, by: ada), admin(cleo, "cleo", seat: 3, by: ben),
            .init(key: dora, name: "dora", seat: HandRoster.seat(4)),
        ]
        return roster
    }
}

extension Cast {
    /// Makes a roster with a chain of admins up to the founder, each promoted by the next, so that the signer's chain
    /// needs this many vouchers.
    func longChain(_ vouchers: Int) -> HandRoster {
        var roster = first()
        var issuer = ada
        for number in 1...vouchers {
            guard let key = try? DeviceKey(seed: [0xC4, UInt8(number)] + [UInt8](repeating: 0, count: 30)) else {
                fatalError("A seed of another length")
            }
            roster.members.append(
                .init(
                    key: key.publicKey.bytes, name: "link \(number)", seat: HandRoster.seat(0x0C, number),
                    admin: adminSeat(key, HandRoster.seat(0x8C, number), by: issuer)))
            issuer = key
        }
        roster.signer = issuer
        roster.clock = [(ada, 7), (issuer, 1)]
        return roster
    }
}

/// A roster by hand.
struct HandRoster {
    struct Admin {
        var seat: [UInt8]
        var issuer: [UInt8]
        var voucher: [UInt8]

        var bytes: [UInt8] { Proto.field(1, seat) + Proto.field(2, issuer) + Proto.field(3, voucher) }
    }

    struct Member {
        var key: [UInt8]
        var name: String
        var seat: [UInt8]
        var groups: [(name: String, seat: [UInt8])] = []
        var admin: Admin?

        var bytes: [UInt8] {
            Proto.field(1, key) + Proto.field(2, name) + Proto.field(3, seat)
                + groups.flatMap { Proto.field(4, Proto.field(1, $0.name) + Proto.field(2, $0.seat)) }
                + (admin.map { Proto.field(5, $0.bytes) } ?? [])
        }
    }

    struct Removal {
        var seat: [UInt8]
        var key: [UInt8]?
        var admin: Admin?

        var bytes: [UInt8] {
            Proto.field(1, seat) + (key.map { Proto.field(2, $0) } ?? [])
                + (admin.map { Proto.field(3, $0.bytes) } ?? [])
        }
    }

    var founder: [UInt8]
    var salt: [UInt8]
    var name = "acme"
    var issued = Cast.now
    var lifetime: UInt64 = 90 * 86_400
    var clock: [(admin: DeviceKey, count: UInt64)]
    var members: [Member]
    var removals: [Removal] = []
    var secret: [UInt8]
    var signer: DeviceKey
    /// False keeps the given order, for rosters that must be refused.
    var isSorted = true

    static func seat(_ number: UInt8, _ second: Int = 0) -> [UInt8] {
        [0x5E, 0xA7, 0, 0, 0, 0, UInt8(second), number]
    }

    var epoch: UInt64 { clock.reduce(0) { $0 + $1.count } }
    var expires: UInt64 { issued + lifetime }

    var bytes: [UInt8] {
        func ordered<Element>(_ list: [Element], _ key: (Element) -> [UInt8]) -> [Element] {
            isSorted ? list.sorted { key($0).lexicographicallyPrecedes(key($1)) } : list
        }
        // In steps, because the compiler takes its time over one long sum.
        var bytes = Proto.field(1, 1) + Proto.field(2, founder) + Proto.field(3, salt) + Proto.field(4, name)
        bytes += Proto.field(5, epoch) + Proto.field(6, issued << 1) + Proto.field(7, expires << 1)
        for tick in ordered(clock, { $0.admin.publicKey.bytes }) {
            bytes += Proto.field(8, Proto.field(1, tick.admin.publicKey.bytes) + Proto.field(2, tick.count))
        }
        for member in ordered(members, \.key) { bytes += Proto.field(9, member.bytes) }
        for removal in ordered(removals, \.seat) { bytes += Proto.field(10, removal.bytes) }
        bytes += Proto.field(11, sha256([Array("portolan/1 team secret".utf8), secret]))
        bytes += Proto.field(12, signer.publicKey.bytes)
        return bytes
    }

    func json(bytes other: [UInt8]? = nil, signedBy key: DeviceKey? = nil, secret given: [UInt8]? = nil) -> [String:
        Any]
    {
        let bytes = other ?? bytes
        return [
            "roster": hex(bytes), "secret": hex(given ?? secret),
            "signature": hex((key ?? signer).signature(for: Array("portolan/1 roster".utf8) + bytes)),
        ]
    }

    /// The members in their public form, by key.
    var view: [[String: Any]] {
        members.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            [
                "key": hex($0.key), "name": $0.name, "admin": $0.admin != nil,
                "groups": $0.groups.map(\.name).sorted { $0.lowercased() < $1.lowercased() },
            ]
        }
    }
}

func digest(of heads: [HandRoster]) -> [UInt8] {
    sha256(
        [Array("portolan/1 team heads".utf8)]
            + heads.map { sha256([$0.bytes]) }.sorted { $0.lexicographicallyPrecedes($1) })
}

/// HMAC-SHA-256 (RFC 2104) with a key that is shorter than a block.
func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let block = key + [UInt8](repeating: 0, count: 64 - key.count)
    return sha256([block.map { $0 ^ 0x5C }, sha256([block.map { $0 ^ 0x36 }, message])])
}

func base32(_ bytes: [UInt8]) -> String {
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    return String(
        stride(from: 0, to: bits.count, by: 5).map { start in
            alphabet[(0..<5).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
        })
}
