@testable import PortolanSyncPlan

/// Event in a world.
enum Action: Hashable {
    // Persons
    case write(Int, [SyncName])
    /// Saves by replacing the file.
    case save(Int, [SyncName])
    case makeFolder(Int, [SyncName])
    case move(Int, [SyncName], [SyncName])
    case moveOut(Int, [SyncName])
    case delete(Int, [SyncName])
    // Faults
    case crash(Int)
    case lateCrash(Int)
    case lateWrite(Int)
    case loseDatabase(Int)
    case copyDatabase(Int)
    case restoreDatabase(Int)
    case unreadable(Int, SyncName)
    case unmount(Int)
    case mount(Int)
    /// A member loses the connection to all others.
    case isolate(Int)
    case heal
    // The engine
    case scan(Int)
    case step(Int)
    case pull(Int, from: Int)
    /// A member scans, receives the states of all others, and does all steps.
    case syncAll(Int)
}
