import Crypto

/// Digests by which records name contents (SYNC.md 6-1), made without the library.
func contentDigestScenarios() -> [Scenario] {
    func scenario(_ name: String, _ comment: String, size: Int) -> Scenario {
        let content = KeyedContent.numbers(size, seed: 5)
        var whole = Array("Portolan content".utf8)
        for start in stride(from: 0, to: size, by: 1_048_576) {
            whole += SHA256.hash(data: content[start..<min(start + 1_048_576, size)])
        }
        whole += (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        return Scenario(
            name, kind: "content_digest", comment,
            [
                "size": String(size), "seed": "5",
                "digest": size > 1_048_576
                    ? hex(SHA512.hash(data: whole).prefix(32)) : hex(SHA256.hash(data: content)),
            ])
    }
    return [
        scenario("content-digest-empty", "No content.", size: 0),
        scenario("content-digest-small", "A few bytes.", size: 5),
        scenario("content-digest-one-part", "The largest content with one part.", size: 1_048_576),
        scenario("content-digest-and-one-byte", "A second part with one byte.", size: 1_048_577),
        scenario("content-digest-two-parts", "Two whole parts.", size: 2_097_152),
        scenario("content-digest-rest", "The last part of three is shorter.", size: 2_500_000),
    ]
}
