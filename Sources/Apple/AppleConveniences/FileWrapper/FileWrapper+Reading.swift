extension FileWrapper {
    /// Reads the item at a place into this wrapper, in place of its former content.
    /// - Throws: `CocoaError` for an item that cannot be read, and for pipes, sockets and devices; the wrapper is
    ///   unchanged then.
    public func read(from url: URL, options: ReadingOptions = []) throws {
        guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
        content = try Self.content(at: url, options)
        filename = url.lastPathComponent
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        fileAttributes = Dictionary(uniqueKeysWithValues: attributes.map { ($0.key.rawValue, $0.value) })
    }

    /// True if the item at a place is equal: kind, names and contents, with all its descendants. Files with an
    /// unchanged stamp are not read.
    public func matchesContents(of url: URL) -> Bool {
        guard let stamp = try? FileStamp(of: url) else { return false }
        switch content {
        case .directory(let children):
            guard stamp.kind == .directory,
                let names = try? FileManager.default.contentsOfDirectory(atPath: url.path),
                names.count == children.count
            else { return false }
            return children.allSatisfy { name, child in
                Self.isFileName(name) && child.matchesContents(of: url.appendingPathComponent(name))
            }
        case .regularFile(let file):
            guard stamp.kind == .regularFile else { return false }
            if case .unread(_, stamp) = file { return true }
            guard let expected = try? file.read(), stamp.size == expected.count else { return false }
            return (try? Data(contentsOf: url)) == expected
        case .symbolicLink(let destination):
            return stamp.kind == .symbolicLink
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) == destination.relativePath
        }
    }

    /// True if a folder can have a child of this name.
    static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
    }

    private static func content(at url: URL, _ options: ReadingOptions) throws -> Content {
        let stamp = try FileStamp(of: url)
        switch stamp.kind {
        case .directory:
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            var children: [String: FileWrapper] = [:]
            for name in names {
                let child = try FileWrapper(url: url.appendingPathComponent(name), options: options)
                // Two file names with different bytes for the same letters are equal as strings.
                guard children.updateValue(child, forKey: name) == nil else {
                    throw unreadable(url, "holds two names that are equal as text: \(name.debugDescription)")
                }
            }
            return .directory(children)
        case .regularFile:
            let file = RegularFile.unread(url, stamp)
            return .regularFile(options.contains(.immediate) ? .bytes(try file.read()) : file)
        case .symbolicLink:
            let destination = try FileManager.default.destinationOfSymbolicLink(atPath: url.path)
            return .symbolicLink(
                URL(fileURLWithPath: destination, relativeTo: url.deletingLastPathComponent()))
        case .other:
            throw unreadable(url, "is no file, folder or symbolic link")
        }
    }
}
