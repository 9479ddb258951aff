import Portolan
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanValues
import Synchronization

/// Lacks of other members, for the persons on this device (SYNC.md, 7.2.1).
extension SyncCoordinator {
    /// Most events about other members in a folder within ``eventTime``: a member may tell something else all the time.
    private static let mostEvents = 16
    private static let eventTime = Duration.seconds(600)

    package func lacksChanged(in news: Set<SyncFolderID>, by role: SyncRole) async {
        for folder in (try? await folders(sharedWith: role)) ?? [] where news.contains(folder.id) { folder.ring() }
    }

    /// Records in the status of a folder what the other members told last.
    ///
    /// - Parameters:
    ///   - sharing: sessions with members that share the folder.
    ///   - hasChanged: true if files or records have changed since the last call.
    func noteOthers(
        in folder: SyncedFolder, members: Set<DeviceID>, sharing: [SyncRole], hasChanged: Bool
    ) async throws {
        let (heardBefore, before) = folder.state.withLock { ($0.heardLacks, $0.others) }
        let here = Set(sharing.map { DeviceID($0.peer) })
        // A member in sight that does not tell of the folder does not keep it alike now.
        let away = members.subtracting(roles.filter { $0.told != nil }.map { DeviceID($0.peer) })
        var heard = heardBefore.filter { here.contains($0.key) }
        var others = before.filter { here.contains($0.key) || away.contains($0.key) }
        // A member that is away may have got room meanwhile.
        for device in away where others[device] != nil { others[device]?.removeAll { !$0.needsPerson } }
        for role in sharing {
            let device = DeviceID(role.peer)
            let lacks = role.told?[folder.id]?.lacks ?? []
            guard hasChanged || heard[device] != lacks else { continue }
            heard[device] = lacks
            others[device] = try await shown(lacks, of: role, in: folder, after: before[device] ?? [])
        }
        others = others.filter { !$0.value.isEmpty }
        guard heard != heardBefore || others != before else { return }
        let all = others.values.joined().sorted { ($0.by, $0.device, $0.reason) < ($1.by, $1.device, $1.reason) }
        folder.state.withLock { state in
            state.heardLacks = heard
            state.others = others
            state.status.others = SyncFolderList.Status.listed(all) { $0.paths.joined() }
        }
        for (device, lacks) in others {
            let known = Set(before[device] ?? [])
            let news = lacks.filter { !known.contains($0) }
            if let first = news.first { tell(first, news.count, folder) }
        }
    }

    /// Counts an event about another member of a folder.
    ///
    /// - Returns: false if there were too many lately.
    func mayTellLack(in folder: SyncedFolder) -> Bool {
        let now = node.configuration.runtime.now
        return folder.state.withLock { state in
            state.lackEvents.removeAll { now - $0 > Self.eventTime }
            guard state.lackEvents.count < Self.mostEvents else { return false }
            state.lackEvents.append(now)
            return true
        }
    }

    private func tell(_ lack: SyncOtherLack, _ count: Int, _ folder: SyncedFolder) {
        guard mayTellLack(in: folder) else { return }
        events(
            .lacking(
                folder: DisplayText(folder.entry.name, limit: 100), by: DisplayText(lack.by, limit: 100),
                path: lack.paths.first.map { DisplayText($0, limit: 1000) },
                reason: DisplayText(sentence: lack.reason, limit: 500), count: count))
    }

    /// Nodes that are not known here are passed over, and lacks of such nodes alone, deletions excepted: their makers
    /// may have forgotten them.
    private func shown(
        _ lacks: [MemberLack], of role: SyncRole, in folder: SyncedFolder, after before: [SyncOtherLack]
    ) async throws -> [SyncOtherLack] {
        guard !lacks.isEmpty else { return [] }
        let paths = try await folder.replica.paths(of: Set(lacks.flatMap(\.nodes)))
        return lacks.compactMap { lack in
            var known = lack.nodes.compactMap { paths[$0] }.sorted()
            if known.isEmpty, let mark = lack.markText, let same = before.first(where: { $0.mark == mark }) {
                known = same.paths
            }
            guard !known.isEmpty || lack.nodes.isEmpty || lack.reason.isDeletion else { return nil }
            return SyncOtherLack(lack, known, by: role.shownName, DeviceID(role.peer))
        }
    }
}

extension MemberLack {
    fileprivate var markText: String? { mark.isEmpty ? nil : Hexadecimal.text(mark) }
}

extension MemberLack.Reason {
    fileprivate var isDeletion: Bool { self == .ownDeletion || self == .deletion }
}

extension SyncOtherLack {
    fileprivate init(_ lack: MemberLack, _ paths: [String], by name: DisplayText, _ device: DeviceID) {
        by = name.text
        self.device = Hexadecimal.text(device.bytes)
        kind = "\(lack.reason)"
        mark = lack.markText
        count = lack.count
        self.paths = paths
        needsPerson = true
        let what = count == 1 ? "1 file or folder" : "\(count) files and folders"
        switch lack.reason {
        case .ownDeletion:
            reason = "“\(name)” made a deletion of \(what), and holds it back until a person there agrees."
        case .deletion:
            reason = "“\(name)” holds a deletion of \(what) until a person there agrees: all of it stays there."
        case .link: reason = "“\(name)” does not take a link that leads out of the folder."
        case .name: reason = "“\(name)” cannot hold the name."
        case .inTheWay: reason = "“\(name)” has something in the way that is not kept alike."
        case .diskFull: (reason, needsPerson) = ("The disk of “\(name)” is full.", false)
        case .other: (reason, needsPerson) = ("“\(name)” cannot take it, for a reason that is shown there.", false)
        }
    }
}
