import Portolan

extension NodeEvent.Problem {
    /// A mistake in a configuration file.
    package init(_ defect: ConfigurationDefect, in file: String) {
        self.init(
            .error, file: file, line: defect.line, column: defect.column, key: defect.key.isEmpty ? nil : defect.key,
            message: defect.reason)
    }
}
