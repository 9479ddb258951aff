import Portolan
import PortolanClient
import PortolanFiles
import PortolanSyncFolder

extension AgentAPI.Problem {
    /// Converts an error of the agent to a problem for its client; other errors are returned unchanged.
    static func of(_ error: any Error) -> any Error {
        switch error {
        case let error as StateRefusal:
            switch error.kind {
            case .notFound: notFound(error.description)
            case .conflict: conflict(error.description)
            case .limit: invalid(error.description)
            }
        case let error as ValueError: invalid(error.description)
        case JournalError.gone(let oldest): gone(oldest: oldest)
        case JournalError.ahead(let newest): unknownCursor(newest: newest)
        case let error as AgentStateError: unavailable(error.description)
        case let error as NodeError: invalid(error.description)
        case let error as ParcelError: invalid(error.description)
        case let error as StoreError: unavailable(error.description)
        case let error as SyncError:
            if case .halted = error.kind { halted(error.description) } else { conflict(error.description) }
        case let error as FileError:
            switch error.kind {
            case .notFound: conflict(error.description)
            case .noSpace: unavailable(error.description)
            default: invalid(error.description)
            }
        default: error
        }
    }
}
