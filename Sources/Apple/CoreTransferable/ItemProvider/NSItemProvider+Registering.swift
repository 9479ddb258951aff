// MARK: - Bytes and files

extension NSItemProvider {
    /// Adds a form made of bytes.
    /// - Parameter loadHandler: makes the bytes and calls the handler it is given with them or with an error; may
    ///   return a `Progress`, which a load that is cancelled cancels.
    public func registerDataRepresentation(
        for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all,
        loadHandler: @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
    ) {
        registrations.append(Registration(contentType.identifier, visibility, source: .data(loadHandler)))
    }

    /// Adds a form made of bytes.
    public func registerDataRepresentation(
        forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
    ) {
        registrations.append(Registration(typeIdentifier, visibility, source: .data(loadHandler)))
    }

    /// Adds a form that is a file or folder.
    /// - Parameters:
    ///   - openInPlace: true if a receiver may work on the file itself.
    ///   - loadHandler: calls its handler with the file, a flag for access in a coordinated way
    ///     (which has no meaning here), or an error. Where the file may not be opened in place it has been copied when
    ///     that call returns, and may go.
    public func registerFileRepresentation(
        for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all, openInPlace: Bool = false,
        loadHandler: @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
    ) {
        registrations.append(
            Registration(contentType.identifier, visibility, source: .file(loadHandler, opensInPlace: openInPlace)))
    }

    /// Adds a form that is a file or folder.
    public func registerFileRepresentation(
        forTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = [],
        visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
    ) {
        let opensInPlace = fileOptions.contains(.openInPlace)
        registrations.append(
            Registration(typeIdentifier, visibility, source: .file(loadHandler, opensInPlace: opensInPlace)))
    }
}

// MARK: - Files on disk

extension NSItemProvider {
    /// Makes a provider of a file or folder, and of its URL: the contents by their type, then `public.file-url`, then
    /// `public.url`. Of any other URL it provides the URL alone.
    /// - Parameters:
    ///   - contentType: the type of the contents; nil takes it from the file name.
    ///   - openInPlace: true if a receiver may work on the file itself.
    ///   - coordinated: has no meaning here: files are not coordinated between programs.
    public convenience init(
        contentsOf fileURL: URL, contentType: UTType?, openInPlace: Bool = false, coordinated: Bool = false,
        visibility: NSItemProviderRepresentationVisibility = .all
    ) {
        self.init()
        if fileURL.isFileURL {
            let contentType = contentType ?? fileURL.contentTypeByName
            registerFileRepresentation(for: contentType, visibility: visibility, openInPlace: openInPlace) { done in
                done(fileURL, coordinated, nil)
                return nil
            }
            deriveName(from: fileURL.lastPathComponent, of: contentType, showingExtension: false)
        }
        registerObject(NSURL(fileURL), visibility: visibility)
    }

    /// Makes a provider of a file or folder and of its URL; nil if it does not exist. Receivers may work on the file
    /// itself.
    public convenience init?(contentsOf fileURL: URL!) {
        guard let fileURL, fileURL.isFileURL, FileManager.default.fileExists(atPath: fileURL.path) else { return nil }
        self.init(contentsOf: fileURL, contentType: nil, openInPlace: true)
    }
}

extension NSURL {
    /// The `NSURL` of a URL.
    convenience init(_ url: URL) {
        if url.isFileURL {
            self.init(fileURLWithPath: url.path, isDirectory: url.hasDirectoryPath)
        } else {
            self.init(dataRepresentation: url.dataRepresentation, relativeTo: nil)
        }
    }
}

extension URL {
    /// Type by the file's extension, or by its being a folder.
    fileprivate var contentTypeByName: UTType {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let general: UTType = isFolder.boolValue ? .folder : .data
        guard !pathExtension.isEmpty else { return general }
        let byName = UTType(filenameExtension: pathExtension, conformingTo: isFolder.boolValue ? .directory : .data)
        // An undeclared extension is ignored for folders, whose names may contain dots.
        guard let byName, !isFolder.boolValue || byName.isDeclared else { return general }
        return byName
    }
}
