/// Property lists with declarations on this machine, for programs that keep keys of their own in them beside the types.
package enum TypeDeclarationFiles {
    /// Returns every file that can be read, the more important first. ``TypeDeclarationCheck`` reports the others.
    package static func all(in places: TypePlaces = .ofThisProcess) -> [(path: String, contents: [String: Any])] {
        read(places.declarationFiles)
    }

    /// Returns the readable files among the paths, and property lists below the folders; all files on this machine
    /// without paths.
    package static func all(below paths: [String]) -> [(path: String, contents: [String: Any])] {
        paths.isEmpty ? all() : read(TypeDeclarationCheck.propertyLists(below: paths))
    }

    private static func read(_ files: [String]) -> [(path: String, contents: [String: Any])] {
        var size = 0
        return files.compactMap { path in
            let maximum = min(DeclarationReader.Limits.fileSize, DeclarationReader.Limits.totalSize - size)
            guard let contents = try? PropertyListFile.read(path, maximumSize: maximum, size: &size) else { return nil }
            return (path, contents)
        }
    }
}
