import Portolan

/// A length of time as people write it: `90s`, `10m`, `1h`, `7d`.
package enum DurationSyntax {
    package static let usual = Duration.seconds(10)...Duration.seconds(86400)

    /// - Throws: `ValueError` with the accepted forms.
    package static func parse(_ text: String) throws(ValueError) -> Duration {
        try parse(text, within: usual)
    }

    package static func parse(_ text: String, within bounds: ClosedRange<Duration>) throws(ValueError) -> Duration {
        // Five digits are more than the longest time has in the smallest unit that one would write it in.
        let shown = "from \(bounds.lowerBound.asArgument) to \(bounds.upperBound.asArgument)"
        guard let match = text.wholeMatch(of: /([0-9]{1,5})([smhd])/), let count = Int64(match.1) else {
            throw ValueError(
                "“\(DisplayText(text, limit: 40))” is no length of time; write \(examples(bounds)), \(shown).")
        }
        let duration = Duration.seconds(count * unit(match.2))
        guard bounds.contains(duration) else {
            throw ValueError(
                "\(text) is too \(duration < bounds.lowerBound ? "short" : "long"); a time is \(shown).")
        }
        return duration
    }

    private static func unit(_ letter: Substring) -> Int64 {
        switch letter {
        case "s": 1
        case "m": 60
        case "h": 3600
        default: 86400
        }
    }

    private static func examples(_ bounds: ClosedRange<Duration>) -> String {
        bounds.upperBound > usual.upperBound ? "12h, 7d or 30d" : "90s, 10m or 1h"
    }
}

/// Syntax of the time for retries after a connection broke: a duration, or `0` for no retry.
package enum RetrySyntax {
    package static func parse(_ text: String) throws(ValueError) -> Duration {
        guard text != "0" else { return .zero }
        return try DurationSyntax.parse(text, within: .seconds(1)...(.seconds(86400)))
    }
}

/// Syntax of the time for which an interrupted transfer is kept.
package enum LifetimeSyntax {
    package static func parse(_ text: String) throws(ValueError) -> Duration {
        try DurationSyntax.parse(text, within: .seconds(3600)...(.seconds(365 * 86400)))
    }
}
