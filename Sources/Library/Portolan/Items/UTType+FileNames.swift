extension UTType {
    /// Type that gives files of this type their extension: UTF-8 text has no extension of its own.
    var forFileNames: UTType {
        preferredFilenameExtension == nil && conforms(to: .plainText) ? .plainText : self
    }
}
