/// Jobs, the first that came first.
struct JobQueue {
    /// The last of these is next.
    private var leaving: [UnownedJob] = []
    private var arrived: [UnownedJob] = []

    var isEmpty: Bool { leaving.isEmpty && arrived.isEmpty }
    var count: Int { leaving.count + arrived.count }

    mutating func append(_ job: UnownedJob) { arrived.append(job) }

    mutating func popFirst() -> UnownedJob? {
        if leaving.isEmpty {
            leaving = arrived.reversed()
            arrived.removeAll(keepingCapacity: arrived.capacity <= 64)
        }
        return leaving.popLast()
    }
}
