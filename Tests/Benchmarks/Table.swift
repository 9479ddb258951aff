import Foundation

/// Table for people: the first column is left-aligned, the others right-aligned.
struct Table: CustomStringConvertible {
    var rows: [[String]]

    var description: String {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// Speeds, processor time and memory of several contestants, the first of which is ours.
    ///
    /// - Parameter size: bytes that each transferred.
    static func costs(_ names: [String], _ results: Measurements, size: Int) -> Table {
        var table = Table(
            rows: [["", "MB/s", "s", "min", "max", "CPU s sending", "receiving", "MiB sending", "receiving"]])
        for name in names {
            guard let runs = results[name] else { continue }
            let seconds = runs.map(\.seconds)
            table.rows.append([
                name, number(Double(size) / seconds.median / 1e6, 0), number(seconds.median, 2),
                number(seconds.min() ?? 0, 2), number(seconds.max() ?? 0, 2),
                number(runs.map(\.processorSeconds.sender).median, 2),
                number(runs.map(\.processorSeconds.receiver).median, 2),
                number(runs.map(\.peak.sender).max() ?? 0, 1), number(runs.map(\.peak.receiver).max() ?? 0, 1),
            ])
        }
        return table
    }

    /// Times of several contestants, the first of which is ours.
    static func times(_ results: [(name: String, seconds: [Double])]) -> Table {
        var table = Table(rows: [["", "median ms", "min", "max"]])
        for (name, seconds) in results where !seconds.isEmpty {
            table.rows.append(
                [name] + [seconds.median, seconds.min() ?? 0, seconds.max() ?? 0].map { number($0 * 1000, 1) })
        }
        return table
    }

    /// Table of all targets, with their results.
    static func targets(_ verdicts: [Verdict]) -> Table {
        Table(
            rows: [["", "measured", "range", "target", ""]]
                + verdicts.map { [$0.what, $0.measured, $0.range, $0.target, $0.isMet ? "met" : "MISSED"] })
    }
}

/// A number with its target.
struct Verdict {
    enum Target {
        case atLeast(Double)
        case atMost(Double)

        func text(digits: Int, unit: String) -> String {
            switch self {
            case .atLeast(let limit): "at least \(number(limit, digits))\(unit)"
            case .atMost(let limit): "at most \(number(limit, digits))\(unit)"
            }
        }
    }

    let what: String
    let measured: String
    let range: String
    let target: String
    let isMet: Bool

    /// The ratio of two contestants' medians, with the ratios of the single rounds as its range.
    init(_ what: String, _ ours: [Double], to others: [Double], _ target: Target) {
        let ratios = zip(ours, others).map { $0 / $1 }
        let ratio = ours.median / others.median
        self.init(
            what, value: ratio, target, range: "\(number(ratios.min() ?? 0, 2))-\(number(ratios.max() ?? 0, 2))",
            digits: 2, unit: "")
    }

    init(_ what: String, value: Double, _ target: Target, range: String = "", digits: Int, unit: String) {
        self.what = what
        self.range = range
        measured = number(value, digits) + unit
        self.target = target.text(digits: digits, unit: unit)
        isMet =
            switch target {
            case .atLeast(let limit): value >= limit
            case .atMost(let limit): value <= limit
            }
    }

    /// Makes a verdict without a number, because the measurement failed.
    init(_ what: String, missed reason: String, _ target: Target, digits: Int = 2, unit: String = "") {
        self.what = what
        measured = reason
        range = ""
        self.target = target.text(digits: digits, unit: unit)
        isMet = false
    }
}

extension [Double] {
    /// Median; 0 for an empty list.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// Formats a number with so many decimals.
func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
