import UniformTypeIdentifiers

extension UTType {
    /// `.jpeg`, or nothing where the type has no extension that may stand in a path and in an argument.
    var fileNameEnding: String {
        guard let ending = preferredFilenameExtension,
            ending.utf8.count <= 32, ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return "" }
        return "." + ending
    }
}
