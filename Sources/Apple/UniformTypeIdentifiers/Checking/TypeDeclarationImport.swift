extension TypePlaces {
    /// Copies a property list to the user's own declarations. Programs read it at their next start.
    ///
    /// The copy appears at once and whole. It has the name of the file, or that of its first type if the file is an
    /// `Info.plist`.
    /// - Parameters:
    ///   - replacing: true if a file of that name may be replaced.
    ///   - otherKeys: a file with one of these top-level keys is worth copying though it declares no types.
    /// - Returns: the path of the copy, and warnings about the declarations.
    /// - Throws: the problems of the declarations, or the obstacle; the file is not copied then.
    package func importDeclarations(
        from path: String, replacing: Bool = false, alsoFor otherKeys: [String] = []
    ) throws(TypeDeclarationError) -> (path: String, warnings: [TypeProblem]) {
        func failure(_ file: String, _ sentence: String) -> TypeDeclarationError {
            TypeDeclarationError(problems: [TypeProblem(.error, file: file, sentence)])
        }
        guard let folder = userFolder else { throw failure(path, "There is no home folder to copy the file to.") }
        let name: String
        let data: Data
        do {
            data = try BoundedFile.read(path, maximumSize: DeclarationReader.Limits.fileSize)
            var reading = DeclarationReader()
            let contents = try PropertyListFile.dictionary(in: data)
            reading.read(contents, from: .file(path))
            let first = reading.declared.first
            guard first != nil || otherKeys.contains(where: { contents[$0] != nil }) else {
                throw TypeDeclarationError(
                    problems: reading.problems.isEmpty
                        ? failure(path, "The file declares no types.").problems : reading.problems)
            }
            let own = NSString(string: path).lastPathComponent
            name =
                own == "Info.plist" || !own.hasSuffix(".plist") || own.hasPrefix(".")
                ? "\(first?.declaration.identifier ?? "declarations").plist" : own
        } catch let error as TypeDeclarationError {
            throw error
        } catch let error as BoundedFile.Failure {
            throw failure(path, "The file \(error.sentence).")
        } catch {
            throw failure(path, error.localizedDescription)
        }
        let destination = Self.path(folder, name)
        // Declarations in the file that the copy replaces are not compared with.
        var others = self
        if replacing { others.excludedFile = destination }
        let problems = TypeDeclarationCheck.problems(in: [path], places: others)
        guard problems.allSatisfy({ $0.severity == .warning }) else {
            throw TypeDeclarationError(problems: problems.filter { $0.severity == .error })
        }
        do {
            try Self.write(data, to: destination, in: folder, replacing: replacing)
        } catch let error as BoundedFile.Failure {
            throw failure(destination, "The file \(error.sentence).")
        } catch {
            throw failure(destination, error.localizedDescription)
        }
        return (destination, problems)
    }

    private static func write(_ data: Data, to destination: String, in folder: String, replacing: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let temporary = path(folder, ".\(UUID().uuidString)")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw BoundedFile.Failure(sentence: "cannot be written: \(String(cString: strerror(errno)))")
        }
        defer { unlink(temporary) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        try file.synchronize()
        // `link` fails if the name exists, so that nothing is replaced.
        guard (replacing ? rename(temporary, destination) : link(temporary, destination)) == 0 else {
            throw BoundedFile.Failure(
                sentence: errno == EEXIST ? "exists already" : "cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
