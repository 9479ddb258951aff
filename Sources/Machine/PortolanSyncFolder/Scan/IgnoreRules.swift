/// Rules of the ignore files from the root down to one folder. Those of a deeper folder, and of a later line, take
/// precedence.
///
/// The rules apply to files that are not synchronized yet: a synchronized file remains so, as in git.
package struct IgnoreRules: Sendable {
    /// Name of an ignore file, which is synchronized itself.
    static let fileName = ".portolanignore"
    /// Largest ignore file that is read, in bytes, and most patterns of one.
    static let maximumBytes = 64 << 10
    static let maximumPatterns = 1024

    /// The last pattern that matches a path.
    struct Match: Hashable, Sendable {
        /// Number of names in the path of the folder with the ignore file.
        var depth: Int
        var pattern: IgnorePattern
    }

    private struct Level {
        /// Number of names in the path of the folder with the file.
        var depth: Int
        var patterns: [IgnorePattern]
    }

    private var levels: [Level] = []

    package init() {}

    /// True without any rules.
    var isEmpty: Bool { levels.isEmpty }

    /// Adds the rules of an ignore file.
    ///
    /// - Parameter depth: number of names in the path of its folder.
    package mutating func add(_ file: [UInt8], depth: Int) { add(Self.patterns(of: file), depth: depth) }

    mutating func add(_ patterns: [IgnorePattern], depth: Int) {
        if !patterns.isEmpty { levels.append(Level(depth: depth, patterns: patterns)) }
    }

    /// Returns the patterns of an ignore file, in the order of its lines.
    static func patterns(of file: some Collection<UInt8>) -> [IgnorePattern] {
        var bytes = Array(file)[...]
        // The file may begin with a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // A carriage return before the line feed is no part of the pattern, as in git.
            IgnorePattern(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }

    /// True if new rules exclude all that earlier ones do: they have all lines of these, in their order.
    ///
    /// - Parameter mayInclude: true if further lines may be negated.
    static func extend(_ new: [IgnorePattern], _ earlier: [IgnorePattern], mayInclude: Bool) -> Bool {
        var rest = earlier[...]
        for pattern in new {
            if pattern == rest.first { rest.removeFirst() } else if pattern.isNegated, !mayInclude { return false }
        }
        return rest.isEmpty
    }

    /// Returns the pattern that decides about a file in a folder that is not ignored itself; nil for none.
    ///
    /// - Parameter path: names from the root down.
    func match(_ path: [[UInt8]], isFolder: Bool) -> Match? {
        for level in levels.reversed() where level.depth < path.count {
            let rest = path[level.depth...]
            for pattern in level.patterns.reversed() where pattern.matches(rest, isFolder: isFolder) {
                return Match(depth: level.depth, pattern: pattern)
            }
        }
        return nil
    }

    /// True if a file in a folder that is not ignored itself is ignored.
    ///
    /// - Parameter path: names from the root down.
    package func ignores(_ path: [[UInt8]], isFolder: Bool) -> Bool {
        match(path, isFolder: isFolder).map { !$0.pattern.isNegated } ?? false
    }
}
