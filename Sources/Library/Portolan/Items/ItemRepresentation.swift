import Glibc
import PortolanFiles
import PortolanTransport

/// Form of an item.
public struct ItemRepresentation: Sendable {
    /// Source of the bytes, used once a peer has taken the representation.
    package enum Content: Sendable {
        case bytes(@Sendable () async throws -> Data)
        /// A file or folder on disk.
        case file(@Sendable () async throws -> SentTransferredFile)
        case stream(CInt)
    }

    public var contentType: UTType
    /// Requested restriction. The stored restriction of a received file is never widened by it.
    public var requested: RequestedRestriction
    /// The name, with extension, under which a receiver may store it.
    public var suggestedName: String?
    /// Bytes of content without holes, if known before it is produced. A receiver accepts this size, and no more is
    /// sent.
    public var size: UInt64?
    /// Bytes including holes, at least ``size``; nil if equal to it.
    public var apparentSize: UInt64?
    public var isFolder: Bool
    /// Restriction that is stored with the source file.
    public internal(set) var kept: Restriction
    package let content: Content

    /// Path of the source file or folder, if it is permanent, so that another process can send it, too.
    private(set) var sourcePath: String?
    /// The file or folder at the time of sharing; nil for content that is looked up by its path when it is sent.
    private(set) var held: HeldSource?
    /// Sample of the file when it was measured, so that it may grow before it is sent.
    private(set) var sample: FileSample?
    /// Bytes that it is, if they are in memory.
    private(set) var heldData: Data?

    package init(
        contentType: UTType, requested: RequestedRestriction = .level(.all), suggestedName: String? = nil,
        size: UInt64? = nil, isFolder: Bool = false, keptFor kept: Restriction = .everyone, content: Content
    ) {
        self.contentType = contentType
        self.requested = requested
        self.suggestedName = suggestedName
        self.size = size
        self.isFolder = isFolder
        self.kept = kept
        self.content = content
    }

    /// A file or folder on disk, read when it is sent.
    ///
    /// A file that was received for a team or group keeps that restriction, whatever `visibility` says.
    /// - Parameter contentType: nil derives it from the file name.
    /// - Throws: `NodeError` when nothing is there or it cannot be read.
    public static func file(
        at path: String, contentType: UTType? = nil, visibility: Visibility = .all
    ) async throws -> ItemRepresentation {
        try await withBlockingThread { try file(at: path, contentType: contentType, requested: .level(visibility)) }
    }

    /// Makes the representation that ``file(at:contentType:visibility:)`` makes, on the calling thread and with any
    /// restriction. May block.
    static func file(
        at path: String, contentType: UTType?, requested: RequestedRestriction
    ) throws(NodeError) -> ItemRepresentation {
        var status = stat()
        guard stat(path.pathBytes, &status) == 0 else {
            throw NodeError(.noInput, "“\(DisplayText(path))” cannot be sent: \(String(cString: strerror(errno))).")
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard isFolder || status.st_mode & S_IFMT == S_IFREG else {
            throw NodeError(
                .noInput,
                "“\(DisplayText(path))” is neither a file nor a folder; what comes out of a pipe is sent with “-”.")
        }
        let name = SourceTree.name(of: path).text
        let kept = try translating(StoredVisibility.read(path)) { (error: any Error) in
            NodeError(.noInput, "\(error)")
        }
        // A file that cannot be read fails when it is sent.
        let sizes = isFolder ? nil : try? SourceTree.sizes(ofFileAt: path)
        let apparent = isFolder ? nil : sizes?.apparent ?? UInt64(clamping: status.st_size)
        var representation = ItemRepresentation(
            contentType: contentType ?? UTType.type(ofItemNamed: name, mode: status.st_mode) ?? .data,
            requested: requested, suggestedName: name,
            size: sizes?.content ?? apparent,
            isFolder: isFolder, keptFor: kept,
            content: .file { SentTransferredFile(URL(fileURLWithPath: path), allowAccessingOriginalFile: true) })
        representation.apparentSize = apparent
        representation.sample = sizes?.sample
        representation.sourcePath = path
        return representation
    }

    /// Makes a representation of a file or folder that was shared before, by this process or another. ``refreshed()``
    /// reads its sizes.
    ///
    /// - Parameter path: its actual path.
    static func held(
        _ held: HeldSource, at path: String, contentType: UTType, requested: RequestedRestriction,
        suggestedName: String?
    ) -> ItemRepresentation {
        var representation = ItemRepresentation(
            contentType: contentType, requested: requested, suggestedName: suggestedName, isFolder: held.isFolder,
            content: .file { SentTransferredFile(URL(fileURLWithPath: path), allowAccessingOriginalFile: true) })
        representation.sourcePath = path
        representation.held = held
        return representation
    }

    public static func data(
        _ bytes: Data, contentType: UTType, visibility: Visibility = .all, suggestedName: String? = nil
    ) -> ItemRepresentation {
        data(bytes, contentType: contentType, requested: .level(visibility), suggestedName: suggestedName)
    }

    /// Makes the representation that ``data(_:contentType:visibility:suggestedName:)`` makes, with any restriction.
    static func data(
        _ bytes: Data, contentType: UTType, requested: RequestedRestriction, suggestedName: String?
    ) -> ItemRepresentation {
        var representation = ItemRepresentation(
            contentType: contentType, requested: requested, suggestedName: suggestedName, size: UInt64(bytes.count),
            content: .bytes { bytes })
        representation.heldData = bytes
        return representation
    }
}

extension ItemRepresentation {
    /// A value's representation as its type declares it.
    init(_ exported: ExportableRepresentation) {
        self.init(
            contentType: exported.contentType, requested: .level(Visibility(exported.visibility)),
            suggestedName: exported.suggestedFileName,
            isFolder: exported.isFile && exported.contentType.conforms(to: .directory),
            content: exported.isFile
                ? .file { try await exported.exportFile() }
                : .bytes { try await exported.exportData() })
    }
}

extension Visibility {
    /// Maps Apple's visibility to the level of the same meaning.
    package init(_ visibility: TransferRepresentationVisibility) {
        self =
            switch visibility {
            case .all: .all
            case .team: .team
            case .group: .group
            default: .ownProcess
            }
    }
}

extension ItemRepresentation {
    /// Returns the file or folder that it is, for sending.
    func storedContent(without own: OwnFiles) -> OfferedContent? {
        sourcePath.map { .file(path: $0, on: .local(holding: held, without: own), sample: sample) }
    }

    /// Returns a copy that is bound to the file or folder at which the path leads now. May block.
    func holding() throws(FileError) -> ItemRepresentation {
        var representation = self
        representation.held = try sourcePath.map { path throws(FileError) in try HeldSource(path: path) }
        return representation
    }

    /// Returns a copy that is bound to a file or folder as it was before.
    func holding(_ source: HeldSource) -> ItemRepresentation {
        var representation = self
        representation.held = source
        return representation
    }

    /// Returns a copy with the current size and restriction of its file. An unreadable file fails only when it is sent.
    /// May block.
    ///
    /// - Throws: `FileError` if the file was replaced since it was shared, or no descriptor is left.
    func refreshed() throws(FileError) -> ItemRepresentation {
        guard let held else { return self }
        let look: HeldSource.Look
        do throws(FileError) {
            look = try held.look()
        } catch {
            if error.kind == .sourceChanged || error.kind == .tooManyOpenFiles { throw error }
            return self
        }
        var fresh = self
        fresh.size = look.contentSize
        fresh.apparentSize = look.size
        fresh.sample = look.sample
        fresh.kept = look.restriction
        return fresh
    }

    /// Returns the content for an importer in this process.
    ///
    /// - Throws: errors of the exporter, `NodeError` for a stream.
    package func payload() async throws -> ImportedPayload {
        switch content {
        case .bytes(let produce): return .data(try await produce())
        case .file(let produce): return ImportedPayload(.file(try await produce()))
        case .stream: throw NodeError(.badInput, "What is read from a stream can be sent, and not pasted.")
        }
    }
}

extension ExportableRepresentation {
    fileprivate func exportData() async throws -> Data {
        guard case .data(let data) = try await export() else {
            preconditionFailure("A data representation exports bytes.")
        }
        return data
    }

    fileprivate func exportFile() async throws -> SentTransferredFile {
        guard case .file(let sent) = try await export() else {
            preconditionFailure("A file representation exports a file.")
        }
        return sent
    }
}
