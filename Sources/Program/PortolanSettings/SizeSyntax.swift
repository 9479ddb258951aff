import Portolan

/// An amount of data as people write it: `4096`, `500K`, `20M`, `1G`, `2T`; the units are of 1024.
package enum SizeSyntax {
    /// - Throws: `ValueError` with the accepted forms.
    package static func parse(_ text: String) throws(ValueError) -> UInt64 {
        guard let match = text.wholeMatch(of: /([0-9]{1,20})([KMGTkmgt]?)/), let count = UInt64(match.1),
            count.leadingZeroBitCount >= unit(match.2)
        else {
            throw ValueError(
                "“\(DisplayText(text, limit: 40))” is no amount; write digits and K, M, G or T (of 1024), such as 20M, and less than 16777216T."
            )
        }
        return count << unit(match.2)
    }

    /// Text of a size, in the largest unit that divides it.
    package static func text(of bytes: UInt64) -> String {
        let steps = bytes > 0 ? min(bytes.trailingZeroBitCount / 10, 4) : 0
        return "\(bytes >> (10 * steps))\(["", "K", "M", "G", "T"][steps])"
    }

    private static func unit(_ letter: Substring) -> Int {
        switch letter.lowercased() {
        case "k": 10
        case "m": 20
        case "g": 30
        case "t": 40
        default: 0
        }
    }
}

/// Bytes a second, as ``SizeSyntax`` writes amounts.
package enum RateSyntax {
    /// Slowest accepted rate: with a lower one, a single record would take longer than the silence limit of a session.
    package static let slowest: UInt64 = 64 << 10

    package static func parse(_ text: String) throws(ValueError) -> UInt64 {
        let rate = try SizeSyntax.parse(text)
        guard rate >= slowest else {
            throw ValueError("A rate is at least 64K a second; “\(DisplayText(text, limit: 40))” is less.")
        }
        return rate
    }
}
