/// The property lists with declarations on this machine, for those who keep something of their own in them beside the
/// types.
package enum TypeDeclarationFiles {
    /// Every file that can be read, the more important first. The others are problems that
    /// ``TypeDeclarationCheck`` tells of.
    package static func all(in places: TypePlaces = .ofThisProcess) -> [(path: String, contents: [String: Any])] {
        read(places.declarationFiles)
    }

    /// Those of the files, and of the property lists below the folders, that can be read; all on this machine if none is named.
    package static func all(below paths: [String]) -> [(path: String, contents: [String: Any])] {
        paths.isEmpty ? all() : read(TypeDeclarationCheck.propertyLists(below: paths))
    }

    private static func read(_ files: [String]) -> [(path: String, contents: [String: Any])] {
        var size = 0
        return files.compactMap { path in
            let maximum = min(DeclarationReading.Limits.fileSize, DeclarationReading.Limits.totalSize - size)
            guard let contents = try? PropertyListFile.read(path, maximumSize: maximum, size: &size) else { return nil }
            return (path, contents)
        }
    }
}
