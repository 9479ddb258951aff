import Glibc
import PortolanCrypto
import PortolanProtocol
import TestSupport

@testable import FilesTestSupport
@testable import PortolanFiles

/// One item on its way from a sender to the disk of a receiver, through whatever happens to both and to what lies between.
///
/// All chance comes from one seed, and time is only counted. After every call to the disk the destination is looked at.
struct Simulation {
    /// What happens in a session.
    private enum Fault: CaseIterable {
        case connectionBreaks
        case senderEnds
        case receiverEnds
        case receiverEndsAtCall
        case powerFails
        case powerFailsAtCall
        case diskFails
        case diskIsFull
    }

    private enum End: CustomStringConvertible {
        case settled(ItemOutcome)
        case broken
        /// The receiver's process is gone, and perhaps power with it.
        case died(withPower: Bool)

        var description: String {
            switch self {
            case .settled(.stored): "stored"
            case .settled: "failed"
            case .broken: "broken"
            case .died(let withPower): withPower ? "power failed" : "process ended"
            }
        }
    }

    /// A session that takes longer turns in circles.
    private static let mostSteps = 200_000
    private static let mostSessions = 60

    private(set) var source: SimulatedSource
    private var versions: [SimulatedSource]
    private var random: SeededGenerator
    private let disk: SimulatedDisk
    private let watch: DestinationWatch
    /// What somebody at the receiver's made of files there.
    private var edits: [String: [UInt8]] = [:]
    /// Whether the receiver wrote down in this session how far it came.
    private var isSaved = false
    private var hasDiskFailed = false
    private var faultsLeft = 0
    /// The one fault of the first session, at a call to the disk, where it is not left to chance.
    private var planned: (fault: SimulatedDisk.Fault, call: Int)?

    /// What it took: sessions, and bytes of content that were sent.
    private(set) var sessions = 0
    private(set) var sent = 0
    private(set) var log: [String] = []

    init(_ source: SimulatedSource, _ random: inout SeededGenerator) {
        self.source = source
        versions = [source]
        self.random = SeededGenerator(seed: random.next())
        disk = SimulatedDisk(seed: random.next())
        watch = DestinationWatch(source)
        disk.watch { [watch] folder, event in watch.saw(event, in: folder) }
    }

    /// Sends it until the receipt is there.
    ///
    /// - Parameters:
    ///   - faults: in how many sessions something happens.
    ///   - changing: whether somebody works on the source between two sessions.
    mutating func deliver(faults: Int, changing: Bool = false) throws {
        faultsLeft = faults
        let last = sessions + Self.mostSessions
        while true {
            guard sessions < last else { throw Trouble("It never ends") }
            if changing, sessions > 0, faultsLeft > 0, random.chance(3) { change() }
            if try session() { break }
        }
        watch.confirm()
        try check()
        try checkNoPartials()
        // The receipt was given: power may fail.
        disk.losePower()
        watch.lookAgain(at: disk.path)
        try check()
    }

    /// Nothing is there that could be gone on with. What a process that ended left besides that goes in time.
    private func checkNoPartials() throws {
        // One that a disk in trouble did not let go of is kept for its time.
        guard try hasDiskFailed || resumable().isEmpty else { throw Trouble("A partial is left behind") }
    }

    /// Where partials lie that can be gone on with.
    private func resumable() throws -> [String] {
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        return try inbox.partials().filter { $0.about != nil && $0.holdsItem }
            .map { "\(disk.path)/\(Inbox.partialPrefix)\($0.id)" }
    }

    /// Sends it until the receipt is there, where one thing happens, at this call to the disk.
    ///
    /// - Returns: whether there were as many calls.
    mutating func deliver(_ fault: SimulatedDisk.Fault, atCall call: Int) throws -> Bool {
        planned = (fault, call)
        let last = disk.calls + call
        try deliver(faults: 0)
        return disk.calls >= last
    }

    /// Somebody works on the source.
    mutating func change() {
        source.change(&random)
        versions.append(source)
        watch.add(source)
        log.append("changed")
    }

    /// Somebody works on what was received.
    mutating func edit(files: Int) throws {
        let paths = source.paths
        try watch.withoutLooking {
            for index in source.entries.indices.shuffled(using: &random).prefix(files) {
                guard case .file = source.entries[index].kind, !source.isLinkTarget(index) else { continue }
                let path = paths[index]
                let number = open("\(disk.path)/\(source.name)\(path)", O_RDWR)
                guard number >= 0 else { throw Trouble("\(path) cannot be opened") }
                let file = Descriptor(owning: number)
                let bytes = SimulatedSource.noise(1 + random.below(5000), &random)
                try disk.resize(file, to: 0)
                try bytes.withUnsafeBytes { try disk.write($0, to: file, at: 0) }
                try disk.setModified(FileTime(seconds: 1_600_000_000, nanoseconds: 1), of: file)
                try disk.syncAll(file)
                edits[path] = bytes
                watch.add(edited: bytes, at: path)
            }
        }
    }

    // MARK: - A session

    /// - Returns: whether the receipt came.
    private mutating func session() throws -> Bool {
        sessions += 1
        var fault: Fault?
        if faultsLeft > 0 {
            faultsLeft -= 1
            fault = Fault.allCases.randomElement(using: &random)
        }
        // What cannot be taken over from a disk in trouble is begun anew.
        let isTroubled = planned.map { $0.fault != .powerFails && $0.fault != .processEnds } ?? false
        if fault == .diskFails || isTroubled { hasDiskFailed = true }
        let allowed = !source.isStream && fault != .diskFails && !isTroubled ? try missing() : .max
        let link = SimulatedLink(lanes: 4, &random)
        let sender = try SendingProcess(source, on: link, &random)
        log.append("\(sessions): \(fault.map { "\($0)" } ?? "nothing happens"), \(allowed) bytes are missing")
        let (end, steps) = try run(link, sender, fault)
        sent += sender.sent
        log[log.count - 1] += ", \(sender.sent) were sent\(sender.asks ? ", asking" : ""), \(steps) steps: \(end)"
        disk.cancelPlan()
        try watch.check()
        guard sender.sent <= allowed else {
            throw Trouble("\(sender.sent) bytes were sent, and only \(allowed) were missing")
        }
        switch end {
        case .settled(.stored): return true
        case .settled(let outcome):
            guard fault == .diskFails || fault == .diskIsFull || isTroubled else {
                throw Trouble("It failed: \(outcome)")
            }
            return false
        case .broken: return false
        case .died(let withPower):
            if withPower {
                disk.losePower()
                watch.lookAgain(at: disk.path)
                try watch.check()
                guard try !isSaved || !resumable().isEmpty || !DestinationWatch.visible(in: disk.path).isEmpty else {
                    throw Trouble("What was written down is gone")
                }
            } else {
                disk.restart()
            }
            return false
        }
    }

    private mutating func run(
        _ link: SimulatedLink, _ sender: SendingProcess, _ fault: Fault?
    ) throws -> (End, steps: Int) {
        let receiver = try ReceivingProcess(disk, on: link, lanesAllowed: 1 + random.below(4))
        if let planned { disk.plan(planned.fault, in: planned.call) }
        let withPower = fault == .powerFails || fault == .powerFailsAtCall || planned?.fault == .powerFails
        planned = nil
        let calls = 1 + random.below([10, 50, 300][random.below(3)])
        switch fault {
        case .receiverEndsAtCall: disk.plan(.processEnds, in: calls)
        case .powerFailsAtCall: disk.plan(.powerFails, in: calls)
        case .diskFails: disk.plan(.error(EIO), in: calls)
        case .diskIsFull: disk.plan(.error(ENOSPC), in: calls)
        case nil, .connectionBreaks, .senderEnds, .receiverEnds, .powerFails: break
        }
        let faultStep = 1 + random.below([30, 200, 1500][random.below(3)])
        let savesOften = random.chance(3)
        isSaved = false
        var isCut = false
        for step in 1... {
            guard step < Self.mostSteps else { throw Trouble("A session never ends") }
            if step == faultStep {
                switch fault {
                case .connectionBreaks, .senderEnds:
                    link.cut()
                    isCut = true
                case .receiverEnds, .powerFails: disk.endProcess()
                default: break
                }
            }
            link.pass()
            if savesOften, random.chance(60), receiver.saveProgress(), !disk.isDead { isSaved = true }
            let isDone = try !disk.isDead && self.step(sender, receiver, onlyReceiver: isCut)
            if disk.isDead { return (.died(withPower: withPower), step) }
            if sender.isFinished, receiver.isFinished, let outcome = sender.outcome {
                return (.settled(outcome), step)
            }
            if isDone || link.wait() { continue }
            guard isCut else { throw Trouble("Everybody waits") }
            receiver.connectionLost()
            return (disk.isDead ? .died(withPower: false) : .broken, step)
        }
        preconditionFailure("There are always more steps")
    }

    /// Has somebody do one thing.
    ///
    /// - Returns: whether there was anything to be done.
    private mutating func step(
        _ sender: SendingProcess, _ receiver: ReceivingProcess, onlyReceiver: Bool
    ) throws -> Bool {
        for actor in Array(0..<11).shuffled(using: &random) {
            let isDone =
                switch actor {
                case 0: try receiver.hear()
                case 1: receiver.readClaims()
                case 2...5: try receiver.step(lane: actor - 2)
                case _ where onlyReceiver: false
                case 6: try sender.hear()
                default: try sender.step(lane: actor - 7)
                }
            if isDone { return true }
        }
        return false
    }
}

// MARK: - What has to be

extension Simulation {
    /// Bytes of content that the receiver does not hold. A disk in trouble may have left two partials, of which either may be gone
    /// on with.
    private func missing() throws -> Int {
        let partials = try resumable()
        return partials.map { missing(from: $0) }.max() ?? missing(from: nil)
    }

    /// Blocks of which something is missing or wrong, and small files.
    private func missing(from partial: String?) -> Int {
        let places = partial.map { [$0 + "/item", $0 + "/before"] } ?? []
        let stored = DestinationWatch.visible(in: disk.path).map { "\(disk.path)/\($0)" }
        let block = Int(BlockDigest.blockSize)
        var missing = 0
        for (index, path) in source.paths.enumerated() {
            let entry = source.entries[index]
            guard case .file(let content) = entry.kind else { continue }
            let size = content.stored(in: 0..<content.bytes.count)
            guard isUnchanged(index, path), edits[path] == nil else {
                missing += size
                continue
            }
            func isWhole(_ place: String) -> Bool {
                status(of: place + path)?.modified.seconds == entry.modified
                    && FilesTestSupport.content(of: place + path) == content.bytes
            }
            if stored.contains(where: isWhole) { continue }
            // Where only a part of a block is data, it may not be known that the rest is right.
            let held = places.map { FilesTestSupport.content(of: $0 + path) ?? [] }
            for start in stride(from: 0, to: content.bytes.count, by: block) {
                let range = start..<min(start + block, content.bytes.count)
                let isRight = held.contains {
                    $0.count >= range.upperBound && $0[range] == content.bytes[range]
                }
                let stored = content.stored(in: range)
                if !isRight || stored < range.count { missing += stored }
            }
        }
        return missing
    }

    private func isUnchanged(_ index: Int, _ path: String) -> Bool {
        versions.allSatisfy { version in
            guard let other = version.paths.firstIndex(of: path) else { return true }
            return version.entries[other].kind == source.entries[index].kind
                && version.entries[other].modified == source.entries[index].modified
        }
    }

    /// The destination holds what the source is.
    private func check() throws {
        try watch.check()
        let roots = DestinationWatch.visible(in: disk.path)
        if !source.isFolder { return try check(versionsIn: roots) }
        guard roots == [source.name] else { throw Trouble("There is \(roots)") }
        let root = "\(disk.path)/\(source.name)"
        for (index, path) in source.paths.enumerated() {
            let full = root + path
            guard let found = status(of: full) else { throw Trouble("“\(path)” is missing") }
            switch source.entries[index].kind {
            case .folder: guard found.kind == .folder else { throw Trouble("“\(path)” is no folder") }
            case .link(let target):
                guard DestinationWatch.linkTarget(full) == target else { throw Trouble("“\(path)” is another link") }
            case .file, .hardLink: try check(fileOf: index, path, in: root)
            }
        }
        try checkNothingElse(in: root, "")
    }

    private func check(fileOf index: Int, _ path: String, in root: String) throws {
        guard let expected = source.content(of: index) else { return }
        var places = [root + path]
        if let edited = edits[path] {
            guard content(of: root + path) == edited else { throw Trouble("What was changed at “\(path)” is lost") }
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            places = names(in: root + folder).map { folder + "/" + $0 }
                .filter { $0 != path && DestinationWatch.withoutNumber($0) == path }.map { root + $0 }
        }
        var entry = source.entries[index]
        if case .hardLink(let target) = entry.kind { entry = source.entries[target] }
        let isThere = places.contains {
            content(of: $0) == expected.bytes && status(of: $0)?.modified.seconds == entry.modified
        }
        guard isThere else { throw Trouble("“\(path)” is not what the sender has") }
    }

    /// A single file lies there in each version that was once stored.
    private func check(versionsIn roots: [String]) throws {
        let files = roots.map { content(of: "\(disk.path)/\($0)") ?? [] }
        // Of two versions only the time may differ, where nothing but holes is in them.
        let times = roots.map { status(of: "\(disk.path)/\($0)")?.modified.seconds }
        let isTwice = files.indices.contains { index in
            files[..<index].indices.contains { files[$0] == files[index] && times[$0] == times[index] }
        }
        guard source.isStream || !isTwice else {
            throw Trouble("The same is there twice: \(roots)")
        }
        guard let expected = source.content(of: 0), files.contains(expected.bytes) else {
            throw Trouble("What the sender has is not there")
        }
    }

    private func checkNothingElse(in root: String, _ path: String) throws {
        for name in names(in: root + path) {
            let inner = path + "/" + name
            let original = DestinationWatch.withoutNumber(inner)
            let isKnown = watch.committed.contains(inner) || (edits[original] != nil && inner != original)
            guard isKnown else { throw Trouble("“\(inner)” should not be there") }
            if status(of: root + inner)?.kind == .folder { try checkNothingElse(in: root, inner) }
        }
    }
}
