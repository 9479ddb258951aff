/// The property lists with declarations on this machine, for those who keep something of their own in them beside the
/// types.
package enum TypeDeclarationFiles {
    /// Every file that can be read, the more important first. The others are problems that
    /// ``TypeDeclarationCheck`` tells of.
    package static func all(in places: TypePlaces = .ofThisProcess) -> [(path: String, contents: [String: Any])] {
        var size = 0
        return places.declarationFiles.compactMap { path in
            let maximum = min(DeclarationReading.Limits.fileSize, DeclarationReading.Limits.totalSize - size)
            guard let contents = try? PropertyListFile.read(path, maximumSize: maximum, size: &size) else { return nil }
            return (path, contents)
        }
    }
}
