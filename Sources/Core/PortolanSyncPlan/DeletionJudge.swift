/// Number of entries that a device deleted in one minute.
package struct RecentDeletions: Hashable, Sendable {
    package var device: DeviceID
    /// Beginning of the minute, in seconds since 1970.
    package var time: Int64
    package var count: Int

    package init(device: DeviceID, time: Int64, count: Int) {
        self.device = device
        self.time = time
        self.count = count
    }

    static let minute: Int64 = 60
    /// Time over which the deletions of a device are added up, in seconds.
    static let period: Int64 = 600

    /// True if the deletions count. A clock may have been set back.
    func isRecent(at now: Int64) -> Bool {
        time > now - Self.period - Self.minute && time < now + Self.period + Self.minute
    }
}

extension SyncIndex {
    /// Number of entries that a device deleted lately, without deletions that a person confirmed.
    func deletions(by device: DeviceID, at now: Int64) -> Int {
        recentDeletions.reduce(0) { $0 + ($1.device == device && $1.isRecent(at: now) ? $1.count : 0) }
    }

    mutating func countDeletions(_ count: Int, by device: DeviceID, at now: Int64) {
        guard count > 0 else { return }
        var recent = recentDeletions.filter { $0.isRecent(at: now) }
        let time = now - now % RecentDeletions.minute
        if let place = recent.firstIndex(where: { $0.device == device && $0.time == time }) {
            recent[place].count += count
        } else {
            recent.append(RecentDeletions(device: device, time: time, count: count))
        }
        recentDeletions = recent
    }

    /// Begins the sums of devices anew.
    mutating func forgetDeletions(by devices: Set<DeviceID>) {
        guard recentDeletions.contains(where: { devices.contains($0.device) }) else { return }
        recentDeletions.removeAll { devices.contains($0.device) }
    }
}

/// Judgement on deleted entries.
struct DeletionVerdict: Hashable, Sendable {
    /// Deletions that wait for a person, in order.
    var held: [HeldDeletion] = []
    /// Their entries.
    var heldEntries: Set<EntryID> = []
    /// Devices with a deletion that a person has confirmed: their sums begin anew.
    var confirmed: Set<DeviceID> = []
    /// Devices to whose sums the entries add that are neither held nor confirmed.
    var counted: [EntryID: DeviceID] = [:]
}

/// Decides which deletions wait for a person. A deletion is an entry that is deleted while its folder is not, with all
/// that was in it.
struct DeletionJudge<Index: SyncIndex> {
    private let index: Index
    private let guardRail: DeletionGuard
    private let now: Int64
    private var verdict = DeletionVerdict()

    private init(_ index: Index, _ guardRail: DeletionGuard, _ now: Int64) {
        self.index = index
        self.guardRail = guardRail
        self.now = now
    }

    /// - Parameters:
    ///   - device: device that deleted the entries; nil if their records tell it.
    ///   - confirmed: deletions that a person has confirmed: parts of them are not held, either.
    static func judge(
        _ deleted: [AgreedEntry], by device: DeviceID? = nil, in index: Index, _ guardRail: DeletionGuard,
        _ confirmed: Set<HeldDeletion>, now: Int64
    ) -> DeletionVerdict {
        guard !deleted.isEmpty, guardRail != .off else { return DeletionVerdict() }
        var judge = DeletionJudge(index, guardRail, now)
        let agreed = Set(confirmed.flatMap(\.nodes))
        var open: [DeviceID: [[AgreedEntry]]] = [:]
        for deletion in split(deleted) {
            let device = device ?? judge.deleter(of: deletion)
            if deletion.allSatisfy({ $0.seen.allSatisfy { agreed.contains($0.node) } }) {
                judge.verdict.confirmed.insert(device)
            } else {
                open[device, default: []].append(deletion)
            }
        }
        for (device, deletions) in open { judge.judge(deletions, by: device) }
        judge.verdict.held.sort()
        return judge.verdict
    }

    /// Splits entries into deletions, each with its top first.
    private static func split(_ deleted: [AgreedEntry]) -> [[AgreedEntry]] {
        let parents = Dictionary(deleted.map { ($0.id, $0.parent) }) { first, _ in first }
        var tops: [EntryID: EntryID] = [:]
        func top(of id: EntryID) -> EntryID {
            var way = [id]
            while tops[way[way.count - 1]] == nil, let parent = parents[way[way.count - 1]], parents[parent] != nil,
                way.count <= parents.count
            {
                way.append(parent)
            }
            let top = tops[way[way.count - 1]] ?? way[way.count - 1]
            for id in way { tops[id] = top }
            return top
        }
        var positions: [EntryID: Int] = [:]
        var deletions: [[AgreedEntry]] = []
        for entry in deleted where top(of: entry.id) == entry.id {
            positions[entry.id] = deletions.count
            deletions.append([entry])
        }
        for entry in deleted {
            guard let top = tops[entry.id], top != entry.id, let position = positions[top] else { continue }
            deletions[position].append(entry)
        }
        return deletions
    }

    /// Device that deleted the entries: that of the greatest dot of a deleted version, or, if there is none, of any
    /// change.
    private func deleter(of deletion: [AgreedEntry]) -> DeviceID {
        let records = deletion.flatMap(\.seen).compactMap { index.record($0.node) }
        let deleted = records.lazy.flatMap(\.contents).filter(\.value.isDeleted).map(\.dot).max()
        let last = deleted ?? records.lazy.flatMap(\.version.parts).map { Dot($0.replica, $0.counter) }.max()
        return last?.replica.device ?? index.replica.device
    }

    /// Judges the deletions of one device: a large one waits alone; small ones wait together, if they are many; of
    /// those between, all wait, each alone, if they are many together.
    private mutating func judge(_ deletions: [[AgreedEntry]], by device: DeviceID) {
        var sum = verdict.confirmed.contains(device) ? 0 : index.deletions(by: device, at: now)
        let before = sum
        var present: Int?
        func total() -> Int {
            let count = present ?? index.entryCount
            present = count
            return count + before
        }
        func isLarge(_ count: Int) -> Bool { guardRail.isLarge(sum + count, of: total()) }
        func isSmall(_ deletion: [AgreedEntry]) -> Bool { deletion.count <= guardRail.minimumCount }
        func count(_ deletions: [[AgreedEntry]]) -> Int { deletions.reduce(0) { $0 + $1.count } }

        let waiting = deletions.filter { $0.contains { $0.isHeld || $0.isSpared } }
        var alone = waiting.filter { !isSmall($0) }
        var together = waiting.filter(isSmall)
        var others: [[AgreedEntry]] = []
        var small: [[AgreedEntry]] = []
        for deletion in deletions where !deletion.contains(where: { $0.isHeld || $0.isSpared }) {
            if isSmall(deletion) {
                small.append(deletion)
            } else if isLarge(deletion.count) {
                alone.append(deletion)
            } else {
                others.append(deletion)
            }
        }
        if !small.isEmpty, isLarge(count(small)) {
            together += small
        } else {
            sum += count(small)
            pass(small, device)
        }
        if !others.isEmpty, isLarge(count(others)) { alone += others } else { pass(others, device) }
        for deletion in alone { hold([deletion], device) }
        if !together.isEmpty { hold(together, device) }
    }

    private mutating func pass(_ deletions: [[AgreedEntry]], _ device: DeviceID) {
        for entry in deletions.joined() { verdict.counted[entry.id] = device }
    }

    private mutating func hold(_ deletions: [[AgreedEntry]], _ device: DeviceID) {
        verdict.held.append(HeldDeletion(deletions, by: device))
        for entry in deletions.joined() { verdict.heldEntries.insert(entry.id) }
    }
}
