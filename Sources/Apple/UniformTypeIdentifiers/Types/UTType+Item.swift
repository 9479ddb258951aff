extension UTType {
    /// Returns the type of the item at a path: a folder, a link, a device, or the type that the name of a file stands
    /// for. Contents are not read.
    ///
    /// A file is judged by its last extension, unless more of its name stands for a type of its own (`tar.gz`; of media
    /// only if a declared type claims it). If no type claims that, shared-mime-info is asked about the whole name
    /// (`Makefile`) and then about the extension. A file without either is ``unixExecutable`` if it may be run, else
    /// ``data``.
    /// - Parameter followingLinks: true to take the type of a symbolic link's target.
    /// - Returns: nil if the item does not exist, or is not accessible.
    package static func type(ofItemAt url: URL, followingLinks: Bool = false) -> UTType? {
        TypeRegistry.shared.type(ofItemAt: url, followingLinks: followingLinks)
    }

    /// Returns the type of a file, folder or device of a name, as ``type(ofItemAt:followingLinks:)`` has it.
    ///
    /// - Parameter mode: `st_mode`: kind and permissions.
    package static func type(ofItemNamed name: String, mode: mode_t) -> UTType? {
        TypeRegistry.shared.type(ofItemNamed: name, mode: mode)
    }
}

extension TypeRegistry {
    func type(ofItemAt url: URL, followingLinks: Bool = false) -> UTType? {
        var status = stat()
        guard (followingLinks ? stat(url.path, &status) : lstat(url.path, &status)) == 0 else { return nil }
        return type(ofItemNamed: url.lastPathComponent, mode: status.st_mode)
    }

    func type(ofItemNamed name: String, mode: mode_t) -> UTType? {
        switch mode & S_IFMT {
        case S_IFDIR: type(ofFolderNamed: name)
        case S_IFLNK: .symbolicLink
        case S_IFIFO: type("public.named-pipe")
        case S_IFSOCK: type("public.socket")
        case S_IFCHR: type("public.character-special")
        case S_IFBLK: type("public.block-special")
        default: type(ofFileNamed: name, isExecutable: mode & 0o111 != 0)
        }
    }

    private func type(ofFolderNamed name: String) -> UTType {
        let claimants = Self.extensions(of: name).lazy.flatMap {
            self.claimants(of: $0, in: .filenameExtension, conformingTo: .directory)
        }
        return claimants.first ?? .folder
    }

    private func type(ofFileNamed name: String, isExecutable: Bool) -> UTType {
        let extensions = Self.extensions(of: name)
        let last = extensions.last
        let known = last.flatMap { declaredType(tag: $0, tagClass: .filenameExtension, conformingTo: .data) }
        // Reading the machine's database takes longer than all the rest.
        let isWhole = known.map { known in Self.wholes.contains { conforms(known, to: $0) } } ?? false
        for several in extensions.dropLast() {
            let declared =
                isWhole
                ? declaredType(tag: several, tagClass: .filenameExtension, conformingTo: .data)
                : type(tag: several, tagClass: .filenameExtension, conformingTo: .data)
            if let declared, !declared.isDynamic { return declared }
        }
        if let known { return known }
        if let named = types(ofFileNamed: name).first { return named }
        if let last, let type = type(tag: last, tagClass: .filenameExtension, conformingTo: .data) {
            return type
        }
        return isExecutable ? .unixExecutable : .data
    }

    /// Kinds of content that are not written or packed in another format, so that only the last extension of a name
    /// determines a type.
    private static let wholes: [UTType] = [.image, .audiovisualContent, .compositeContent, .font]

    /// Returns the possible extensions of a name: `tar.gz` and `gz`, the longest first, of at most four parts. The part
    /// behind a leading dot is no extension.
    private static func extensions(of name: String) -> [String] {
        let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false).dropFirst().suffix(
            4)
        guard parts.last?.isEmpty == false else { return [] }
        return parts.indices.map { parts[$0...].joined(separator: ".") }
    }
}
