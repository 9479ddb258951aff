/// First-in, first-out queue.
struct Queue<Element> {
    /// Elements in reverse order: the last one is taken next.
    private var leaving: [Element] = []
    private var arrived: [Element] = []

    var isEmpty: Bool { leaving.isEmpty && arrived.isEmpty }
    var count: Int { leaving.count + arrived.count }

    mutating func append(_ element: Element) { arrived.append(element) }

    mutating func popFirst() -> Element? {
        if leaving.isEmpty {
            leaving = arrived.reversed()
            arrived.removeAll(keepingCapacity: arrived.capacity <= 64)
        }
        return leaving.popLast()
    }

    /// Removes all elements, and returns them in their order.
    mutating func drain() -> [Element] {
        defer { self = Queue() }
        return leaving.reversed() + arrived
    }
}

extension Queue: Sendable where Element: Sendable {}
