import PortolanFiles
import PortolanProtocol

extension StoringFailure {
    /// Failure as reported to the sender: its cause, without facts about this machine.
    init(_ error: any Error) {
        guard let error = error as? FileError else {
            self.init(error is ReceivingStopped ? .cancelled : .unspecified)
            return
        }
        switch error.kind {
        case .noSpace: self.init(.noSpace)
        case .unacceptableName, .nameRefused, .malformedTree: self.init(.name)
        case .visibilityNotKept: self.init(.visibility)
        case .sourceChanged: self.init(.source)
        case .fidelity: self.init(.fidelity)
        case .tooMuch: self.init(.tooLarge)
        case .stopped: self.init(.cancelled, detail: error.description)
        default: self.init(.cannotWrite)
        }
    }
}

extension FileError {
    /// True if storing the same item later may succeed, after a change on this side.
    var mayPass: Bool {
        switch kind {
        case .noSpace, .readOnly, .destinationGone, .changedHere, .inputOutput, .tooManyOpenFiles, .stopped: true
        default: false
        }
    }
}

extension SourceFailure {
    var sentence: String {
        switch self {
        case .unspecified: "The sender could not send it."
        case .export: "The sender could not produce it."
        case .unreadable: "The sender could not read it."
        case .changed: "It changed at the sender's while it was being sent; ask for it again."
        case .cancelled: "The sender stopped."
        }
    }
}
