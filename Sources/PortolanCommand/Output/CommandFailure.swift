import Portolan
import PortolanTrust

/// Why a command ends without having done what was asked: one sentence, and the status a script sees.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String
    /// The peers that a name could mean, when it was ambiguous.
    let candidates: [Peer]

    init(_ status: ExitStatus, _ sentence: String, candidates: [Peer] = []) {
        self.status = status
        description = sentence
        self.candidates = candidates
    }

    /// Gives every error that can come out of a command its status and its sentence.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as NodeError:
            self.init(ExitStatus(error.kind), error.fullSentence, candidates: error.candidates)
        case let error as StoreError: self.init(ExitStatus(error.kind), error.fullSentence)
        case let error as HomeError: self.init(.usage, error.fullSentence)
        case let error as DeviceNameError: self.init(.usage, error.description)
        case let error as RosterNameError: self.init(.usage, error.description)
        case let error as ConfigurationError: self.init(.usage, error.description)
        case let error as ValueError: self.init(.usage, error.description)
        case is CancellationError: self.init(.interrupted, "Interrupted.")
        default: self.init(.inputOutput, DisplayText(sentence: "\(error)", limit: 1000).text)
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

    init(_ kind: StoreError.Kind) {
        self =
            switch kind {
            case .foreignOwner, .tooOpen: .notTrusted
            case .wrongKind, .damaged, .tooLarge: .badData
            case .busy, .full, .system: .inputOutput
            }
    }
}
