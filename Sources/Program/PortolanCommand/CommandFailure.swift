import Portolan
import PortolanAgent
import PortolanClient
import PortolanSettings

/// Failure of a command: one sentence, and the exit status.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String
    /// The peers that a name could mean, when it was ambiguous.
    let candidates: [Peer]
    /// Fault of the connection to another device, if that is the cause.
    let fault: NodeError.Fault.Code?

    init(
        _ status: ExitStatus, _ sentence: String, candidates: [Peer] = [], fault: NodeError.Fault.Code? = nil
    ) {
        self.status = status
        description = sentence
        self.candidates = candidates
        self.fault = fault
    }

    /// Converts any error of a command to a status and a sentence.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as NodeError:
            self.init(
                ExitStatus(error.kind), error.fullSentence, candidates: error.candidates, fault: error.fault?.code)
        case let error as StoreError: self.init(ExitStatus(error.kind), error.fullSentence)
        case let error as FolderStatementError: self.init(.usage, error.description)
        case let error as WorkingFolderError: self.init(.noInput, error.description)
        case let error as HomeError: self.init(.usage, error.fullSentence)
        case let error as DeviceNameError: self.init(.usage, error.description)
        case let error as RosterNameError: self.init(.usage, error.description)
        case let error as ConfigurationError:
            self.init(error.isUntrusted ? .notTrusted : error.isMissing ? .noInput : .usage, error.description)
        case let error as ValueError: self.init(.usage, error.description)
        case let error as ParcelError: self.init(.badData, error.description)
        case let error as RegisterError: self.init(ExitStatus(error), error.fullSentence)
        case let error as AgentClientError: self.init(ExitStatus(error), error.fullSentence)
        case let error as AgentAPI.Problem:
            self.init(ExitStatus(error), DisplayText(oneLine: error.detail, limit: 1000).text)
        case let error as AgentStateError: self.init(ExitStatus(error.kind), error.description)
        case let error as APISocketError: self.init(ExitStatus(error), error.description)
        case let error as PolicyError: self.init(error.isUntrusted ? .notTrusted : .usage, error.description)
        case is CancellationError: self.init(.interrupted, "Interrupted.")
        default: self.init(.inputOutput, DisplayText(oneLine: "\(error)", limit: 1000).text)
        }
    }
}

extension ExitStatus {
    init(_ kind: NodeError.Kind) {
        self =
            switch kind {
            case .badInput: .badData
            case .noInput: .noInput
            case .unreachable: .unreachable
            case .cannotCreate: .cannotCreate
            case .inputOutput: .inputOutput
            case .interrupted: .interrupted
            case .notTrusted: .notTrusted
            case .declined: .declined
            case .nothingInCommon: .nothingInCommon
            case .notDelivered: .notDelivered
            }
    }

    init(_ error: RegisterError) {
        self =
            switch error {
            case .unknown, .idle: .unreachable
            case .queued, .running: .inputOutput
            case .stopped: .interrupted
            }
    }

    init(_ kind: StoreError.Kind) {
        self =
            switch kind {
            case .foreignOwner, .tooOpen, .writable: .notTrusted
            case .wrongKind, .damaged, .tooLarge: .badData
            case .busy, .full, .system: .inputOutput
            }
    }
}

extension AgentClientError {
    /// The sentence, with advice.
    fileprivate var fullSentence: String {
        guard case .notRunning = self else { return description }
        return "\(description) Start one with 'portolan agent run'."
    }
}

extension ExitStatus {
    init(_ error: AgentClientError) {
        self =
            switch error {
            case .notRunning, .noAnswer: .unreachable
            case .notOwned: .notTrusted
            case .pathTooLong, .invalidPath: .usage
            case .tooLarge: .badData
            case .cannotConnect, .closed, .unintelligible: .inputOutput
            }
    }

    init(_ problem: AgentAPI.Problem) {
        self =
            switch problem.status {
            case 404, 410: .unreachable
            case 503: .cannotCreate
            case 400..<500: .badData
            default: .inputOutput
            }
    }

    init(_ kind: AgentStateError.Kind) {
        self =
            switch kind {
            case .readOnly, .full, .networkFileSystem: .cannotCreate
            case .damaged, .newer: .badData
            case .busy, .inUse, .system: .inputOutput
            }
    }

    init(_ error: APISocketError) {
        self =
            switch error {
            case .agentRuns: .inputOutput
            case .notOwned, .folderNotPrivate: .notTrusted
            case .notASocket, .system: .cannotCreate
            }
    }
}
