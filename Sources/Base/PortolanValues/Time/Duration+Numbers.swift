extension Duration {
    /// Seconds, with fractions.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }

    /// Whole seconds, for programs.
    package var wholeSeconds: Int64 { components.seconds }

    /// Whole nanoseconds; those of 292 years if there are more.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows ? (seconds < 0 ? .min : .max) : sum
    }

    /// Milliseconds as `poll` takes them: rounded up, so that no wait ends a moment too early; at least 0, at most
    /// `Int32.max`.
    package var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .max }
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: whole.addingReportingOverflow(rest).overflow ? .max : whole + rest)
    }

    /// Text as a person types it, such as `90s`, in the largest unit that divides the duration; a single day is 24
    /// hours.
    package var asArgument: String {
        let seconds = components.seconds
        if seconds > 86400, seconds % 86400 == 0 { return "\(seconds / 86400)d" }
        if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
        return seconds > 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
