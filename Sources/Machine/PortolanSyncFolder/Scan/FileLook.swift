import Glibc
import PortolanCrypto
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Reads the state of a file.
struct FileLook: Sendable {
    let storage: any ReadableStorage
    let now: @Sendable () -> FileTime

    private static let bufferBytes = 256 << 10

    enum Outcome: Sendable {
        case known(KnownFile)
        /// The file changed while it was read, or is being written.
        case busy
        /// The database was written to all the time, or a program has to open it first.
        case busyDatabase
        /// The file is missing, or was replaced.
        case gone
        /// The file's mark is not for all who have the folder.
        case marked(Restriction)
    }

    /// Permission bits that members synchronize; read permission of the owner is always set.
    static func attributes(_ mode: UInt16) -> UInt64 { UInt64(mode & 0o777 | 0o400) }

    /// Reads the status and content of a file or link.
    func read(_ name: SyncName, in folder: Descriptor) throws(SystemFailure) -> Outcome {
        do throws(SystemFailure) {
            let status = try storage.status(of: name.text, in: folder)
            switch status.kind {
            case .file:
                let file = try storage.openFile(name.text, in: folder)
                if try isDatabase(file), let outcome = try readDatabase(name.text, in: folder) { return outcome }
                return try read(file)
            case .symbolicLink: return try readLink(name, in: folder, status)
            default: return .gone
            }
        } catch {
            guard [ENOENT, ELOOP, ENXIO].contains(error.number) else { throw error }
            return .gone
        }
    }

    /// Reads the status and content of an open file, once.
    ///
    /// - Parameter mayGrow: true if bytes that are appended meanwhile are left to the next look.
    func read(_ file: Descriptor, mayGrow: Bool = false) throws(SystemFailure) -> Outcome {
        guard let stamp = FileStatusStamp(try storage.status(of: file)), stamp.kind == .file else { return .gone }
        let time = now()
        let digest = try digest(of: file, size: stamp.size, limit: stamp.size)
        let extended = try extended(of: file)
        let after = FileStatusStamp(try storage.status(of: file))
        let hasGrown = mayGrow && (after?.size ?? 0) > stamp.size && after?.mode == stamp.mode
        guard after == stamp || hasGrown else { return .busy }
        return .known(
            KnownFile(
                stamp: stamp, generation: storage.generation(of: file), isRacy: hasGrown || stamp.isRacy(at: time),
                form: ContentForm(digest, attributes: Self.attributes(stamp.mode), extended: extended.attributes),
                lacksAttributes: extended.lacks))
    }

    /// Reads the synchronized extended attributes of a file, and its mark; `lacks` is true if it has others.
    ///
    /// - Throws: an error if they cannot be read, because missing ones would count as removed.
    func extended(of file: Descriptor) throws(SystemFailure) -> (attributes: [ExtendedAttribute], lacks: Bool) {
        let restriction = try StoredVisibility.read(file, by: storage)
        var attributes: [ExtendedAttribute] = []
        if restriction != .everyone { attributes.mark = RestrictionText.bytes(of: restriction) }
        let room = ExtendedAttribute.maximumBytes - attributes.weight
        guard room >= 0 else { throw SystemFailure(E2BIG) }
        let found = SourceAttributes(of: file, by: storage, maximumBytes: room)
        if let trouble = found.trouble { throw trouble }
        let others = found.attributes.prefix(ExtendedAttribute.maximumCount - attributes.count)
            .map { ExtendedAttribute(SyncName($0.name), $0.value) }
        return ((attributes + others).sorted(), found.lacksAttributes || others.count < found.attributes.count)
    }

    /// Reads the attributes of a file by its name; none for a link.
    func extended(
        of name: String, in folder: Descriptor, _ kind: NodeKind
    ) throws(SystemFailure) -> [ExtendedAttribute] {
        guard kind == .file else { return [] }
        return try extended(of: try storage.openFile(name, in: folder)).attributes
    }

    private func readLink(
        _ name: SyncName, in folder: Descriptor, _ status: FileStatus
    ) throws(SystemFailure) -> Outcome {
        guard let stamp = FileStatusStamp(status) else { return .gone }
        let target = try storage.linkTarget(of: name.text, in: folder)
        guard FileStatusStamp(try storage.status(of: name.text, in: folder)) == stamp else { return .busy }
        // A link cannot be written to, only replaced.
        return .known(
            KnownFile(
                stamp: stamp, generation: 0, isRacy: stamp.isRacy(at: now()), form: ContentForm(Self.digest(target))))
    }

    /// - Parameter size: size by the file's status, for the buffer, which costs more than reading a small file; the
    ///   file is read to its end, or to the limit.
    func digest(of file: Descriptor, size: UInt64, limit: UInt64 = .max) throws(SystemFailure) -> ContentDigest {
        var digester = ContentDigester()
        var offset: UInt64 = 0
        while offset < limit {
            let rest = size > offset ? size - offset : 0
            let count = min(UInt64(Self.bufferBytes), rest + 1, limit - offset)
            guard try add(Int(count), of: file, at: &offset, to: &digester) else { break }
        }
        return Self.digest(digester)
    }

    /// Adds a range of a file to a digest. At the end of the file less is added.
    func add(
        _ range: Range<UInt64>, of file: Descriptor, to digester: inout ContentDigester
    ) throws(SystemFailure) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(UInt64(Self.bufferBytes), range.upperBound - offset)
            guard try add(Int(count), of: file, at: &offset, to: &digester) else { return }
        }
    }

    /// - Returns: false at the end of the file.
    private func add(
        _ count: Int, of file: Descriptor, at offset: inout UInt64, to digester: inout ContentDigester
    ) throws(SystemFailure) -> Bool {
        if Task.isCancelled { throw SystemFailure(ECANCELED) }
        let part = try storage.read(file, at: offset, count: count)
        part.withUnsafeBytes { digester.update($0) }
        offset += UInt64(part.count)
        return !part.isEmpty
    }

    static func digest(_ digester: ContentDigester) -> ContentDigest {
        guard let digest = ContentDigest(digester.finalize()) else { preconditionFailure("A digest has 32 bytes") }
        return digest
    }

    static func digest(_ bytes: UnsafeRawBufferPointer) -> ContentDigest { digest(ContentDigester(of: bytes)) }

    static func digest(_ bytes: [UInt8]) -> ContentDigest { bytes.withUnsafeBytes { digest($0) } }
}
