import PortolanFiles

/// Present state of a repository.
struct RepositorySight {
    var refs: [RefName: ObjectName] = [:]
    /// References that show what other devices have.
    var apart: [RefName: ObjectName] = [:]
    /// Branches of linked work trees, which do not move.
    var elsewhere: Set<RefName> = []
    /// Nil before the first commit, and while git works.
    var head: HeadValue?
    var index: ObjectName?
    /// True while a merge or the like is not done: head and index stay as they were told.
    var isBusy = false
    /// State of the index file; nil if there is none.
    var indexMark: FileMarkOfIndex?

    /// Commit that the head names.
    var commit: ObjectName? {
        switch head {
        case .branch(let name): refs[name]
        case .commit(let name): name
        case nil: nil
        }
    }
}

/// Status of an index file, by which a change shows.
struct FileMarkOfIndex: Hashable {
    private var numbers: [UInt64]

    init(_ status: FileStatus) {
        numbers = [
            status.identity.inode, status.size, UInt64(bitPattern: status.changed.seconds),
            UInt64(status.changed.nanoseconds),
        ]
    }
}

extension RepositoryExchange {
    private static let index = "index"

    /// Reads references, head and index.
    func observe() throws(RepositoryRefusal) -> RepositorySight {
        var sight = RepositorySight()
        let words = ["objectname", "refname", "symref", "worktreepath"].map { "%(\($0))" }
        let listed = try git.run(["for-each-ref", "--format=\(words.joined(separator: "%00"))"])
        try listed.check()
        sight.head = headValue()
        for line in listed.output.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: 0, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 4, parts[2].isEmpty, let value = ObjectName(parts[0]), let name = RefName(parts[1])
            else { continue }
            if name.isApart {
                sight.apart[name] = value
            } else {
                sight.refs[name] = value
                if !parts[3].isEmpty, name != sight.head?.branch { sight.elsewhere.insert(name) }
            }
        }
        if sight.commit == nil { sight.head = nil }
        sight.isBusy = folder.isBusy
        guard !sight.isBusy else { return sight }
        sight.indexMark = try copyIndex()
        if sight.indexMark != nil {
            // An index with unmerged files is not told.
            sight.index = try writtenTree()
            sight.isBusy = sight.index == nil || folder.isBusy
        }
        return sight
    }

    func headValue() -> HeadValue? {
        guard let text = folder.text("HEAD", in: folder.git)?.split(separator: "\n").first else { return nil }
        let link = "ref: "
        return text.hasPrefix(link) ? HeadValue("ref:" + text.dropFirst(link.count)) : HeadValue(text)
    }

    /// Copies the index to the scratch index, on which git may work without a lock.
    ///
    /// - Returns: nil if there is none.
    func copyIndex() throws(RepositoryRefusal) -> FileMarkOfIndex? {
        try folder.disk { () throws(SystemFailure) in
            let local = try folder.local()
            try storage.removeIfPresent(Self.index, in: local)
            let source: Descriptor
            do throws(SystemFailure) {
                source = try storage.openFile(Self.index, in: folder.git)
            } catch {
                guard error.number == 2 else { throw error }
                return nil
            }
            let status = try storage.status(of: source)
            let copy = try storage.makeFile(Self.index, in: local, mode: 0o600)
            try storage.copy(0..<status.size, of: source, to: copy, at: 0)
            return FileMarkOfIndex(status)
        }
    }

    /// Returns the tree of the scratch index; nil if it has unmerged files.
    func writtenTree() throws(RepositoryRefusal) -> ObjectName? {
        let written = try git.run(["write-tree"], index: RepositoryFolder.scratchIndex)
        return written.isSuccess ? ObjectName(written.line) : nil
    }

    /// Records what has changed here since it was told.
    mutating func note(_ sight: RepositorySight) {
        let writer = memory.writer
        for (name, value) in sight.refs where own.refs[name]?.value != value {
            own.refs[name] = Versioned(value, (own.refs[name]?.version ?? RefVersion()).changed(by: writer))
        }
        for (name, ref) in own.refs where ref.value != nil && sight.refs[name] == nil {
            own.refs[name] = Versioned(nil, ref.version.changed(by: writer))
        }
        guard !sight.isBusy else { return }
        if let head = sight.head, own.head?.value != head {
            own.head = Versioned(head, (own.head?.version ?? RefVersion()).changed(by: writer))
        }
        if let index = sight.index, own.index?.value != index {
            own.index = Versioned(index, (own.index?.version ?? RefVersion()).changed(by: writer))
        }
    }
}

extension Storage {
    /// Copies bytes of one file to another one.
    func copy(
        _ range: Range<UInt64>, of source: Descriptor, to target: Descriptor, at offset: UInt64
    ) throws(SystemFailure) {
        var place = range.lowerBound
        while place < range.upperBound {
            let bytes = try read(source, at: place, count: Int(min(range.upperBound - place, 1 << 20)))
            guard !bytes.isEmpty else { throw SystemFailure(5) }
            try write(bytes, to: target, at: offset + (place - range.lowerBound))
            place += UInt64(bytes.count)
        }
    }
}
