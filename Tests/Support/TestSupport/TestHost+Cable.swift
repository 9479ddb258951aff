import Foundation

/// Limits and losses of a network, and its byte counts.
extension TestHost {
    /// Programs for `limitRate(megabits:)` and `lose(percent:)`.
    public static let cableTools = ["tc", "nft"]

    /// Limits the rate of frames from this host, in megabits per second; nil removes the limit.
    ///
    /// Excess frames are delayed by at most 50 ms. The limit counts Ethernet frames without preamble and checksum.
    public func limitRate(megabits: Int?) async throws {
        _ = try await run(["tc", "qdisc", "del", "dev", Self.interface, "root"])
        guard let megabits else { return }
        // A burst takes several segments that TCP hands down in one piece.
        let limit = ["tbf", "rate", "\(megabits)mbit", "burst", "256kb", "latency", "50ms"]
        try await require(["tc", "qdisc", "add", "dev", Self.interface, "root"] + limit)
    }

    /// Drops that share of the packets to this host, at random; nil ends it.
    public func lose(percent: Double?) async throws {
        _ = try await run(["nft", "delete", "table", "netdev", "cable"])
        guard let percent else { return }
        precondition((0...100).contains(percent), "a share of the packets")
        // The kernel rejects a comparison that always holds.
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
