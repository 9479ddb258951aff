/// Watched folders by the numbers of their watches, as a tree.
struct WatchedFolders {
    private struct Node {
        /// Parent; nil for the root, and for a folder that was moved away.
        var parent: CInt?
        var name: String
    }

    private let root: CInt
    private var nodes: [CInt: Node] = [:]
    private var below: [CInt: Set<CInt>] = [:]
    /// Folders that were moved away, and have not appeared elsewhere.
    private var moved: Set<CInt> = []

    init(root: CInt) {
        self.root = root
        nodes[root] = Node(parent: nil, name: "")
    }

    func contains(_ number: CInt) -> Bool { nodes[number] != nil }

    /// True if a folder of this name in another one is watched.
    func contains(_ name: String, in parent: CInt) -> Bool {
        below[parent]?.contains { nodes[$0]?.name == name } ?? false
    }

    /// Returns the names from the root down to a folder; nil if it is no longer below the root.
    func path(of number: CInt) -> [String]? {
        var names: [String] = []
        var place = number
        while place != root {
            guard let node = nodes[place], let parent = node.parent, names.count < FolderScan.maximumDepth else {
                return nil
            }
            names.append(node.name)
            place = parent
        }
        return names.reversed()
    }

    /// Records a folder that was found, new or moved.
    mutating func set(_ number: CInt, _ name: String, in parent: CInt) {
        guard number != root else { return }
        if let old = nodes[number]?.parent { below[old]?.remove(number) }
        nodes[number] = Node(parent: parent, name: name)
        below[parent, default: []].insert(number)
        moved.remove(number)
    }

    /// Records that a folder was moved away.
    mutating func leave(_ name: String, in parent: CInt) {
        guard let number = below[parent]?.first(where: { nodes[$0]?.name == name }) else { return }
        below[parent]?.remove(number)
        nodes[number]?.parent = nil
        moved.insert(number)
    }

    /// Removes a folder whose watch has ended.
    mutating func remove(_ number: CInt) {
        if let parent = nodes[number]?.parent { below[parent]?.remove(number) }
        nodes[number] = nil
        below[number] = nil
        moved.remove(number)
    }

    /// Removes and returns the folders that were moved out of the root, with those below them.
    mutating func takeMoved() -> [CInt] {
        var left: [CInt] = []
        var next = Array(moved)
        while let number = next.popLast() {
            next += below[number] ?? []
            left.append(number)
        }
        for number in left { remove(number) }
        return left
    }
}
