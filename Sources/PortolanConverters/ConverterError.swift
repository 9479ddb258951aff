import Glibc
import PortolanFiles
import PortolanValues
import UniformTypeIdentifiers

/// Why a form could not be made by a converter: a kind for programs and one sentence for people.
///
/// The sentence names both types, the program and the cause, and is safe to print. It may hold what the program wrote and paths
/// of this machine, so it is shown here and never sent to a peer.
package struct ConverterError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The program is not there, or not any more.
        case notInstalled
        /// The program is there and does not start.
        case notStarted
        /// What is to be converted cannot be read, or is no file.
        case sourceUnreadable
        /// What is to be converted was changed meanwhile.
        case sourceChanged
        /// The program ended with a status other than 0.
        case failed(status: Int32)
        /// The program was ended by a signal.
        case killed(signal: Int32)
        case timeLimit
        /// The program wrote more than it may.
        case sizeLimit
        case noOutput
        case emptyOutput
        /// A folder, a link or a device in the place of the result.
        case outputNotFile
        /// Whoever wanted the form does not any more.
        case cancelled
        case noSpace
        /// The folder that results are kept in cannot be used.
        case cacheUnusable
        case inputOutput
    }

    package let kind: Kind
    package let from: UTType
    package let to: UTType
    package let tool: DisplayText
    /// What the program wrote to standard error, at most the last 4 KiB: lines made harmless. Not for peers.
    package let diagnostics: [DisplayText]
    private let cause: String

    package var description: String {
        let text = "“\(tool)” could not make \(Self.words(to)) of \(Self.words(from)): \(cause)."
        guard let last = diagnostics.last else { return text }
        return "\(text) It said: \(last)"
    }

    /// A type as a person knows it.
    private static func words(_ type: UTType) -> String {
        "“\(DisplayText(type.localizedDescription ?? type.identifier, limit: 60))”"
    }

    init(_ kind: Kind, _ subject: ConversionSubject, cause: String, diagnostics: [DisplayText] = []) {
        self.kind = kind
        from = subject.type
        to = subject.converter.to
        tool = DisplayText(subject.converter.tool)
        self.diagnostics = diagnostics
        self.cause = cause
    }
}

/// What is converted into what, by which command: what every error names.
struct ConversionSubject: Sendable, Hashable {
    /// The type of the form that is converted; it conforms to what the converter takes.
    let type: UTType
    let converter: Converter

    func error(_ kind: ConverterError.Kind, _ cause: String, diagnostics: [DisplayText] = []) -> ConverterError {
        ConverterError(kind, self, cause: cause, diagnostics: diagnostics)
    }

    /// A system call failed while `doing` something.
    func error(_ doing: String, _ failure: SystemFailure) -> ConverterError {
        switch failure.number {
        case ENOSPC, EDQUOT: error(.noSpace, "there is no space left for it; free some")
        default: error(.inputOutput, "\(doing) failed: \(failure.text)")
        }
    }

    var cancelled: ConverterError { error(.cancelled, "nobody wants it any more") }
}
