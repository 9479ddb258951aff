import Glibc
import PortolanFiles

/// Objects, which go from device to device as packs that git makes and checks.
extension RepositoryExchange {
    /// Most bytes of a file that has several packs; a larger pack has a file of its own.
    private static let mostOfFrames: UInt64 = 256 << 10
    /// Bytes of a pack without objects.
    private static func emptyPack(_ format: ObjectFormat) -> UInt64 { format == .sha1 ? 32 : 44 }
    private static let packName = "pack"
    /// Objects of a pack from which on git keeps it as one.
    private static let fewObjects: UInt32 = 100
    /// Faults of old objects that git itself lets pass.
    private static let strict =
        "--strict="
        + [
            "zeroPaddedFilemode", "missingSpaceBeforeDate", "badTimezone", "missingNameBeforeEmail", "zeroPaddedDate",
        ].map { "\($0)=ignore" }.joined(separator: ",")

    // MARK: Telling

    /// Writes for others what has changed: objects first.
    mutating func tell() throws(RepositoryRefusal) {
        guard memory.told != nil || !own.values.isEmpty else { return }
        forgetDeleted()
        if own.text == memory.told { return }
        try writeObjects()
        let text = own.text
        guard text.utf8.count <= RepositoryState.maximumBytes else { throw .program("It has too many references.") }
        try memory.tell(text, in: folder)
        let names = [RepositoryFolder.name, RepositoryFolder.shared, memory.writer.text]
        outcome.folders = (0...names.count).map { Array(names.prefix($0)) }
    }

    /// Forgets deleted references that no device has any more.
    private mutating func forgetDeleted() {
        let gone = own.refs.filter { $0.value.value == nil }.keys
        guard !gone.isEmpty, let writers = try? folder.writers() else { return }
        let others = writers.filter { $0 != memory.writer }.map { folder.state(of: $0) }
        for name in gone where others.allSatisfy({ $0 != nil && $0?.refs[name]?.value == nil }) {
            own.refs[name] = nil
        }
    }

    /// Packs the objects that no device has told yet.
    private mutating func writeObjects() throws(RepositoryRefusal) {
        var known = memory.told.flatMap { RepositoryState($0) }.map { own.files.isEmpty ? [] : $0.values } ?? []
        for writer in try folder.writers() where writer != memory.writer {
            // Objects that are not all here yet cannot be left out.
            guard let state = folder.state(of: writer), holdsAll(state, of: writer) else { continue }
            known.formUnion(state.values)
        }
        let wanted = own.values.subtracting(known)
        guard !wanted.isEmpty else { return }
        let present = try present(known)
        let names = wanted.map(\.text).sorted() + present.map { "^\($0.text)" }.sorted()
        let local = try folder.disk { () throws(SystemFailure) in
            let local = try folder.local()
            try storage.removeIfPresent(Self.packName, in: local)
            return local
        }
        let pack = try folder.disk { () throws(SystemFailure) in
            try storage.makeFile(Self.packName, in: local, mode: 0o666)
        }
        try git.run(
            ["pack-objects", "-q", "--revs", "--stdout", "--delta-base-offset"],
            input: git.lines(names), output: pack
        ).check()
        try folder.disk { () throws(SystemFailure) in
            let bytes = try storage.status(of: pack).size
            if bytes > Self.emptyPack(own.format) { try keep(pack, bytes, local) }
            try storage.removeIfPresent(Self.packName, in: local)
        }
    }

    /// True if all objects that a writer tells of are in the repository.
    private func holdsAll(_ state: RepositoryState, of writer: WriterID) -> Bool {
        state.files.allSatisfy { memory.taken($0, of: writer) >= $0.bytes }
    }

    private mutating func keep(_ pack: Descriptor, _ bytes: UInt64, _ local: Descriptor) throws(SystemFailure) {
        let shared = try folder.folder(of: memory.writer, makes: true)
        let number = (own.files.map(\.number).max() ?? 0) + 1
        if bytes > Self.mostOfFrames {
            let file = ObjectFile(kind: .pack, number: number, bytes: bytes)
            try storage.sync(pack)
            try storage.move(Self.packName, in: local, to: file.name, in: shared, .replacing)
            own.files.append(file)
        } else {
            var file = ObjectFile(kind: .frames, number: number, bytes: 0)
            if let last = own.files.last, last.kind == .frames, last.bytes + bytes <= Self.mostOfFrames {
                file = last
                own.files.removeLast()
            } else {
                try storage.removeIfPresent(file.name, in: shared)
            }
            let frames =
                file.bytes == 0
                ? try storage.makeFile(file.name, in: shared, mode: 0o666)
                : try storage.reopenFile(file.name, in: shared)
            // Bytes beyond those that were told are of a run that did not come to its end.
            try storage.resize(frames, to: file.bytes)
            try storage.write(bytes.bigEndianBytes, to: frames, at: file.bytes)
            try storage.copy(0..<bytes, of: pack, to: frames, at: file.bytes + 8)
            try storage.sync(frames)
            file.bytes += 8 + bytes
            own.files.append(file)
        }
        try storage.sync(shared)
    }

    /// Returns those of some objects that are here.
    private func present(_ names: Set<ObjectName>) throws(RepositoryRefusal) -> [ObjectName] {
        guard !names.isEmpty else { return [] }
        let found = try git.run(
            ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
            input: git.lines(names.map(\.text)))
        try found.check()
        return found.text.split(separator: "\n").compactMap { line in
            line.hasSuffix(" missing") ? nil : ObjectName(line.prefix { $0 != " " })
        }
    }

    // MARK: Taking

    /// Brings the objects of another device into the repository, and looks if all that it names is there.
    mutating func takeObjects(of other: RepositoryState, _ writer: WriterID) throws(RepositoryRefusal) {
        try takePacks(of: other, writer)
        let needed = needed(of: other)
        if try isConnected(needed) { return }
        // Git may have collected, as garbage, what others took for known. No state is a reason for that twice.
        guard !memory.lacking.isSuperset(of: needed) else { throw .incomplete }
        memory.takeAgain()
        for writer in try folder.writers() where writer != memory.writer {
            if let state = folder.state(of: writer) { try? takePacks(of: state, writer) }
        }
        try takePacks(of: own, memory.writer)
        guard try isConnected(needed) else {
            memory.lacking = needed
            throw .incomplete
        }
    }

    /// Objects of another device's state that may come to be here. Of what this device has passed, git may have
    /// collected the objects.
    private func needed(of other: RepositoryState) -> Set<ObjectName> {
        var names = Set(other.refs.filter { isNeeded($0.value, own.refs[$0.key]) }.compactMap(\.value.value))
        if let head = other.head, isNeeded(head, own.head), let commit = other.headCommit { names.insert(commit) }
        if let index = other.index, isNeeded(index, own.index) { names.insert(index.value) }
        return names
    }

    /// False for a value that this device has, or had and changed.
    func isNeeded<Value>(_ theirs: Versioned<Value>, _ ours: Versioned<Value>?) -> Bool {
        guard let ours else { return true }
        return ours.value != theirs.value
            && (ours.version == theirs.version || !ours.version.covers(theirs.version))
    }

    private mutating func takePacks(of other: RepositoryState, _ writer: WriterID) throws(RepositoryRefusal) {
        for file in other.files {
            let taken = memory.taken(file, of: writer)
            guard taken < file.bytes else { continue }
            guard let shared = try? folder.folder(of: writer),
                let content = try? storage.openFile(file.name, in: shared),
                let size = try? storage.status(of: content).size, size >= file.bytes
            else { throw .incomplete }
            switch file.kind {
            case .pack:
                try takePack(content, at: 0)
                memory.take(file, of: writer, upTo: file.bytes)
            case .frames:
                var place = taken
                while place < file.bytes {
                    let start = place
                    let length = try folder.disk { () throws(SystemFailure) in
                        UInt64(bigEndian: try storage.read(content, at: start, count: 8))
                    }
                    guard let length, length <= file.bytes - place - min(8, file.bytes - place) else {
                        throw .incomplete
                    }
                    try takePack(content, at: place + 8)
                    place += 8 + length
                    memory.take(file, of: writer, upTo: place)
                }
            }
        }
    }

    /// Gives a pack to git, which checks each object and stores it.
    private func takePack(_ file: Descriptor, at offset: UInt64) throws(RepositoryRefusal) {
        let header = try folder.disk { () throws(SystemFailure) in try storage.read(file, at: offset, count: 12) }
        guard header.count == 12, header.prefix(4).elementsEqual("PACK".utf8),
            lseek(file.number, off_t(offset), SEEK_SET) >= 0
        else { throw .incomplete }
        let count = header[8...].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let words =
            count < Self.fewObjects ? ["unpack-objects", "-q", Self.strict] : ["index-pack", "--stdin", Self.strict]
        let taken = try git.run(words, input: file, isBounded: true)
        if taken.isSuccess { return }
        throw folder.hasRoom ? .incomplete : .failure(SystemFailure(ENOSPC))
    }

    /// True if all that some objects lead to is in the repository.
    func isConnected(_ names: Set<ObjectName>) throws(RepositoryRefusal) -> Bool {
        guard !names.isEmpty else { return true }
        guard try present(names).count == names.count else { return false }
        return try git.run(
            ["rev-list", "--objects", "--quiet", "--stdin", "--not", "--all"],
            input: git.lines(names.map(\.text))
        ).isSuccess
    }
}

extension RepositoryFolder {
    /// False on a disk that is full.
    fileprivate var hasRoom: Bool {
        var status = statvfs()
        return fstatvfs(git.number, &status) != 0 || status.f_bavail > 256
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    fileprivate init?(bigEndian bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
