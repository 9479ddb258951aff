import TestSupport

@testable import PortolanFiles

/// Files and folders of a simulated disk that would survive a loss of power, and the changes since, not yet durable.
///
/// A node is a file, folder or link, by its number; 0 is the folder that programs see.
struct DurableState {
    struct Node {
        var kind: FileStatus.Kind
        var content: [UInt8] = []
        var names: [String: Int] = [:]
        var mode: UInt16
        var modified: FileTime?
        var attributes: [String: [UInt8]] = [:]
    }

    /// A change of names, not yet durable.
    enum Naming {
        case put(Int, Int, String)
        case take(Int, String)
        case move(Int, String, Int, String)
        case exchange(Int, String, Int, String)

        func concerns(_ folder: Int) -> Bool {
            switch self {
            case .put(_, let place, _), .take(let place, _): place == folder
            case .move(let from, _, let to, _), .exchange(let from, _, let to, _): from == folder || to == folder
            }
        }
    }

    /// A change of a file or folder itself, not yet durable.
    enum Change {
        case write(UInt64, [UInt8])
        case resize(UInt64)
        case clear(Range<UInt64>)
        case time(FileTime)
        case mode(UInt16)
        case attribute(String, [UInt8])
    }

    private(set) var nodes: [Int: Node] = [0: Node(kind: .folder, mode: 0o700)]
    private var namings: [Naming] = []
    private var changes: [Int: [Change]] = [:]
    private var next = 1

    /// Numbers of the nodes with changes of their own, ascending.
    var unflushed: [Int] { changes.keys.sorted() }

    /// Adds a node that has no name yet.
    ///
    /// - Returns: its number.
    mutating func add(_ node: Node) -> Int {
        defer { next += 1 }
        nodes[next] = node
        return next
    }

    mutating func note(_ naming: Naming) { namings.append(naming) }

    mutating func note(_ change: Change, of number: Int) { changes[number, default: []].append(change) }

    /// Makes a node durable, with all changes of names up to the last one that concerns it.
    mutating func flush(_ number: Int) {
        for change in changes.removeValue(forKey: number) ?? [] { apply(change, to: number) }
        guard let last = namings.lastIndex(where: { $0.concerns(number) }) else { return }
        for naming in namings[...last] { apply(naming) }
        namings.removeFirst(last + 1)
    }

    mutating func flushAll() {
        for naming in namings { apply(naming) }
        for (number, changes) in changes {
            for change in changes { apply(change, to: number) }
        }
        namings = []
        changes = [:]
    }

    /// Drops writes to nodes whose flush failed, at random.
    mutating func drop(_ numbers: [Int], using generator: inout SeededGenerator) {
        for number in numbers {
            changes[number]?.removeAll { if case .write = $0 { Bool.random(using: &generator) } else { false } }
        }
    }

    /// Makes a random part of the changes durable, as a loss of power does, and forgets the others.
    mutating func losePower(using generator: inout SeededGenerator) {
        let count = Int.random(in: 0...namings.count, using: &generator)
        for naming in namings.prefix(count) { apply(naming) }
        for number in unflushed {
            let changes = changes[number] ?? []
            // Sizes, times and attributes survive in their order; pages at random.
            let kept = Int.random(in: 0...changes.count, using: &generator)
            for (place, change) in changes.enumerated() {
                if case .write(let offset, let bytes) = change {
                    writePages(bytes, at: offset, number, isKept: place < kept, using: &generator)
                } else if place < kept {
                    apply(change, to: number)
                }
            }
        }
        namings = []
        changes = [:]
    }

    private mutating func writePages(
        _ bytes: [UInt8], at offset: UInt64, _ number: Int, isKept: Bool, using generator: inout SeededGenerator
    ) {
        var next = 0
        while next < bytes.count {
            let end = min(bytes.count, next + 64 << 10)
            let there = UInt64(nodes[number]?.content.count ?? 0)
            // A page may have reached the disk before the size that covers it, and is not visible then.
            let page = Array(bytes[next..<end])
            if Bool.random(using: &generator) {
                if isKept || offset + UInt64(end) <= there {
                    apply(.write(offset + UInt64(next), page), to: number)
                }
            } else if isKept, offset + UInt64(end) > there {
                apply(.resize(offset + UInt64(end)), to: number)
            }
            next = end
        }
    }

    private mutating func apply(_ naming: Naming) {
        switch naming {
        case .put(let number, let folder, let name): nodes[folder]?.names[name] = number
        case .take(let folder, let name): nodes[folder]?.names[name] = nil
        case .move(let from, let name, let to, let other):
            let number = nodes[from]?.names.removeValue(forKey: name)
            nodes[to]?.names[other] = number
        case .exchange(let from, let name, let to, let other):
            let number = nodes[from]?.names[name]
            let taken = nodes[to]?.names[other]
            nodes[from]?.names[name] = taken
            nodes[to]?.names[other] = number
        }
    }

    private mutating func apply(_ change: Change, to number: Int) {
        guard var node = nodes.removeValue(forKey: number) else { return }
        defer { nodes[number] = node }
        func grow(to size: Int) {
            if node.content.count < size { node.content += [UInt8](repeating: 0, count: size - node.content.count) }
        }
        switch change {
        case .write(let offset, let bytes):
            grow(to: Int(offset) + bytes.count)
            node.content.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
        case .resize(let size):
            grow(to: Int(size))
            node.content.removeLast(node.content.count - Int(size))
        case .clear(let range):
            let start = min(Int(range.lowerBound), node.content.count)
            let inside = start..<max(start, min(Int(range.upperBound), node.content.count))
            node.content.replaceSubrange(inside, with: repeatElement(0, count: inside.count))
        case .time(let time): node.modified = time
        case .mode(let mode): node.mode = mode
        case .attribute(let name, let value): node.attributes[name] = value
        }
    }
}
