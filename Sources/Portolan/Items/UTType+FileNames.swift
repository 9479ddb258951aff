import UniformTypeIdentifiers

extension UTType {
    /// The type that files with content of this one are named for: UTF-8 text has no extension of its own.
    var forFileNames: UTType {
        preferredFilenameExtension == nil && conforms(to: .plainText) ? .plainText : self
    }
}
