/// Amounts as people read them.
enum Human {
    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    /// Bytes in decimal units with three significant digits: `0 B`, `999 B`, `1.00 kB`, `12.3 MB`, `4.29 GB`.
    static func size(_ bytes: UInt64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        // 999.5 would be shown as 1000.
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(threeDigits(value)) \(units[unit])"
    }

    static func rate(_ bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond > 0 else { return "0 B/s" }
        return size(UInt64(min(bytesPerSecond, 1e18).rounded())) + "/s"
    }

    /// `0:05`, `12:34`, `1:02:03`; `--:--` for a time that is too long to be meaningful.
    static func time(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return "--:--" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// Formats a duration: `19 ms`, `4.0 s`, `2:05`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 59.95 else { return time(seconds) }
        guard seconds >= 0.9995 else { return "\(Int((seconds * 1000).rounded())) ms" }
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// `7`, `199,997`, `1,000,000`.
    static func number(_ number: some BinaryInteger) -> String {
        let digits = String(number)
        let grouped = digits.reversed().enumerated().flatMap { place, digit in
            place > 0 && place % 3 == 0 && digit != "-" ? [",", digit] : [digit]
        }
        return String(grouped.reversed())
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func threeDigits(_ value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let scaled = Int((value * Double(scale)).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
