import PortolanFiles
import PortolanValues
import UniformTypeIdentifiers

/// Error of a conversion: a kind for programs and one sentence for people.
///
/// The sentence names both types, the program and the cause, and is safe to print. It may contain output of the program
/// and paths of this machine, so it is shown here and never sent to a peer.
package struct ConverterError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The program is not installed, or was removed meanwhile.
        case notInstalled
        /// The program exists but does not start.
        case notStarted
        /// The source cannot be read, or is no file.
        case sourceUnreadable
        /// The source changed during the conversion.
        case sourceChanged
        /// The program ended with a status other than 0.
        case failed(status: Int32)
        /// The program was ended by a signal.
        case killed(signal: Int32)
        case timeLimit
        /// The program wrote more than the limit.
        case sizeLimit
        case noOutput
        case emptyOutput
        /// The result's place holds a folder, a link or a device.
        case outputNotFile
        /// The form is no longer wanted.
        case cancelled
        case noSpace
        /// The folder for results cannot be used.
        case cacheUnusable
        case inputOutput
    }

    package let kind: Kind
    package let from: UTType
    package let to: UTType
    package let tool: DisplayText
    /// Output of the program on standard error, at most the last 4 KiB: lines made safe to print. Not for peers.
    package let diagnostics: [DisplayText]
    private let cause: String

    /// True if the source cannot be read as it was, or nobody wants the form: the program did not fail.
    package var isAboutSource: Bool { [.sourceUnreadable, .sourceChanged, .cancelled].contains(kind) }

    package var description: String {
        let text = "“\(tool)” could not make \(Self.words(to)) of \(Self.words(from)): \(cause)."
        guard let last = diagnostics.last else { return text }
        return "\(text) It said: \(last)"
    }

    /// Name of a type for people.
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

/// Types and command of a conversion, which every error names.
struct ConversionSubject: Sendable, Hashable {
    /// Type of the source; it conforms to the converter's input type.
    let type: UTType
    let converter: Converter

    func error(_ kind: ConverterError.Kind, _ cause: String, diagnostics: [DisplayText] = []) -> ConverterError {
        ConverterError(kind, self, cause: cause, diagnostics: diagnostics)
    }

    /// Makes an error from the failure of a system call while `doing` something.
    func error(_ doing: String, _ failure: SystemFailure) -> ConverterError {
        switch failure.number {
        case ENOSPC, EDQUOT: error(.noSpace, "there is no space left for it; free some")
        default: error(.inputOutput, "\(doing) failed: \(failure.text)")
        }
    }

    var cancelled: ConverterError { error(.cancelled, "nobody wants it any more") }
}
