/// The folders that are watched, by the numbers of their watches, and how they lie in each other.
struct WatchedFolders {
    private struct Node {
        /// Nil for the root, and for one that was moved away.
        var parent: CInt?
        var name: String
    }

    private let root: CInt
    private var nodes: [CInt: Node] = [:]
    private var below: [CInt: Set<CInt>] = [:]
    /// Folders that were moved away, and have not come elsewhere.
    private var moved: Set<CInt> = []

    init(root: CInt) {
        self.root = root
        nodes[root] = Node(parent: nil, name: "")
    }

    func contains(_ number: CInt) -> Bool { nodes[number] != nil }

    /// Whether a folder of this name in another one is watched.
    func contains(_ name: String, in parent: CInt) -> Bool {
        below[parent]?.contains { nodes[$0]?.name == name } ?? false
    }

    /// Names from the root down to a folder; nil for one that is not below it any more.
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

    /// A folder has been found, whether it was known elsewhere or not.
    mutating func set(_ number: CInt, _ name: String, in parent: CInt) {
        guard number != root else { return }
        if let old = nodes[number]?.parent { below[old]?.remove(number) }
        nodes[number] = Node(parent: parent, name: name)
        below[parent, default: []].insert(number)
        moved.remove(number)
    }

    /// The folder of a name was moved away.
    mutating func leave(_ name: String, in parent: CInt) {
        guard let number = below[parent]?.first(where: { nodes[$0]?.name == name }) else { return }
        below[parent]?.remove(number)
        nodes[number]?.parent = nil
        moved.insert(number)
    }

    /// The system watches a folder no more.
    mutating func remove(_ number: CInt) {
        if let parent = nodes[number]?.parent { below[parent]?.remove(number) }
        nodes[number] = nil
        below[number] = nil
        moved.remove(number)
    }

    /// Folders that were moved out of the root, and those below them; they are forgotten.
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
