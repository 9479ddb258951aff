/// Records that wait for a resolver: a first-in, first-out queue that does not move its elements at each step.
struct RecordQueue {
    private var ids: [ServiceRecord.ID] = []
    private var head = 0

    var first: ServiceRecord.ID? { head < ids.count ? ids[head] : nil }

    mutating func append(_ id: ServiceRecord.ID) { ids.append(id) }

    mutating func removeFirst() {
        head += 1
        if head > 512, head * 2 > ids.count {
            ids.removeFirst(head)
            head = 0
        }
    }
}
