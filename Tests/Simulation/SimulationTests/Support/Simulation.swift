import Glibc
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import SimulationSupport
import Synchronization
import TestSupport

@testable import FilesTestSupport
@testable import PortolanFiles

/// Simulation of the transfer of one item from a sender to the disk of a receiver, by the real sessions and lanes, with
/// faults of both sides and of the network.
///
/// All chance comes from one seed, and time is virtual. The destination is checked after every call to the disk.
struct Simulation {
    /// Fault in a session.
    private enum Fault: CaseIterable {
        case connectionBreaks
        case senderEnds
        case receiverEnds
        case receiverEndsAtCall
        case powerFails
        case powerFailsAtCall
        case diskFails
        case diskIsFull
        /// An entry of the source cannot be looked at or read.
        case sourceFails

        /// True if the fault happens at a call to the receiver's disk.
        var isOfDisk: Bool {
            switch self {
            case .receiverEndsAtCall, .powerFailsAtCall, .diskFails, .diskIsFull: true
            case .connectionBreaks, .senderEnds, .receiverEnds, .powerFails, .sourceFails: false
            }
        }
    }

    private enum End: CustomStringConvertible {
        case settled(ItemOutcome)
        case broken
        /// The receiver's process has ended, and power may have failed with it.
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

    private static let mostSessions = 60

    private(set) var source: SimulatedSource
    private(set) var versions: [SimulatedSource]
    private var random: SeededGenerator
    let disk: SimulatedDisk
    private let folder = SourceFolderOnDisk()
    let watch: DestinationWatch
    /// Files that a person at the receiver's changed.
    private(set) var edits: [String: [UInt8]] = [:]
    private var hasDiskFailed = false
    /// Files that were given up when all of their content had come, in the look for more behind it.
    private(set) var filesGivenUp = 0
    private var faultsLeft = 0
    /// True if faults happen at calls to the disk, too.
    var hasFaultsOfDisk = true
    /// The one fault of the first session, at a call to the disk; nil if faults are random.
    private var planned: (fault: SimulatedDisk.Fault, call: Int)?

    /// Cost of the transfer: sessions, and sent bytes of content.
    private(set) var sessions = 0
    private(set) var sent = 0
    private(set) var log: [String] = []
    /// Most connections that one session had, its lanes included.
    private(set) var mostConnections: UInt64 = 0
    /// Traces of the network in all sessions.
    private(set) var traces: [Trace] = []

    init(_ source: SimulatedSource, _ random: inout SeededGenerator) {
        self.source = source
        versions = [source]
        self.random = SeededGenerator(seed: random.next())
        disk = SimulatedDisk(seed: random.next())
        watch = DestinationWatch(source)
        disk.watch { [watch] folder, event in watch.saw(event, in: folder) }
    }

    /// Sends the item until the receipt arrives.
    ///
    /// - Parameters:
    ///   - faults: number of sessions with a fault.
    ///   - changing: true if the source changes between two sessions.
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

    /// Checks that no partial is left to resume. Other files of an ended process are removed later.
    private func checkNoPartials() throws {
        // A partial that could not be released because the disk failed is kept until it expires.
        guard try hasDiskFailed || resumable().isEmpty else { throw Trouble("A partial is left behind") }
    }

    /// Returns the paths of partials that can be resumed.
    func resumable() throws -> [String] {
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        return try inbox.partials().filter { $0.about != nil && $0.holdsItem }
            .map { "\(disk.path)/\(FileName.partialPrefix)\($0.id)" }
    }

    /// Sends the item until the receipt arrives, with one fault at this call to the disk.
    ///
    /// - Returns: true if there were as many calls.
    mutating func deliver(_ fault: SimulatedDisk.Fault, atCall call: Int) throws -> Bool {
        planned = (fault, call)
        let last = disk.calls + call
        try deliver(faults: 0)
        return disk.calls >= last
    }

    /// Simulates work on the source.
    mutating func change() {
        source.change(&random)
        versions.append(source)
        watch.add(source)
        log.append("changed")
    }

    /// Simulates work on the received files.
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

    /// - Returns: true if the receipt came.
    private mutating func session() throws -> Bool {
        sessions += 1
        var fault: Fault?
        if faultsLeft > 0 {
            faultsLeft -= 1
            fault = Fault.allCases.filter { hasFaultsOfDisk || !$0.isOfDisk }.randomElement(using: &random)
        }
        // A partial that cannot be taken over from a failing disk is begun anew.
        let isTroubled = planned.map { $0.fault != .powerFails && $0.fault != .processEnds } ?? false
        if fault == .diskFails || isTroubled { hasDiskFailed = true }
        let isBounded = !source.isStream && fault != .diskFails && !isTroubled
        let allowed = isBounded ? try missing(withHoles: fault == .sourceFails) : .max
        if fault == .sourceFails { filesGivenUp += 1 }
        log.append("\(sessions): \(fault.map { "\($0)" } ?? "nothing happens"), \(allowed) bytes are missing")
        let (end, inbox, network) = try run(fault)
        mostConnections = max(mostConnections, network.connections)
        sent += inbox.came
        traces.append(network.trace)
        log[log.count - 1] += ", \(inbox.came) came\(inbox.known == .nothing ? "" : ", asking"): \(end)"
        disk.cancelPlan()
        try watch.check()
        guard inbox.came <= allowed else {
            throw Trouble("\(inbox.came) bytes came, and only \(allowed) were missing")
        }
        switch end {
        case .settled(.stored) where inbox.hasLeftOut:
            guard fault == .diskIsFull || isTroubled else { throw Trouble("There was room for it") }
            return false
        case .settled(.stored): return true
        case .settled(let outcome):
            guard fault == .diskFails || fault == .diskIsFull || fault == .sourceFails || isTroubled else {
                throw Trouble("It failed: \(outcome)")
            }
            return false
        case .broken: return false
        case .died(let withPower):
            if withPower {
                disk.losePower()
                watch.lookAgain(at: disk.path)
                try watch.check()
                guard try !inbox.isSaved || !resumable().isEmpty || !DestinationWatch.visible(in: disk.path).isEmpty
                else {
                    throw Trouble("What was written down is gone")
                }
            } else {
                disk.restart()
            }
            return false
        }
    }

    private mutating func run(_ fault: Fault?) throws -> (End, SimulatedInbox, VirtualNetwork) {
        try folder.put(source)
        let network = VirtualNetwork(seed: random.next(), manner: .forFiles(&random), hasThreads: true)
        let inbox = try SimulatedInbox(disk, savesOften: random.chance(3), seed: random.next())
        let receiver = VirtualHost(Self.identities[1], on: network) { await inbox.serve($0) }
        let sender = VirtualHost(Self.identities[0], on: network) { _ in }
        network.add(receiver, at: 1)
        let withPower = fault == .powerFails || fault == .powerFailsAtCall || planned?.fault == .powerFails
        plan(fault, on: network, sender, receiver)
        planned = nil
        // Mostly more lanes than so few bytes would have.
        let item = SimulatedItem(source, in: folder, worthAnotherLane: [0, 1 << 16, 1 << 40][random.below(3)])
        let result = try network.loop.run { await item.send(from: sender, to: 1) }
        try network.loop.run { receiver.serving == 0 }
        network.finish()
        if disk.isDead { return (.died(withPower: withPower), inbox, network) }
        switch result {
        case .success(let outcome): return (.settled(outcome), inbox, network)
        case .failure(let error):
            guard fault != nil || hasDiskFailed else { throw Trouble("The session ended: \(error)") }
            if error is ProtocolViolation { throw Trouble("The sender takes the receiver for hostile: \(error)") }
            return (.broken, inbox, network)
        }
    }

    private mutating func plan(
        _ fault: Fault?, on network: VirtualNetwork, _ sender: VirtualHost, _ receiver: VirtualHost
    ) {
        if let planned { disk.plan(planned.fault, in: planned.call) }
        let calls = 1 + random.below([10, 50, 300][random.below(3)])
        switch fault {
        case .receiverEndsAtCall: disk.plan(.processEnds, in: calls)
        case .powerFailsAtCall: disk.plan(.powerFails, in: calls)
        case .diskFails: disk.plan(.error(EIO), in: calls)
        case .diskIsFull: disk.plan(.error(ENOSPC), in: calls)
        case nil, .connectionBreaks, .senderEnds, .receiverEnds, .powerFails, .sourceFails: break
        }
        folder.failOnce(inCalls: fault == .sourceFails ? calls : nil)
        let faultSend = 1 + random.below([30, 200, 1500][random.below(3)])
        network.beforeSend = { [disk, unowned network] in
            if network.sends == faultSend {
                switch fault {
                case .connectionBreaks: receiver.cutConnections()
                case .senderEnds: sender.die()
                case .receiverEnds, .powerFails: disk.endProcess()
                default: break
                }
            }
            // Messages of a process are dropped once it has ended.
            if disk.isDead, !receiver.isDown { receiver.die() }
        }
    }

    /// Made once for the process: keys do not depend on the seed.
    private static let identities: [LocalIdentity] = ["sender", "receiver"].map { name in
        guard let name = try? DeviceName(name) else { preconditionFailure("It is a name") }
        return LocalIdentity(DeviceIdentity(name: name, key: .generate()))
    }
}

extension VirtualNetwork.Manner {
    /// A network for payload: its buffers hold some kilobytes at least.
    fileprivate static func forFiles(_ random: inout SeededGenerator) -> Self {
        var manner = Self.random(&random)
        manner.capacity = 1 << (13 + random.below(8))
        manner.pieces = 1 << (9 + random.below(12))
        return manner
    }
}
