import Foundation
import Glibc
import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// Keys that several machines have (SYNC.md 4.1): of members, and that of this device.
extension SyncCoordinator {
    /// Keeps the stops that members tell, and heeds those of this device.
    ///
    /// - Throws: ``SyncError`` of kind `halted` if this device stops.
    func noteStops(in folder: SyncedFolder, _ sharing: [SyncRole]) async throws {
        for role in sharing {
            guard let told = role.told?[folder.id] else { continue }
            let device = DeviceID(role.peer)
            let machine = KeyMachine(
                device: Hexadecimal.text(device.bytes), by: role.shownName.text, host: told.stop?.host ?? "",
                address: role.address, seen: UInt64(max(Date().timeIntervalSince1970, 0)))
            let stops = folder.state.withLock { state in
                if told.latest != nil || told.stop != nil {
                    state.met[device, default: MetMachines()].note(
                        machine, epoch: told.latest?.epoch ?? 0, in: ObjectIdentifier(role))
                }
                return state.stops
            }
            guard let stop = told.stop, stops?[device].map({ $0 < stop.seal }) ?? true else { continue }
            try await folder.replica.keep(stop: stop.seal, of: device)
            folder.state.withLock { $0.stops = nil }
        }
        if folder.state.withLock({ $0.stops == nil }) {
            let stops = try await folder.replica.stops()
            folder.state.withLock { $0.stops = stops }
        }
        for role in sharing {
            guard let stop = role.told?[folder.id]?.heardStop else { continue }
            folder.state.withLock { state in
                state.known = stop.machines.map {
                    KeyMachine(
                        device: "", by: role.shownName.text, host: $0.host, address: $0.address, seen: $0.seen)
                }
            }
            let device = DeviceID(role.peer)
            guard folder.state.withLock({ $0.heeded[device] != stop.seal }) else { continue }
            try await folder.replica.heed(stop.seal, by: device)
            folder.state.withLock { $0.heeded[device] = stop.seal }
        }
    }

    /// Sentences about members that stand still, because several machines have their keys. New ones are reported, too.
    ///
    /// - Parameter before: lacks of the last round.
    func copied(in folder: SyncedFolder, after before: [SyncLack]) async throws -> [SyncLack] {
        var lacks: [SyncLack] = []
        var machines: [KeyMachine] = []
        for device in try await folder.replica.stopped() {
            let pair = folder.state.withLock { $0.met[device]?.pair } ?? []
            machines += pair
            let name = pair.last.map { "“\($0.by)”" } ?? "A member"
            let places = pair.count == 2 ? pair.text : pair.isEmpty ? "" : "\(pair.text) and another one"
            let reason =
                "\(name) is two machines with one key\(places.isEmpty ? "" : ": \(places)"). Its folder stands still until "
                + "“portolan id --new-key” was given on one of them, and “portolan id --keep-key” on the other."
            let lack = SyncLack(path: nil, reason: reason, needsPerson: true)
            lacks.append(lack)
            guard !before.contains(lack), mayTellLack(in: folder) else { continue }
            events(
                .lacking(
                    folder: DisplayText(folder.entry.name, limit: 100),
                    by: DisplayText(pair.last?.by ?? "", limit: 100), path: nil,
                    reason: DisplayText(sentence: reason, limit: 500), count: 1))
        }
        let sorted = machines.sorted { ($0.device, $0.address) < ($1.device, $1.address) }
        folder.state.withLock { $0.status.machines = sorted.isEmpty ? nil : sorted }
        return lacks.sorted { $0.reason < $1.reason }
    }

    /// Obstacle to a folder that stands still because another machine has this device's key, which is told to members.
    func sentenceOfCopy(_ folder: SyncedFolder) -> String {
        let stop = folder.replica.stop.flatMap { try? SyncStop($0, host: Self.hostName) }
        let known = folder.state.withLock { state in
            state.stop = stop
            state.status.isCopied = true
            return state.known
        }
        let who = known.first.map { " “\($0.by)” has met \(known.text)." } ?? ""
        return ReplicaStart.Stop.keyElsewhere.sentence + who
    }

    /// Lets a folder go on, if a person has decided that this machine keeps its key.
    func keepKey(of folder: SyncedFolder) async throws {
        let mark = SyncFolderEntry.keyDecision
        guard folder.entry.decisions.contains(where: { $0.deletion == mark }) else { return }
        try await folder.replica.keepKey()
        try await dropDecisions([mark], in: folder)
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: Limits.name + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return name.withUnsafeBufferPointer { $0.baseAddress.flatMap { String(validatingCString: $0) } } ?? ""
    }
}

extension SyncRole {
    /// Address of the peer, without a port.
    fileprivate var address: String {
        let text = session.address
        let host = text.lastIndex(of: ":").map { text[..<$0] } ?? text[...]
        return String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    }
}

// MARK: - Decisions of persons

extension SyncFolderEntry {
    /// Name of the decision that this machine keeps the key.
    static let keyDecision = "key"
}

extension SyncFolderList {
    /// Records that this machine keeps its key. The process that keeps the folders alike lets those go on that stand
    /// still, because another machine has the key.
    ///
    /// - Returns: names of these folders.
    package func keepKey() throws -> [String] {
        try change { entries in
            var names: [String] = []
            for place in entries.indices where try status(of: entries[place])?.isCopied ?? false {
                names.append(entries[place].name)
                entries[place].decisions.removeAll { $0.deletion == SyncFolderEntry.keyDecision }
                entries[place].decisions.append(
                    SyncFolderEntry.Decision(deletion: SyncFolderEntry.keyDecision, isConfirmed: true))
            }
            return names
        }
    }
}
