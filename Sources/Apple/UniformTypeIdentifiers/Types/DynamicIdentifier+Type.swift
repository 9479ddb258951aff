extension DynamicIdentifier {
    /// The type of this name; nil where the name would be too long.
    var type: UTType? {
        let identifier = identifier
        return identifier.utf8.count <= Self.maximumLength ? UTType(identifier, row: -1) : nil
    }
}
