import SyncPlanSupport

@testable import PortolanSyncPlan

/// Replicas with their disks, the actions of persons, and the contents that must not be lost.
struct World: Hashable {
    var members: [Member]
    private var copies: [Copy?]
    private var nextHandle: UInt64 = 10
    private var nextContent: UInt8 = 0
    private var nextEpoch: UInt64 = 100
    private var isolated: Int?
    /// Nodes of one plan, as long as more have changed.
    private let part: Int
    /// Contents that were replaced or deleted by a person who had seen them, as bits.
    private(set) var released: UInt64 = 0

    /// A database as it is in a backup.
    private struct Copy: Hashable {
        var index: MemoryIndex
        var membership: MemberPositions
        var generation: UInt64
        var announced: UInt64
    }

    init(members count: Int, part: Int = .max, mistakes: InjectedMistakes = []) {
        self.part = part
        members = (0..<count).map { Member(number: $0, epoch: UInt64($0) + 1, mistakes: mistakes) }
        copies = Array(repeating: nil, count: count)
    }

    private var devices: Set<DeviceID> { Set(members.map { Member.device($0.number) }) }

    func reaches(_ one: Int, _ other: Int) -> Bool {
        one != other && isolated != one && isolated != other && !members[one].isHalted && !members[other].isHalted
    }

    // MARK: Actions

    /// - Returns: false if the action is not possible, or changes nothing.
    mutating func perform(_ action: Action) -> Bool {
        switch action {
        case .write(let member, let path): write(member, path, replacing: false)
        case .save(let member, let path): write(member, path, replacing: true)
        case .makeFolder(let member, let path): makeFolder(member, path)
        case .move(let member, let path, let target): move(member, path, target)
        case .moveOut(let member, let path): moveOut(member, path)
        case .delete(let member, let path): delete(member, path)
        case .crash(let member): step(member, .crash)
        case .lateCrash(let member): step(member, .lateCrash)
        case .lateWrite(let member): lateWrite(member)
        case .loseDatabase(let member): loseDatabase(member)
        case .copyDatabase(let member): copyDatabase(member)
        case .restoreDatabase(let member): restoreDatabase(member)
        case .unreadable(let member, let folder): scan(member, unreadable: folder)
        case .unmount(let member): mount(member, isAway: true)
        case .mount(let member): mount(member, isAway: false)
        case .isolate(let member): isolate(member)
        case .heal: isolate(nil)
        case .scan(let member): scan(member)
        case .step(let member): step(member, .none)
        case .pull(let member, let other): pull(member, from: other)
        case .syncAll(let member): syncAll(member)
        }
    }

    private mutating func newContent() -> UInt8? {
        guard nextContent < 63 else { return nil }
        nextContent += 1
        return nextContent - 1
    }

    private func folder(_ member: Int, _ path: [SyncName]) -> UInt64? {
        let disk = members[member].disk
        if disk.isAway { return nil }
        guard path.count > 1 else { return Disk.root }
        guard let folder = disk.find(path.dropLast()), folder.content == nil else { return nil }
        return folder.handle
    }

    private mutating func write(_ member: Int, _ path: [SyncName], replacing: Bool) -> Bool {
        guard let folder = folder(member, path) else { return false }
        let old = members[member].disk.child(folder, path.last!)
        if let old, old.content == nil { return false }
        if old == nil, replacing { return false }
        guard let content = newContent() else { return false }
        if let old, let place = members[member].disk.position(old.handle) {
            released |= bit(old.content)
            members[member].disk.files[place].content = content
            if replacing {
                members[member].disk.files[place].handle = nextHandle
                nextHandle += 1
            }
        } else {
            members[member].disk.files.append(
                DiskFile(handle: nextHandle, parent: folder, name: path.last!, content: content))
            nextHandle += 1
        }
        members[member].isScanned = false
        return true
    }

    private mutating func makeFolder(_ member: Int, _ path: [SyncName]) -> Bool {
        guard let folder = folder(member, path), members[member].disk.child(folder, path.last!) == nil else {
            return false
        }
        members[member].disk.files.append(
            DiskFile(handle: nextHandle, parent: folder, name: path.last!, content: nil))
        nextHandle += 1
        members[member].isScanned = false
        return true
    }

    private mutating func move(_ member: Int, _ path: [SyncName], _ target: [SyncName]) -> Bool {
        guard let folder = folder(member, target), let file = members[member].disk.find(path) else { return false }
        guard folder != file.handle, !members[member].disk.below(file.handle).contains(where: { $0.handle == folder })
        else {
            return false
        }
        if let old = members[member].disk.child(folder, target.last!) {
            guard old.content != nil, file.content != nil, old.handle != file.handle else { return false }
            released |= bit(old.content)
            members[member].disk.removeTree(old.handle)
        }
        guard let place = members[member].disk.position(file.handle) else { return false }
        members[member].disk.files[place].parent = folder
        members[member].disk.files[place].name = target.last!
        members[member].isScanned = false
        return true
    }

    private mutating func moveOut(_ member: Int, _ path: [SyncName]) -> Bool {
        guard let file = members[member].disk.find(path), let place = members[member].disk.position(file.handle),
            !members[member].disk.isAway
        else { return false }
        released |= bit(file.content) | members[member].disk.contents(below: file.handle)
        members[member].disk.files[place].parent = Disk.outside
        members[member].disk.left = members[member].disk.below(Disk.outside)
        members[member].isScanned = false
        return true
    }

    private mutating func delete(_ member: Int, _ path: [SyncName]) -> Bool {
        guard let file = members[member].disk.find(path), !members[member].disk.isAway else { return false }
        released |= bit(file.content) | members[member].disk.contents(below: file.handle)
        members[member].disk.removeTree(file.handle)
        members[member].isScanned = false
        return true
    }

    // MARK: Faults

    private mutating func beginEpoch(_ member: Int) {
        members[member].beginEpoch(nextEpoch)
        nextEpoch += 1
    }

    private mutating func open(_ member: Int, hasDatabase: Bool = true) {
        members[member].isScanned = false
        if members[member].open(hasDatabase: hasDatabase) { beginEpoch(member) }
    }

    private mutating func loseDatabase(_ member: Int) -> Bool {
        if members[member].isHalted { return false }
        open(member, hasDatabase: false)
        return true
    }

    private mutating func copyDatabase(_ member: Int) -> Bool {
        let from = members[member]
        copies[member] = Copy(
            index: from.index, membership: from.membership, generation: from.generation, announced: from.announced)
        return true
    }

    private mutating func restoreDatabase(_ member: Int) -> Bool {
        guard let copy = copies[member], !members[member].isHalted else { return false }
        members[member].index = copy.index
        members[member].membership = copy.membership
        members[member].generation = copy.generation
        members[member].announced = copy.announced
        open(member)
        return true
    }

    private mutating func mount(_ member: Int, isAway: Bool) -> Bool {
        guard members[member].disk.isAway != isAway else { return false }
        members[member].disk.isAway = isAway
        if isAway { members[member].isScanned = false } else { open(member) }
        return true
    }

    private mutating func isolate(_ member: Int?) -> Bool {
        guard isolated != member else { return false }
        isolated = member
        return true
    }

    private mutating func lateWrite(_ member: Int) -> Bool {
        guard let step = nextStep(member) else { return false }
        switch step {
        case .replace: break
        case .remove(let seen) where seen.form != nil: break
        default: return false
        }
        guard let content = newContent() else { return false }
        let changed = self.step(member, .lateWrite(content))
        // The step was refused before there was anything to write to.
        if members[member].disk.contents & bit(content) == 0 { nextContent -= 1 }
        return changed
    }

    // MARK: The engine

    func needsScan(_ member: Int) -> Bool { !members[member].isScanned && !members[member].isHalted }

    private mutating func scan(_ member: Int, unreadable: SyncName? = nil) -> Bool {
        guard needsScan(member) else { return false }
        if unreadable != nil, members[member].disk.child(Disk.root, unreadable!)?.content != nil { return false }
        if members[member].open() {
            beginEpoch(member)
            return true
        }
        if !members[member].isHalted { _ = members[member].scan(unreadable: unreadable) }
        return true
    }

    /// The first step of the plan whose content is available.
    private mutating func nextStep(_ member: Int) -> SyncStep? {
        guard !members[member].isHalted, !members[member].index.dirty.isEmpty else { return nil }
        let available = members.indices.reduce(0 as UInt64) { bits, other in
            let disk = members[other].disk
            return other == member || reaches(member, other) && !disk.isAway ? bits | disk.contents : bits
        }
        func first(of plan: SyncPlan) -> SyncStep? {
            plan.steps.first { step in
                guard let content = step.content else { return true }
                return (0..<nextContent).contains { available & bit($0) != 0 && form($0) == content.form }
            }
        }
        let changed = members[member].index.dirty.sorted()
        if changed.count > part {
            for start in stride(from: 0, to: changed.count, by: part) {
                let part = Array(changed[start...].prefix(part))
                if let step = first(of: members[member].index.plan(part: part)) { return step }
            }
        }
        return first(of: members[member].plan())
    }

    private mutating func step(_ member: Int, _ fault: Member.Fault) -> Bool {
        guard let step = nextStep(member) else { return false }
        switch members[member].run(step, fault, nextHandle: &nextHandle, released: &released) {
        case .done: return true
        case .refused:
            if members[member].isScanned, case .lateWrite = fault {} else if members[member].isScanned { return false }
            members[member].isScanned = false
            return true
        case .crashed:
            open(member)
            return true
        }
    }

    func needsPull(_ member: Int, from other: Int) -> Bool {
        let index = members[other].index
        return reaches(member, other)
            && members[member].membership.heard[Member.device(other)] != ChangeCursor(index.replica, index.sequence)
    }

    private mutating func pull(_ member: Int, from other: Int) -> Bool {
        guard needsPull(member, from: other) else { return false }
        let device = Member.device(other)
        let cursor = members[member].membership.heard[device]
        if members[other].announced < members[other].index.sequence { members[other].raiseGeneration() }
        if !members[other].index.knows(cursor), !members[other].mistakes.contains(.ignoresMarker) {
            beginEpoch(other)
            return true
        }
        var announcement = members[other].announcement(since: cursor)
        if members[member].mistakes.contains(.acknowledgesUnmerged) {
            announcement.records = Array(announcement.records.prefix(1))
        }
        members[member].receive(announcement.records)
        members[member].membership.heard[device] = announcement.cursor
        members[member].raiseGeneration()
        members[other].membership.acknowledged[Member.device(member)] = announcement.cursor
        let devices = devices
        for one in [member, other] {
            members[one].forgetDeletions(members: devices)
        }
        return true
    }

    private mutating func syncAll(_ member: Int) -> Bool {
        var changed = false
        for _ in 0..<100 {
            var goesOn = scan(member)
            for other in members.indices where pull(member, from: other) { goesOn = true }
            while step(member, .none) { goesOn = true }
            guard goesOn else { return changed }
            changed = true
        }
        return changed
    }
}

// MARK: - Rest

extension World {
    /// Ends partitions, mounts disks, and makes the decisions of persons.
    mutating func repair() {
        isolated = nil
        for member in members.indices where members[member].disk.isAway || members[member].isHalted {
            members[member].disk.isAway = false
            open(member)
            // A person agrees that the folder is empty.
            if members[member].isHalted {
                members[member].isHalted = false
                beginEpoch(member)
            }
        }
    }

    /// Lets the engine do one step, equal in equal worlds.
    ///
    /// - Returns: false if there is nothing to do.
    mutating func settleOnce() -> Bool {
        for member in members.indices where scan(member) || step(member, .none) { return true }
        for member in members.indices {
            for other in members.indices where pull(member, from: other) { return true }
        }
        return giveUp()
    }

    /// True if all members are reachable, and wait only for content that none of them has.
    private mutating func giveUp() -> Bool {
        for member in members.indices where !members[member].index.dirty.isEmpty {
            for step in members[member].index.plan(guard: .off).steps {
                guard let content = step.content else { continue }
                var marked = MarkedPlaces()
                switch step {
                case .place(let item, _): members[member].index.withdraw(item, own: nil, &marked)
                case .replace(let seen, let item):
                    members[member].index.withdraw(
                        item, own: seen.form.map { FileVersion(form: $0, author: content.author) },
                        &marked)
                default: continue
                }
                return true
            }
        }
        return false
    }

    // MARK: Invariants

    /// Broken promise that holds in every state.
    var violation: String? {
        let everywhere = members.reduce(0) { $0 | $1.disk.contents }
        let lost = (bit(nextContent) &- 1) & ~released & ~everywhere
        if lost != 0 { return "Content \(lost.trailingZeroBitCount) is nowhere." }
        for member in members where member.hasMissed { return "Member \(member.number) did not see all differences." }
        for member in members where member.disk.below(Disk.outside) != member.disk.left {
            return "Member \(member.number) has changed something outside the folder."
        }
        return nil
    }

    /// Broken promise that holds when nothing is left to be done.
    var violationAtRest: String? {
        let listing = members[0].disk.listing
        for member in members {
            if member.disk.listing != listing { return "Members do not agree." }
            if member.disk.files.contains(where: { $0.parent == Disk.parking }) { return "A file remains parked." }
            let inPlace = member.disk.contents(below: Disk.root)
            let missing = (bit(nextContent) &- 1) & ~released & ~inPlace
            if missing != 0 { return "Content \(missing.trailingZeroBitCount) is not in place." }
            let plan = Planner.plan(member.index, Set(member.index.nodes), guard: .off)
            if !plan.steps.isEmpty {
                return "A plan for all nodes has a step, and one for the changed nodes has none: \(plan.steps[0])"
            }
            if !plan.waiting.isEmpty { return "A node waits: \(plan.waiting[0])." }
        }
        return nil
    }

    var picture: String {
        members.map { member in
            let parked = member.disk.files.filter { $0.parent == Disk.parking }.map {
                "\($0.name.text)=\($0.content.map(Int.init) ?? -1)"
            }
            return "\(member.index.author): " + member.disk.listing.joined(separator: " ")
                + (parked.isEmpty ? "" : " parked: \(parked.joined(separator: " "))")
        }.joined(separator: "\n")
    }
}
