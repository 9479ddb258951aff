import PortolanSyncFolder
import PortolanSyncPlan

extension FuzzTarget {
    /// Files that any writer of a folder may put there: ignore files, and the folder's marker.
    static let ignores = FuzzTarget("ignores") { input in
        guard input.flag() else {
            guard let marker = Marker(text: String(decoding: input.rest(), as: UTF8.self)) else { return }
            require(Marker(text: marker.text) == marker, "A marker that is read otherwise than it is written")
            return
        }
        var rules = IgnoreRules()
        rules.add(input.piece(), depth: 0)
        rules.add(input.piece(), depth: 1)
        let isFolder = input.flag()
        let path = input.rest().split(separator: UInt8(ascii: "/")).map(Array.init)
        _ = rules.ignores(path, isFolder: isFolder)
        guard !path.isEmpty else { return }
        for (line, isIgnored) in [("*", true), ("!*", false)] {
            rules.add(Array(line.utf8), depth: path.count - 1)
            require(rules.ignores(path, isFolder: isFolder) == isIgnored, "The last line does not count")
        }
    }
}
