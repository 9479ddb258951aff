import UniformTypeIdentifiers

/// Cost of type look-ups in this process. Must run before any other look-up.
struct TypeLookups {
    private let clock = ContinuousClock()

    func run() -> [Verdict] {
        say("\nquestions about types, in one process")
        let first = clock.measure { Self.use(UTType.png.identifier.utf8.count) }
        let firstConformance = clock.measure { Self.use(UTType.png.conforms(to: .image) ? 1 : 0) }

        let pairs: [(UTType, UTType)] = [
            (.png, .image), (.swiftSource, .text), (.mpeg4Movie, .data), (.epub, .image), (.json, .item),
        ]
        let rounds = 100_000
        let conformance = clock.measure {
            for _ in 0..<rounds { for (type, other) in pairs { Self.use(type.conforms(to: other) ? 1 : 0) } }
        }

        let known = ["png", "txt", "JPG", "swift", "mp4", "html", "pdf", "docx", "tar", "m4a"]
        let unknown = ["zzq1", "bmd", "pcapng", "blend", "x-y"]
        let knownTime = lookUp(known, rounds: rounds)
        let unknownTime = lookUp(unknown, rounds: rounds)

        let each = conformance / .nanoseconds(1) / Double(rounds * pairs.count)
        say(
            Table(rows: [
                ["", "measured"],
                ["first use of a constant", "\(number(first / .microseconds(1), 1)) µs"],
                ["first conforms(to:)", "\(number(firstConformance / .microseconds(1), 1)) µs"],
                ["conforms(to:)", "\(number(each, 1)) ns"],
                ["100,000 look-ups of known extensions", "\(number(knownTime / .milliseconds(1), 1)) ms"],
                [
                    "100,000 look-ups of extensions that no declaration claims",
                    "\(number(unknownTime / .milliseconds(1), 1)) ms",
                ],
            ]))
        return [
            Verdict(
                "types: first use of a constant", value: first / .milliseconds(1), .atMost(1), digits: 3, unit: " ms"),
            Verdict("types: conforms(to:)", value: each, .atMost(200), digits: 0, unit: " ns"),
            Verdict(
                "types: 100,000 look-ups by extension", value: max(knownTime, unknownTime) / .milliseconds(1),
                .atMost(100), digits: 0, unit: " ms"),
        ]
    }

    private func lookUp(_ extensions: [String], rounds: Int) -> Duration {
        clock.measure {
            for round in 0..<rounds {
                Self.use(UTType(filenameExtension: extensions[round % extensions.count])?.isDynamic == true ? 1 : 0)
            }
        }
    }

    /// Keeps the optimiser from removing an unused result.
    @inline(never) private static func use(_ value: Int) { withExtendedLifetime(value) {} }
}
