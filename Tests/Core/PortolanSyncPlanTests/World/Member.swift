import SyncPlanSupport

@testable import PortolanSyncPlan

/// A device: its disk, and the replica that runs on it.
struct Member: Hashable {
    let number: Int
    var index: MemoryIndex
    var membership = MemberPositions()
    var disk = Disk()
    /// No person and no crash changed the disk since the last scan.
    var isScanned = false
    /// True after an incomplete scan: the next one reports all files to the model.
    var looksAtAll = false
    /// True after a scan passed its differences to the model with another effect than the whole observation.
    private(set) var hasMissed = false
    /// The folder is not touched until it is mounted again.
    var isHalted = false
    /// Generation that the database has, and the sequence number that it announced in that.
    var generation: UInt64 = 0
    var announced: UInt64 = 0
    var mistakes: InjectedMistakes

    init(number: Int, epoch: UInt64, mistakes: InjectedMistakes) {
        self.number = number
        self.mistakes = mistakes
        index = Self.emptyIndex(number, epoch, mistakes)
        disk.marker = Marker(epoch: epoch, generation: 0)
    }

    /// Hashes the parts that differ between worlds.
    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        for other in 0..<3 {
            hasher.combine(membership.heard[Self.device(other)])
            hasher.combine(membership.acknowledged[Self.device(other)]?.sequence)
        }
        hasher.combine(disk)
        hasher.combine(isScanned)
        hasher.combine(looksAtAll)
        hasher.combine(isHalted)
        hasher.combine(generation)
        hasher.combine(announced)
    }

    static func device(_ number: Int) -> DeviceID { DeviceID(UInt64(number) + 1) }

    private static func emptyIndex(_ number: Int, _ epoch: UInt64, _ mistakes: InjectedMistakes) -> MemoryIndex {
        MemoryIndex(
            replica: ReplicaID(device: device(number), epoch: epoch), author: ["A", "B", "C"][number],
            rootHandle: FileHandleID(Disk.root), mistakes: mistakes)
    }

    mutating func beginEpoch(_ epoch: UInt64) {
        index = Self.emptyIndex(number, epoch, mistakes)
        membership = MemberPositions()
        generation = 0
        announced = 0
        isScanned = false
        disk.marker = Marker(epoch: epoch, generation: 0)
    }

    /// Checks if folder and database belong together.
    ///
    /// - Returns: true if a new epoch must begin.
    mutating func open(hasDatabase: Bool = true) -> Bool {
        isHalted = false
        if hasDatabase, mistakes.contains(.startsOnEmptyRoot) { return false }
        let database = hasDatabase ? Marker(epoch: index.replica.epoch, generation: generation) : nil
        let marker = mistakes.contains(.ignoresMarker) ? database ?? disk.marker : disk.marker
        let opening = ReplicaStart.decide(
            database: database, marker: disk.isAway ? nil : marker,
            isEmpty: disk.isAway || !disk.files.contains { $0.parent == Disk.root }, hasEntries: index.entryCount > 0)
        switch opening {
        case .goesOn: return false
        case .newEpoch: return true
        case .halts:
            isHalted = true
            return false
        }
    }

    /// Raises the generation before members rely on the database, so that an older copy of it is recognised.
    mutating func raiseGeneration() {
        announced = index.sequence
        generation += 1
        disk.marker?.generation = generation
    }

    // MARK: Scans

    /// - Parameter unreadable: a top-level folder that cannot be read.
    mutating func scan(unreadable: SyncName? = nil) -> ObservationResult {
        func observed(_ file: DiskFile) -> ScannedFile {
            ScannedFile(
                handle: FileHandleID(file.handle), parent: FileHandleID(file.parent), name: file.name,
                kind: file.content == nil ? .folder : .file, form: form(file.content))
        }
        var found: [DiskFile] = []
        var parked: [DiskFile] = []
        if !disk.isAway {
            found = disk.below(Disk.root)
            parked = disk.files.filter { $0.parent == Disk.parking }
            for folder in parked where folder.content == nil { found += disk.below(folder.handle) }
        }
        if let unreadable, let folder = disk.child(Disk.root, unreadable) {
            let hidden = Set(disk.below(folder.handle).map(\.handle))
            found.removeAll { hidden.contains($0.handle) }
        }
        var observation = Observation(
            found: found.map(observed), parked: parked.map(observed), isComplete: unreadable == nil)
        isScanned = unreadable == nil
        if isScanned, !looksAtAll {
            let all = observation
            observation = differences(all)
            if mistakes.isEmpty, !isSame(all, observation) { hasMissed = true }
        }
        looksAtAll = !isScanned
        let result = observe(observation, all: found.map(observed) + parked.map(observed))
        for leftover in result.leftovers { take(leftover) }
        return result
    }

    /// Differences from the agreed tree, with their folders.
    private func differences(_ all: Observation) -> Observation {
        func place(_ item: ScannedFile) -> ObservedPlace { ObservedPlace(parent: item.parent, name: item.name) }
        var known: [ObservedPlace: AgreedEntry] = [:]
        for entry in index.allEntries.compactMap({ index.entry($0) }) where entry.parent != .parking {
            guard let parent = index.entry(entry.parent)?.handle else { continue }
            known[ObservedPlace(parent: parent, name: entry.name)] = entry
        }
        let above = Dictionary(all.found.filter { $0.kind == .folder }.map { ($0.handle, $0) }) { one, _ in one }
        var kept: Set<ScannedFile> = []
        for item in all.found {
            let entry = known[place(item)]
            if entry?.handle == item.handle, entry?.kind == item.kind, entry?.form == item.form { continue }
            var next: ScannedFile? = item
            while let one = next, kept.insert(one).inserted { next = above[one.parent] }
        }
        let gone = Set(known.keys).subtracting(all.found.map(place))
        return Observation(
            found: all.found.filter(kept.contains), gone: Array(gone), parked: all.parked, isComplete: true)
    }

    /// True if the differences have the same effect as the whole observation.
    private func isSame(_ all: Observation, _ differences: Observation) -> Bool {
        var (one, other) = (index, index)
        return one.observe(all, guard: .off) == other.observe(differences, guard: .off) && one == other
    }

    private mutating func take(_ leftover: ParkedLeftover) {
        switch leftover {
        case .replaced(let handle):
            guard let place = disk.position(handle.number) else { return }
            disk.history |= bit(disk.files[place].content)
            disk.files.remove(at: place)
        case .unseen(let handle):
            guard let place = disk.position(handle.number) else { return }
            disk.files[place].parent = Disk.root
            disk.files[place].name = SyncName("recovered \(number) \(handle.number)")
            isScanned = false
        }
    }

    // MARK: Steps

    enum Execution { case done, refused, crashed }

    /// Interruption of a step.
    enum Fault: Hashable { case none, crash, lateCrash, lateWrite(UInt8) }

    /// True if the entry and all its parents are on the disk where the index has them.
    private func isInPlace(_ id: EntryID) -> Bool {
        var next = id
        while next != .root, next != .parking {
            guard let entry = index.entry(next), let place = disk.position(entry.handle.number) else { return false }
            guard disk.files[place].parent == handle(entry.parent) else { return false }
            guard entry.parent == .parking || disk.files[place].name == entry.name else { return false }
            next = entry.parent
        }
        return !disk.isAway
    }

    private func handle(_ id: EntryID) -> UInt64? {
        id == .parking ? Disk.parking : index.entry(id)?.handle.number
    }

    private func isAsSeen(_ seen: Expectation, _ exempt: InjectedMistakes) -> Int? {
        guard isInPlace(seen.entry), let place = disk.position(seen.handle.number) else { return nil }
        guard form(disk.files[place].content) == seen.form || mistakes.contains(exempt) else { return nil }
        return place
    }

    private mutating func isFree(_ target: StepTarget) -> UInt64? {
        guard isInPlace(target.parent), let folder = handle(target.parent) else { return nil }
        guard let other = disk.child(folder, target.name) else { return folder }
        guard mistakes.contains(.placesOverOthers), other.content != nil else { return nil }
        disk.removeTree(other.handle)
        return folder
    }

    /// Does one step. `released` gets contents that a person replaced during it.
    mutating func run(
        _ step: SyncStep, _ fault: Fault, nextHandle: inout UInt64, released: inout UInt64
    ) -> Execution {
        if mistakes.contains(.commitsFirst), fault == .crash {
            index.commit(step, handle: FileHandleID(nextHandle))
            nextHandle += 1
            return .crashed
        }
        var made: FileHandleID?
        switch step {
        case .makeFolder(let item, let target), .place(let item, let target):
            guard let folder = isFree(target) else { return .refused }
            made = add(item, folder, target.name, &nextHandle)
        case .replace(let seen, let item):
            guard let place = isAsSeen(seen, .replacesUnseen) else { return .refused }
            if case .lateWrite(let content) = fault {
                released |= bit(disk.files[place].content)
                disk.files[place].content = content
                if !mistakes.contains(.keepsReplacement) { return .refused }
            }
            let old = disk.files[place]
            disk.files[place].parent = Disk.parking
            made = add(item, old.parent, old.name, &nextHandle)
            if fault == .crash { return .crashed }
            disk.history |= bit(old.content)
            disk.files.remove(at: place)
        case .move(let seen, let target, _):
            guard isInPlace(seen.entry), let folder = isFree(target), let place = disk.position(seen.handle.number)
            else {
                return .refused
            }
            disk.files[place].parent = folder
            disk.files[place].name = target.name
        case .park(let seen):
            guard isInPlace(seen.entry), let place = disk.position(seen.handle.number) else { return .refused }
            disk.files[place].parent = Disk.parking
        case .remove(let seen):
            guard let place = isAsSeen(seen, .removesUnseen) else { return .refused }
            let old = disk.files[place]
            if old.content == nil {
                let isEmpty = !disk.files.contains { $0.parent == old.handle }
                guard isEmpty || mistakes.contains(.removesFullFolders) else { return .refused }
                disk.removeTree(old.handle)
            } else {
                if case .lateWrite(let content) = fault {
                    released |= bit(old.content)
                    disk.files[place].content = content
                    if !mistakes.contains(.keepsReplacement) { return .refused }
                }
                disk.history |= bit(disk.files[place].content)
                if fault == .crash {
                    disk.history = disk.history & ~bit(old.content)
                    disk.files[place].parent = Disk.parking
                    return .crashed
                }
                disk.files.remove(at: place)
            }
        case .set, .bind: break
        }
        if fault == .crash || fault == .lateCrash { return .crashed }
        index.commit(step, handle: made)
        return .done
    }

    private mutating func add(_ item: TreeItem, _ parent: UInt64, _ name: SyncName, _ next: inout UInt64)
        -> FileHandleID
    {
        let content = (0..<64 as Range<UInt8>).first { item.content != nil && form($0) == item.content?.form }
        disk.files.append(DiskFile(handle: next, parent: parent, name: name, content: content))
        next += 1
        return FileHandleID(next - 1)
    }
}
