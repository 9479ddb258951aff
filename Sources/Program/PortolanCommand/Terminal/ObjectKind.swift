/// Kinds of `--json` lines that are objects of the agent's local API, or facts of its service and of folders.
///
/// The others are `NodeEvent.Kinds`. `Protocol/events.schema.json` has the fields of both.
enum ObjectKind: CaseIterable {
    case agentService, agentStarted, agentStatus, agentUnit
    case folder, folderChecked, folderConflict, folderDeletion, folderFinding, folderForgotten, folderLimit
    case folderOffer, folderResolved, folderRestored, folderState, folderVersion
    case inboxItem, journalEntry, parcel, policy, policyCheck, policyExplanation, receipt, shelfItem

    /// Name of the kind: the value of the field `event`.
    var word: String { "\(self)".hyphenated }

    /// The commands that print it, and the occasion.
    var meaning: String {
        switch self {
        case .agentService: "agent install, uninstall, start, stop: the outcome of the command"
        case .agentStarted: "agent run: its local API answers"
        case .agentStatus: "agent status: 'Status' of the local API"
        case .agentUnit: "agent install --print: the unit of the service"
        case .folder: "sync: a folder, and its last report"
        case .folderChecked: "sync check: how a folder is; behind its findings"
        case .folderConflict: "sync conflicts: a second version of a file"
        case .folderDeletion: "sync held: a large deletion that waits for a person"
        case .folderFinding: "sync check: one thing that is wrong, or was"
        case .folderForgotten: "sync forget: a path is kept alike no more"
        case .folderLimit: "sync limit: to whom a folder goes from this device"
        case .folderOffer: "sync: a folder that another device shares with this one"
        case .folderResolved: "sync resolve: a conflict is settled"
        case .folderRestored: "sync restore, undo: a file is as before"
        case .folderState: "wait sync-idle: 'SyncFolder' of the local API"
        case .folderVersion: "sync history: a version that was replaced or deleted"
        case .inboxItem: "inbox, wait inbox: 'InboxItem' of the local API"
        case .journalEntry: "events: 'Event' of the local API"
        case .parcel: "send --queue, outbox, wait outbox: 'Parcel' of the local API"
        case .policy: "policy show: 'Policy' of the local API"
        case .policyCheck: "policy check, reload: 'PolicyCheck' of the local API"
        case .policyExplanation: "policy test, explain: 'Explanation' of the local API"
        case .receipt: "receipt check: all that a receipt says"
        case .shelfItem: "shelf, unshare: 'SharedItem' of the local API"
        }
    }
}
