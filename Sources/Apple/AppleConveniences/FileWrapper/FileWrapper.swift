/// A file, a folder with its contents, or a symbolic link; documents are built from such wrappers.
///
/// A folder is listed when it is read; the contents of its files are read on first use, and copied without reading if
/// they are only written elsewhere. Names of the children are keys and not paths: a key that is no file name is
/// rejected when the folder is written.
///
/// Absent: the serialised and archived forms, which are not publicly described.
open class FileWrapper: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Reads the contents of files at once and not on first use.
        public static let immediate = ReadingOptions(rawValue: 1)
        /// Reads the contents of files into memory and does not map them. Always in effect here: a mapped file that
        /// another program shortens ends the process that reads it.
        public static let withoutMapping = ReadingOptions(rawValue: 2)
    }

    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Keeps the existing item until the new one is complete. Always in effect here.
        public static let atomic = WritingOptions(rawValue: 1)
        /// Sets ``FileWrapper/filename`` of every wrapper written to the name it was written under.
        public static let withNameUpdating = WritingOptions(rawValue: 2)
    }

    var content: Content

    /// Name on disk, at the place of the last read or write; nil before that.
    open var filename: String?

    /// Preferred name as a child. A change does not affect the key that a parent gave.
    open var preferredFilename: String?

    /// Attributes by the raw values of `FileAttributeKey`. Permissions and modification date are applied when the
    /// wrapper is written.
    open var fileAttributes: [String: Any] = [:]

    /// Reads the item at a place. A symbolic link is not followed.
    /// - Throws: `CocoaError` for an item that cannot be read, and for pipes, sockets and devices.
    public init(url: URL, options: ReadingOptions = []) throws {
        content = .directory([:])
        super.init()
        try read(from: url, options: options)
        preferredFilename = filename
    }

    /// A folder. A child without a preferred name is called by its key.
    public init(directoryWithFileWrappers childrenByPreferredName: [String: FileWrapper]) {
        for (name, child) in childrenByPreferredName where child.preferredFilename?.isEmpty ?? true {
            child.preferredFilename = name
        }
        content = .directory(childrenByPreferredName)
    }

    /// A file with these bytes.
    public init(regularFileWithContents contents: Data) {
        content = .regularFile(.bytes(contents))
    }

    /// A symbolic link to this place; a relative URL makes a relative link.
    public init(symbolicLinkWithDestinationURL url: URL) {
        content = .symbolicLink(url)
    }

    // MARK: - Kind

    open var isDirectory: Bool {
        if case .directory = content { true } else { false }
    }

    open var isRegularFile: Bool {
        if case .regularFile = content { true } else { false }
    }

    open var isSymbolicLink: Bool {
        if case .symbolicLink = content { true } else { false }
    }

    /// Bytes of a file. Nil for other kinds, and for a file that was changed or removed since it was listed.
    open var regularFileContents: Data? {
        guard case .regularFile(let file) = content else { return nil }
        guard let bytes = try? file.read() else { return nil }
        content = .regularFile(.bytes(bytes))
        return bytes
    }

    /// Target of a symbolic link.
    open var symbolicLinkDestinationURL: URL? {
        if case .symbolicLink(let destination) = content { destination } else { nil }
    }

    // MARK: - Children

    /// Children of a folder by key; nil for other kinds.
    open var fileWrappers: [String: FileWrapper]? {
        if case .directory(let children) = content { children } else { nil }
    }

    /// Adds a child to this folder.
    /// - Parameter child: A wrapper that has a preferred name, and does not contain this folder.
    /// - Returns: Its key: the preferred name, or that with a number if another child has it. An existing child keeps
    ///   its key.
    @discardableResult
    open func addFileWrapper(_ child: FileWrapper) -> String {
        guard case .directory(var children) = content else {
            preconditionFailure("Only a folder has children.")
        }
        guard let name = child.preferredFilename, !name.isEmpty else {
            preconditionFailure("A child of a folder has a preferred name.")
        }
        precondition(!child.contains(self), "A folder cannot be in itself.")
        if let key = keyForChildFileWrapper(child) { return key }
        let key = Self.key(for: name, among: children)
        children[key] = child
        content = .directory(children)
        return key
    }

    /// Adds a file to this folder.
    /// - Returns: Its key, as from ``addFileWrapper(_:)``.
    @discardableResult
    open func addRegularFile(withContents data: Data, preferredFilename fileName: String) -> String {
        let child = FileWrapper(regularFileWithContents: data)
        child.preferredFilename = fileName
        return addFileWrapper(child)
    }

    /// Removes a child from this folder, if it is one.
    open func removeFileWrapper(_ child: FileWrapper) {
        guard case .directory(var children) = content else {
            preconditionFailure("Only a folder has children.")
        }
        guard let key = keyForChildFileWrapper(child) else { return }
        children[key] = nil
        content = .directory(children)
    }

    /// The key of a child in this folder; nil if it is not in it.
    open func keyForChildFileWrapper(_ child: FileWrapper) -> String? {
        fileWrappers?.first { $0.value === child }?.key
    }

    private func contains(_ other: FileWrapper) -> Bool {
        self === other || (fileWrappers?.values.contains { $0.contains(other) } ?? false)
    }

    /// `note.txt`, or `note 2.txt` if that is taken, and so on.
    private static func key(for name: String, among children: [String: FileWrapper]) -> String {
        guard children[name] != nil else { return name }
        let stem = NSString(string: name).deletingPathExtension
        let filenameExtension = NSString(string: name).pathExtension
        let suffix = filenameExtension.isEmpty ? "" : "." + filenameExtension
        return (2...).lazy.map { "\(stem) \($0)\(suffix)" }.first { children[$0] == nil }!
    }
}
