import Foundation

/// What a network does to what it carries, and how much that was.
extension TestHost {
    /// The programs that `limitRate(megabits:)` and `lose(percent:)` need.
    public static let cableTools = ["tc", "nft"]

    /// Lets no more than so many megabits a second leave this host; nil takes the limit away.
    ///
    /// What is too much waits for at most 50 ms. The limit counts Ethernet frames without preamble and checksum.
    public func limitRate(megabits: Int?) async throws {
        _ = try await run(["tc", "qdisc", "del", "dev", Self.interface, "root"])
        guard let megabits else { return }
        // A burst takes several segments that TCP hands down in one piece.
        let limit = ["tbf", "rate", "\(megabits)mbit", "burst", "256kb", "latency", "50ms"]
        try await require(["tc", "qdisc", "add", "dev", Self.interface, "root"] + limit)
    }

    /// Loses that share of the packets that reach this host, at random; nil ends it.
    public func lose(percent: Double?) async throws {
        _ = try await run(["nft", "delete", "table", "netdev", "cable"])
        guard let percent else { return }
        precondition((0...100).contains(percent), "a share of the packets")
        // The kernel takes no comparison that always holds.
        let which = percent < 100 ? "numgen random mod 10000 < \(Int(percent * 100)) " : ""
        let rules = """
            table netdev cable {
                chain arriving {
                    type filter hook ingress device \(Self.interface) priority 0;
                    \(which)drop
                }
            }
            """
        try Files.write(rules, to: directory + "/loss.nft")
        try await require(["nft", "-f", directory + "/loss.nft"])
    }
}
