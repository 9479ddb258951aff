import PortolanCrypto

/// A vector of the kind `heads`.
///
/// - Parameter remembered: rosters that are remembered in the end; absent if nil.
func headsScenario(
    _ name: String, held: [HandRoster], given: [(HandRoster, String)], heads: [HandRoster],
    members: [[String: Any]], secret: [UInt8], epoch: UInt64, remembered: [HandRoster]? = nil, _ comment: String
) -> Scenario {
    let outcome: [String: Any] = [
        "heads": heads.map { hex($0.bytes) }.sorted(), "digest": hex(digest(of: heads)), "members": members,
        "secret": hex(secret), "epoch": String(epoch),
    ]
    return Scenario(
        "heads-" + name, kind: "heads", comment,
        [
            "now": String(Cast.now), "held": held.map { $0.json() },
            "given": given.map { $0.json().merging(["outcome": $1]) { one, _ in one } },
            "outcome": outcome.with("remembered", remembered?.map { hex($0.bytes) }.sorted()),
        ])
}

/// Makes a vector whose heads agree about every seat that none of them has removed, so that their merge is simple.
func headsScenario(
    _ name: String, held: [HandRoster], given: [(HandRoster, String)], _ heads: [HandRoster],
    remembered: [HandRoster]? = nil, _ comment: String
) -> Scenario {
    let removed = Set(heads.flatMap(\.removals).map(\.seat))
    let revoked = removed.union(heads.flatMap(\.removals).compactMap(\.admin?.seat))
    var view: [[UInt8]: HandRoster.Member] = [:]
    for member in heads.flatMap(\.members) where !removed.contains(member.seat) { view[member.key] = member }
    for (key, member) in view where member.admin.map({ revoked.contains($0.seat) }) ?? false { view[key]?.admin = nil }
    var together = heads[0]
    together.members = Array(view.values)
    let secrets = Set(heads.map(\.secret)).sorted { $0.lexicographicallyPrecedes($1) }
    var counts: [[UInt8]: UInt64] = [:]
    for tick in heads.flatMap(\.clock) {
        counts[tick.admin.publicKey.bytes] = max(counts[tick.admin.publicKey.bytes] ?? 0, tick.count)
    }
    return headsScenario(
        name, held: held, given: given, heads: heads, members: together.view,
        secret: secrets.count == 1
            ? secrets[0] : hmac(key: Array("portolan/1 merged secret".utf8), secrets.flatMap { $0 }),
        epoch: counts.values.reduce(0, +), remembered: remembered, comment)
}

/// The heads of a device that holds one roster and is given another; the raw value is the outcome in the vector.
enum StayingRosters: String {
    case held = "setAside"
    case given = "superseded"
    case both = "forked"
}

/// Makes a vector whose device has one roster and receives another. The two agree like the heads above.
func headsScenario(
    _ name: String, held: HandRoster, given: HandRoster, staying: StayingRosters, _ comment: String
) -> Scenario {
    let heads =
        switch staying {
        case .held: [held]
        case .given: [given]
        case .both: [held, given]
        }
    return headsScenario(name, held: [held], given: [(given, staying.rawValue)], heads, comment)
}
