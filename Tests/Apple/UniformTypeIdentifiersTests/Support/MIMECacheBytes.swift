/// Makes the bytes of `mime.cache`, as `update-mime-database` does of the same lines.
struct MIMECacheBytes {
    private(set) var bytes: [UInt8] = [0, 1, 0, 2] + [UInt8](repeating: 0, count: 36)
    private var texts: [String: Int] = [:]

    private final class Node {
        var children: [Unicode.Scalar: Node] = [:]
        var types: [(type: String, flags: Int)] = []
    }

    /// - Parameters:
    ///   - globs: pattern, MIME type, and weight with perhaps 256 for a pattern whose case counts.
    ///   - aliases: other name and MIME type.
    ///   - parents: MIME type and what it is a special form of.
    init(
        globs: [(pattern: String, type: String, flags: Int)], aliases: [(String, String)] = [],
        parents: [(String, [String])] = []
    ) {
        let root = Node()
        var literals: [(pattern: String, type: String, flags: Int)] = []
        for glob in globs {
            guard glob.pattern.hasPrefix("*") else {
                literals.append(glob)
                continue
            }
            var node = root
            for scalar in glob.pattern.unicodeScalars.dropFirst().reversed() {
                let child = node.children[scalar] ?? Node()
                node.children[scalar] = child
                node = child
            }
            node.types.append((glob.type, glob.flags))
        }
        let aliases = list(aliases.sorted { $0 < $1 }.map { [text($0.0), text($0.1)] })
        let parents = list(
            parents.sorted { $0.0 < $1.0 }.map { [text($0.0), list($0.1.map { [text($0)] })] })
        let names = list(
            literals.sorted { $0.pattern < $1.pattern }.map { [text($0.pattern), text($0.type), $0.flags] })
        let roots = siblings(of: root)
        let tree = append([roots.count, roots.start])
        for (place, offset) in [(4, aliases), (8, parents), (12, names), (16, tree)] { set(place, offset) }
        for place in stride(from: 20, to: 40, by: 4) { set(place, list([])) }
    }

    private mutating func text(_ text: String) -> Int {
        if let known = texts[text] { return known }
        let offset = bytes.count
        bytes += Array(text.utf8) + [0]
        while bytes.count % 4 != 0 { bytes.append(0) }
        texts[text] = offset
        return offset
    }

    @discardableResult
    private mutating func append(_ words: [Int]) -> Int {
        let offset = bytes.count
        for word in words { bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        return offset
    }

    mutating func set(_ place: Int, _ word: Int) {
        bytes.replaceSubrange(place..<place + 4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) })
    }

    private mutating func list(_ entries: [[Int]]) -> Int {
        append([entries.count] + entries.flatMap(\.self))
    }

    private mutating func siblings(of node: Node) -> (count: Int, start: Int) {
        var nodes = node.types.map { [0, text($0.type), $0.flags] }
        for (scalar, child) in node.children.sorted(by: { $0.key < $1.key }) {
            let below = siblings(of: child)
            nodes.append([Int(scalar.value), below.count, below.start])
        }
        return (nodes.count, append(nodes.flatMap(\.self)))
    }
}
