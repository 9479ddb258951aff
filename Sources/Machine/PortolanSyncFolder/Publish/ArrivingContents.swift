import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// Contents of members on their way to the staging folder, each in a part of its own that has its digest as name.
///
/// A part stays when its transfer ends early, and a later transfer sends the rest. A content counts as arrived when all
/// of it has its digest. Calls block, and come from any thread; entries are the numbers of files in one transfer.
package final class ArrivingContents: Sendable {
    private struct State {
        /// Contents that have not arrived, by the names of their entries.
        var wanted: [String: Wanted] = [:]
        var entries: [UInt32: Arriving] = [:]
        var wrong: Set<ContentDigest> = []
        /// Contents that came with other bytes where something here may be the cause.
        var restarted: Set<ContentDigest> = []
        /// Reason why contents could not be stored.
        var failure: String?
        var isStopped = false
    }

    private struct Wanted {
        var content: WantedContent
        var earlier: EarlierVersion?
        /// Blocks of the part that an earlier transfer left.
        var blocks: [Range<UInt64>]
        /// True if the last transfer left other blocks.
        var hasNewPart = false

        /// Notes the blocks of a part, beside which an earlier version is of no use.
        mutating func lookForPart(_ found: [Range<UInt64>]) {
            blocks = found
            if !found.isEmpty { earlier = nil }
        }
    }

    /// Content of an entry.
    private struct Arriving {
        let wanted: Wanted
        let hash: PrefixDigest
        var file: Descriptor?

        var digest: ContentDigest { wanted.content.digest }
    }

    private let control: ControlFolder
    private let look: FileLook
    private let arrived: ArrivedContents
    private let state = Mutex(State())
    private let interruption = StopRequest()

    init(
        _ wanted: [WantedContent], _ control: ControlFolder, _ look: FileLook, _ arrived: ArrivedContents,
        earlierVersion: (ContentBase) -> EarlierVersion?
    ) {
        self.control = control
        self.look = look
        self.arrived = arrived
        for content in wanted where !arrived.has(content.digest) {
            var one = Wanted(content: content, blocks: [])
            if EarlierVersion.sizes ~= content.size { one.earlier = content.base.flatMap(earlierVersion) }
            one.lookForPart(blocks(of: content, hasBase: one.earlier != nil))
            state.withLock { $0.wanted[Self.name(of: content.digest)] = one }
        }
    }

    deinit { beginTransfer() }

    /// Name of the entry that has a content.
    package static func name(of digest: ContentDigest) -> String { Hexadecimal.text(digest.bytes) }

    private var storage: any Storage { control.storage }

    /// Permissions of a part. The execution bit says that it is put together from an earlier version: what is copied
    /// comes faster once more than the rest of the content would come whole.
    private static let modes = (whole: UInt32(0o600), difference: UInt32(0o700))

    /// Blocks of a part that are on the disk, and of use.
    private func blocks(of content: WantedContent, hasBase: Bool) -> [Range<UInt64>] {
        guard let part = try? storage.openFile(ControlFolder.partName(content.digest), in: control.staging),
            let mode = try? storage.status(of: part).mode, !hasBase || mode & 0o100 == 0
        else { return [] }
        return part.data.clamped(to: content.size).blocks(ofFileOf: content.size)
    }

    /// Contents that have not arrived.
    package var missing: [WantedContent] {
        state.withLock { $0.wanted.values.map(\.content).sorted { $0.digest < $1.digest } }
    }

    /// Contents that came with other bytes, and of which nothing is kept.
    package var wrong: Set<ContentDigest> { state.withLock(\.wrong) }

    /// Takes the contents that another transfer may bring whole, since a part or an earlier version here was wrong.
    package func takeRestarted() -> [WantedContent] {
        state.withLock { state in
            defer { state.restarted = [] }
            return state.wanted.values.map(\.content).filter { state.restarted.contains($0.digest) }
        }
    }

    /// Reason why contents could not be stored; nil for none.
    package var failure: String? {
        get { state.withLock(\.failure) }
        set { state.withLock { $0.failure = newValue } }
    }

    /// True if a part or an earlier version is here of any content that has not arrived.
    package var hasParts: Bool {
        state.withLock { $0.wanted.values.contains { !$0.blocks.isEmpty || $0.hasNewPart || $0.earlier != nil } }
    }

    /// True if nothing more is to come.
    package var isStopped: Bool { state.withLock(\.isStopped) }

    /// Stops the transfer at its next step.
    package func stop() {
        interruption.request()
        state.withLock { $0.isStopped = true }
    }

    /// Begins another transfer of what has not arrived.
    package func beginTransfer() {
        for entry in state.withLock({ Array($0.entries.keys) }) { leaveOut(entry) }
    }

    // MARK: Entries of a transfer

    /// - Parameters:
    ///   - name: name of the entry; from a peer.
    ///   - size: in bytes; nil if it is not known.
    package func add(_ entry: UInt32, named name: String, size: UInt64?) throws(FileError) -> ContentNeed {
        let wanted = state.withLock { state in
            state.wanted[name].flatMap { $0.content.size == size ? $0 : nil }
        }
        guard var wanted, arrived.begin(wanted.content.digest) else { return .nothing }
        if wanted.hasNewPart {
            wanted.lookForPart(blocks(of: wanted.content, hasBase: wanted.earlier != nil))
        }
        state.withLock { [wanted] in $0.entries[entry] = Arriving(wanted: wanted, hash: PrefixDigest(look)) }
        if !wanted.blocks.isEmpty { return .compare(blocks: wanted.blocks) }
        return wanted.earlier == nil ? .content : .difference
    }

    /// Takes a whole content.
    package func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard let digest = arriving(entry)?.digest else { return }
        guard FileLook.digest(bytes) == digest else { return drop(entry, digest) }
        try write(entry, at: 0, bytes)
        end(entry, digest)
    }

    package func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try change(entry) { file, hash throws(SystemFailure) in
            try storage.write(bytes, to: file, at: offset)
            try hash.wrote(offset..<offset + UInt64(bytes.count), to: file)
        }
    }

    package func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws(FileError) {
        try change(entry) { file, hash throws(SystemFailure) in
            // A part of an earlier transfer may have bytes there.
            let size = try storage.status(of: file).size
            if offset < size { try storage.clear(offset..<min(size, offset + length), of: file) }
            // Bytes beyond the end are zeros only when more is written behind them.
            try hash.wrote(offset..<min(max(size, offset), offset + length), to: file)
        }
    }

    /// Copies a part of the earlier version.
    package func copy(
        _ entry: UInt32, from start: UInt64, to offset: UInt64, length: UInt64
    ) throws(FileError) {
        guard let earlier = arriving(entry)?.wanted.earlier, earlier.isUnchanged else {
            throw FileError(.changedHere, "An earlier version was changed while the next one came.")
        }
        try change(entry) { file, hash throws(SystemFailure) in
            try ContentCopy(to: file, by: storage, interruption: interruption)
                .copy(earlier.file, start..<start + length, to: file, at: offset)
            try hash.wrote(offset..<offset + length, to: file)
        }
    }

    /// Earlier version of a file that comes by its difference.
    package func base(of entry: UInt32) -> BaseFile? { arriving(entry)?.wanted.earlier?.base }

    /// Digest of a block of a part that an earlier transfer left.
    package func digest(_ entry: UInt32, block: UInt64) throws(FileError) -> [UInt8]? {
        guard let one = arriving(entry) else { return nil }
        var found: [UInt8]?
        try change(entry) { file, _ throws(SystemFailure) in
            found = file.digest(ofBlock: block, inFileOf: one.wanted.content.size)
        }
        return found
    }

    /// Ends a file of which all bytes have come.
    package func finish(_ entry: UInt32) throws(FileError) {
        guard let one = arriving(entry) else { return }
        let size = one.wanted.content.size
        var isRight = false
        try change(entry) { file, hash throws(SystemFailure) in
            if try storage.status(of: file).size != size { try storage.resize(file, to: size) }
            isRight = try hash.digest(of: file, size: size) == one.digest
        }
        if isRight { end(entry, one.digest) } else { drop(entry, one.digest) }
    }

    /// Ends a file that the member could not read to its end. Its part stays.
    package func leaveOut(_ entry: UInt32) {
        let digest = state.withLock { state -> ContentDigest? in
            guard let one = state.entries.removeValue(forKey: entry) else { return nil }
            if one.file != nil { state.wanted[Self.name(of: one.digest)]?.hasNewPart = true }
            return one.digest
        }
        if let digest { arrived.end(digest, isWhole: false) }
    }

    // MARK: Parts

    private func arriving(_ entry: UInt32) -> Arriving? { state.withLock { $0.entries[entry] } }

    /// Runs a step on the file of an entry; nothing for an entry that is not wanted.
    private func change(
        _ entry: UInt32, _ body: (Descriptor, PrefixDigest) throws(SystemFailure) -> Void
    ) throws(FileError) {
        try FileError.whileStoring(DisplayText("a content of a folder")) { () throws(SystemFailure) in
            guard let (file, hash) = try file(of: entry) else { return }
            try body(file, hash)
        }
    }

    private func file(of entry: UInt32) throws(SystemFailure) -> (Descriptor, PrefixDigest)? {
        try state.withLock { state throws(SystemFailure) in
            guard let one = state.entries[entry] else { return nil }
            if let file = one.file { return (file, one.hash) }
            let name = ControlFolder.partName(one.digest)
            // A synchronization removes a part that it does not want any more.
            var file = one.wanted.blocks.isEmpty ? nil : try? storage.reopenFile(name, in: control.staging)
            if file == nil {
                try storage.removeIfPresent(name, in: control.staging)
                let mode = one.wanted.earlier == nil ? Self.modes.whole : Self.modes.difference
                file = try storage.makeFile(name, in: control.staging, mode: mode)
            }
            state.entries[entry]?.file = file
            return file.map { ($0, one.hash) }
        }
    }

    private func end(_ entry: UInt32, _ digest: ContentDigest) {
        state.withLock { state in
            state.entries[entry] = nil
            state.wanted[Self.name(of: digest)] = nil
            state.wrong.remove(digest)
        }
        arrived.end(digest, isWhole: true)
    }

    /// Drops a content with other bytes. Another transfer begins it anew, without what is here.
    private func drop(_ entry: UInt32, _ digest: ContentDigest) {
        try? storage.removeIfPresent(ControlFolder.partName(digest), in: control.staging)
        state.withLock { state in
            guard let wanted = state.entries.removeValue(forKey: entry)?.wanted else { return }
            // A wrong base, or a damaged part, may be the cause.
            if wanted.blocks.isEmpty, wanted.earlier == nil {
                state.wrong.insert(digest)
            } else {
                state.restarted.insert(digest)
            }
            state.wanted[Self.name(of: digest)] = Wanted(content: wanted.content, blocks: [])
        }
        arrived.end(digest, isWhole: false)
    }
}

/// Contents in the staging folder: a part has one user at a time, and one that has arrived whole is not written to.
final class ArrivedContents: Sendable {
    private let state = Mutex((used: Set<ContentDigest>(), whole: Set<ContentDigest>()))

    /// True if a content has arrived whole, and no step has taken it.
    func has(_ digest: ContentDigest) -> Bool { state.withLock { $0.whole.contains(digest) } }

    /// Begins to write a part, until ``end(_:isWhole:)``.
    ///
    /// - Returns: false if another user has the part, or it is whole.
    func begin(_ digest: ContentDigest) -> Bool {
        state.withLock { !$0.whole.contains(digest) && $0.used.insert(digest).inserted }
    }

    /// Takes a content that has arrived whole, until ``end(_:isWhole:)``.
    ///
    /// - Returns: false if it has not arrived.
    func take(_ digest: ContentDigest) -> Bool {
        state.withLock { state in
            guard state.whole.remove(digest) != nil else { return false }
            state.used.insert(digest)
            return true
        }
    }

    func end(_ digest: ContentDigest, isWhole: Bool) {
        state.withLock { state in
            state.used.remove(digest)
            if isWhole { state.whole.insert(digest) }
        }
    }
}
