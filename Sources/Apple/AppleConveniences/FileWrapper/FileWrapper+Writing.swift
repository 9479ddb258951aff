extension FileWrapper {
    /// Writes the content to a place, and replaces an existing item.
    ///
    /// The content is written beside the place first and then exchanged with the existing item, in one step where the
    /// file system supports it. After a failure the existing item is still there.
    /// - Parameter originalContentsURL: Place of an earlier version, which saves work on Apple's systems. Ignored here.
    /// - Throws: `CocoaError`: a name of a child that is no file name, a file that was changed since it was listed,
    ///   and errors of the disk.
    public func write(to url: URL, options: WritingOptions = [], originalContentsURL: URL?) throws {
        guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
        let staging = url.deletingLastPathComponent().appendingPathComponent(
            ".\(UUID().uuidString).partial", isDirectory: false)
        // After the exchange the staging item is the former one; after a failure it is the incomplete new one.
        defer { try? FileManager.default.removeItem(at: staging) }
        try create(at: staging)
        try Self.exchange(staging, with: url)
        settle(at: url, updatingNames: options.contains(.withNameUpdating))
    }

    private func create(at url: URL) throws {
        switch content {
        case .directory(let children):
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            for (name, child) in children {
                guard Self.isFileName(name) else {
                    throw CocoaError(
                        .fileWriteInvalidFileName,
                        userInfo: [NSLocalizedDescriptionKey: "\(name.debugDescription) is no name for a file."])
                }
                try child.create(at: url.appendingPathComponent(name, isDirectory: false))
            }
        case .regularFile(.bytes(let data)):
            try data.write(to: url, options: .withoutOverwriting)
        case .regularFile(.unread(let source, let stamp)):
            guard try FileStamp(of: source) == stamp else { throw Self.changed(source) }
            try FileManager.default.copyItem(at: source, to: url)
            guard try FileStamp(of: source) == stamp else { throw Self.changed(source) }
        case .symbolicLink(let destination):
            try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination.relativePath)
            return
        }
        // The attributes of a folder are set after its contents, whose creation changes its date.
        try applyAttributes(to: url)
    }

    private func applyAttributes(to url: URL) throws {
        var attributes: [FileAttributeKey: Any] = [:]
        if let permissions = fileAttributes[FileAttributeKey.posixPermissions.rawValue] as? NSNumber {
            // Permissions of user, group and others, without set-user-ID and set-group-ID.
            attributes[.posixPermissions] = NSNumber(value: permissions.intValue & 0o777)
        }
        attributes[.modificationDate] = fileAttributes[FileAttributeKey.modificationDate.rawValue] as? Date
        if !attributes.isEmpty { try FileManager.default.setAttributes(attributes, ofItemAtPath: url.path) }
    }

    /// Exchanges the items at `staging` and `url`; afterwards the former item, if any, is at `staging`.
    private static func exchange(_ staging: URL, with url: URL) throws {
        if renameExchanging(staging, url) { return }
        // There is no item at the place, or the file system cannot exchange: `rename` still replaces a file by a file
        // in one step.
        if rename(staging.path, url.path) == 0 { return }
        let aside = staging.appendingPathExtension("old")
        try FileManager.default.moveItem(at: url, to: aside)
        do {
            try FileManager.default.moveItem(at: staging, to: url)
        } catch {
            try? FileManager.default.moveItem(at: aside, to: url)
            throw error
        }
        try FileManager.default.moveItem(at: aside, to: staging)
    }

    /// Calls renameat2(2), which the C library's module does not show to Swift.
    private static func renameExchanging(_ one: URL, _ other: URL) -> Bool {
        typealias ExchangeFunction =
            @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
        guard let symbol = dlsym(nil, "renameat2") else { return false }
        let exchange: CUnsignedInt = 2
        // renameat2(2) has this signature in every C library that has it.
        return unsafeBitCast(symbol, to: ExchangeFunction.self)(AT_FDCWD, one.path, AT_FDCWD, other.path, exchange) == 0
    }

    /// Content that was not read yet is read from the new place, because its former place may have been replaced.
    private func settle(at url: URL, updatingNames: Bool) {
        if updatingNames { filename = url.lastPathComponent }
        switch content {
        case .directory(let children):
            for (name, child) in children {
                child.settle(at: url.appendingPathComponent(name), updatingNames: updatingNames)
            }
        case .regularFile(.unread):
            guard let stamp = try? FileStamp(of: url) else { return }
            content = .regularFile(.unread(url, stamp))
        case .regularFile(.bytes), .symbolicLink:
            break
        }
    }
}
