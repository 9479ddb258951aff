extension URL {
    /// This URL with a component added, named for content of a type: the type's extension is added unless the name
    /// already has one that fits (`puppy.jpg` as ``UTType/image`` stays, as ``UTType/plainText`` becomes
    /// `puppy.jpg.txt`). The result is a directory URL if the type is a directory.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        appendingPathComponent(
            contentType.fileName(for: partialName), isDirectory: contentType.conforms(to: .directory))
    }

    /// Adds a component as ``appendingPathComponent(_:conformingTo:)`` does.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// This URL with the type's extension added, unless its extension already fits.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard !lastPathComponent.isEmpty else { return self }
        let name = contentType.fileName(for: lastPathComponent)
        let isDirectory = hasDirectoryPath || contentType.conforms(to: .directory)
        return deletingLastPathComponent().appendingPathComponent(name, isDirectory: isDirectory)
    }

    /// Adds an extension as ``appendingPathExtension(for:)`` does.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}

extension NSString {
    /// This path with a component added, named for content of a type.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> String {
        appendingPathComponent(contentType.fileName(for: partialName))
    }

    /// This path with the type's extension added, unless its extension already fits. A path without a name stays as it
    /// is.
    public func appendingPathExtension(for contentType: UTType) -> String {
        let (folder, name) = PathCut.folderAndName(of: description)
        return name.isEmpty ? folder : folder + contentType.fileName(for: name)
    }
}

extension String {
    @available(*, unavailable, message: "Use appendingPathComponent(_:conformingTo:) on URL instead.")
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> String {
        fatalError("unavailable")
    }

    @available(*, unavailable, message: "Use appendingPathExtension(for:) on URL instead.")
    public func appendingPathExtension(for contentType: UTType) -> String {
        fatalError("unavailable")
    }
}

extension UTType {
    /// Returns true if files of this type have exactly this name, without an extension, such as `Makefile`.
    package func isWholeName(_ name: String) -> Bool { TypeRegistry.shared.isWholeName(name, of: self) }

    /// Returns the name with this type's extension, unless the name has one that fits already.
    package func fileName(for name: String) -> String {
        guard !fitsExtension(of: name), let preferred = preferredFilenameExtension, !preferred.isEmpty else {
            return name
        }
        return "\(name).\(preferred)"
    }

    /// Returns true if the name has an extension that stands for this type or a more special one.
    package func fitsExtension(of name: String) -> Bool {
        let existing = NSString(string: name).pathExtension
        guard !existing.isEmpty else { return false }
        // A dynamic type conforms to any requested supertype, so an unclaimed extension fits only itself.
        return UTType.types(tag: existing, tagClass: .filenameExtension, conformingTo: self)
            .contains { !$0.isDynamic } || tags[.filenameExtension]?.contains(existing.lowercased()) ?? false
    }
}
