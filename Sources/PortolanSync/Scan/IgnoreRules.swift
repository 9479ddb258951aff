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
    package mutating func add(_ file: [UInt8], depth: Int) {
        var bytes = file[...]
        // The file may begin with a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let patterns = bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumPatterns).compactMap {
            IgnorePattern($0)
        }
        if !patterns.isEmpty { levels.append(Level(depth: depth, patterns: patterns)) }
    }

    /// True if a file in a folder that is not ignored itself is ignored.
    ///
    /// - Parameter path: names from the root down.
    package func ignores(_ path: [[UInt8]], isFolder: Bool) -> Bool {
        for level in levels.reversed() where level.depth < path.count {
            let rest = path[level.depth...]
            for pattern in level.patterns.reversed() where pattern.matches(rest, isFolder: isFolder) {
                return !pattern.isNegated
            }
        }
        return false
    }
}
