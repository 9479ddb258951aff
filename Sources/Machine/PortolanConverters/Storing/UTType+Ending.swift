import UniformTypeIdentifiers

extension UTType {
    /// Extension with its dot, as `.jpeg`; empty if the type has none that may appear in a path and in an argument.
    var fileNameEnding: String {
        guard let ending = preferredFilenameExtension,
            ending.utf8.count <= 32, ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return "" }
        return "." + ending
    }
}
