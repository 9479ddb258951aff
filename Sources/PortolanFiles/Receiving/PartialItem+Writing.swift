import CPortolanLinux
import Glibc
import PortolanCrypto
import PortolanTrust
import Synchronization

extension PartialItem {
    /// A range of a file's bytes; ranges come in any order and must not overlap.
    ///
    /// - Parameter offset: where it belongs, in bytes.
    package func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard let file = try begin(entry, bringing: UInt64(bytes.count)) else { return }
        let range = try taking { () throws(FileError) in try file.take(UInt64(bytes.count), at: offset) }
        try outside(file.name) { () throws(SystemFailure) in
            try storage.write(bytes, to: file.descriptor, at: offset)
        }
        file.wrote(range, isHole: false)
        if !inMemory, file.isDueForWriteback() { _ = portolan_start_writeback(file.descriptor.number, 0, 0) }
        try taking { () throws(FileError) in try space.use(bytes.count, file.name) }
        saveProgressIfDue(afterWriting: bytes.count)
    }

    /// A range that reads as zeros and takes no space where the file system can.
    package func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws(FileError) {
        guard let file = try begin(entry, bringing: length) else { return }
        let range = try taking { () throws(FileError) in try file.take(length, at: offset) }
        // In a file that just began there is nothing yet where nothing was written. In one from before there may be more than
        // is known, but nothing behind its end, however far the hole reaches.
        if file.claim != nil {
            try outside(file.name) { () throws(SystemFailure) in
                let present = range.clamped(to: 0..<(try file.descriptor.status().size))
                if !present.isEmpty { try storage.clear(present, of: file.descriptor) }
            }
        }
        file.wrote(range, isHole: true)
    }

    /// The whole content of a file that was asked for: the file is complete by that.
    package func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let (file, directory) = try change { state throws(FileError) in
            guard let file = state.waiting.removeValue(forKey: entry) else {
                throw .malformed("the content of entry \(entry), which is no file that waits for it")
            }
            guard file.size ?? UInt64(bytes.count) == UInt64(bytes.count) else {
                throw .malformed("\(bytes.count) bytes of “\(file.entry.name)”, where \(file.size ?? 0) were announced")
            }
            try checkIsNew(file)
            if file.size == nil { try state.extend(by: UInt64(bytes.count), file.entry.name) }
            let holder = try holder(of: file.folder, &state)
            return (file, try state.folders.descriptor(of: holder))
        }
        let name = file.entry.name
        let made = try taking { () throws(FileError) in
            try unlessNameIsRefused(in: file.folder) { () throws(FileError) in
                try making(file.entry, in: file.folder) { () throws(SystemFailure) in
                    let descriptor = try open(file, in: directory)
                    if !bytes.isEmpty { try storage.write(bytes, to: descriptor, at: 0) }
                    if file.claim != nil { try adapt(descriptor, to: file.entry, size: UInt64(bytes.count)) }
                    return descriptor
                }
            }
        }
        guard let descriptor = made else {
            return try change { state throws(FileError) in try leaveOut(nameRefused: file, &state) }
        }
        try taking { () throws(FileError) in try space.use(bytes.count, name) }
        try change { state throws(FileError) in
            if file.folder == nil { state.root = try identity(of: descriptor, name) }
            try settle(file.entry, descriptor, in: file.folder, size: UInt64(bytes.count), &state)
        }
    }

    /// The digest of a block that is there, to be told to the sender; nil where it cannot be read any more.
    package func digest(_ entry: UInt32, block: UInt64) throws(FileError) -> [UInt8]? {
        let found = try change { state throws(FileError) -> (Claim, size: UInt64?, Descriptor)? in
            // The sender may have begun with what is missing before it has heard of all that is there.
            if let file = state.files[entry], let claim = file.claim {
                return (claim, file.entry.fileSize, file.descriptor)
            }
            guard let file = state.waiting[entry], let claim = file.claim else { return nil }
            if let stored = file.stored { return (claim, file.size, try open(stored, file.entry.name, &state)) }
            let directory = try state.folders.descriptor(of: try holder(of: file.folder, &state))
            guard let descriptor = try? open(file, in: directory) else { return nil }
            return (claim, file.size, descriptor)
        }
        guard let (claim, size, descriptor) = found, let size,
            let range = BlockRange.of(block, inFileOf: size), claim.held.contains(range),
            let digest = descriptor.digest(of: range)
        else { return nil }
        claim.tell(range)
        return digest
    }

    /// The file that bytes come for.
    ///
    /// - Parameter count: how many.
    /// - Returns: nil if the file system refuses its name.
    func begin(_ entry: UInt32, bringing count: UInt64 = 0) throws(FileError) -> PartialFile? {
        while true {
            switch try beginAtOnce(entry, bringing: count) {
            case .file(let file): return file
            case .isDropped: return nil
            case .needsCopy(let stored): try copyStored(stored, for: entry)
            }
        }
    }

    private enum Beginning {
        case file(PartialFile)
        case isDropped
        /// The content of a stored file is needed first.
        case needsCopy(StoredFile)
    }

    private func beginAtOnce(_ entry: UInt32, bringing count: UInt64) throws(FileError) -> Beginning {
        try change { state throws(FileError) -> Beginning in
            if state.dropped.contains(entry) { return .isDropped }
            if let file = state.files[entry] {
                if file.entry.fileSize == nil { try state.extend(by: count, file.name) }
                return .file(file)
            }
            guard let waiting = state.waiting[entry] else {
                throw .malformed("bytes for entry \(entry), which is no unfinished file")
            }
            guard state.files.count + state.dropped.count < Self.maximumOpenFiles else {
                throw .malformed("more than \(Self.maximumOpenFiles) unfinished files")
            }
            if let stored = waiting.stored { return .needsCopy(stored) }
            try checkIsNew(waiting)
            if waiting.size == nil { try state.extend(by: count, waiting.entry.name) }
            let directory = try state.folders.descriptor(of: try holder(of: waiting.folder, &state))
            let made = try unlessNameIsRefused(in: waiting.folder) { () throws(FileError) in
                try making(waiting.entry, in: waiting.folder) { () throws(SystemFailure) in
                    try open(waiting, in: directory)
                }
            }
            guard let descriptor = made else {
                state.waiting[entry] = nil
                state.dropped.insert(entry)
                try leaveOut(nameRefused: waiting, &state)
                return .isDropped
            }
            if waiting.folder == nil { state.root = try identity(of: descriptor, waiting.entry.name) }
            let file = PartialFile(descriptor: descriptor, waiting)
            state.waiting[entry] = nil
            state.files[entry] = file
            return .file(file)
        }
    }

    /// Makes the file, or opens it where it was made before.
    private func open(_ file: WaitingFile, in directory: Descriptor) throws(SystemFailure) -> Descriptor {
        let name = file.folder == nil ? Workspace.itemName : file.entry.name.text
        guard let made = file.made else {
            return try make(file.entry, for: file.restriction, named: name, in: directory)
        }
        let descriptor = try Beneath.openOwned(name, in: directory, O_RDWR | O_NONBLOCK, features: features)
        guard try descriptor.status().identity == made else { throw SystemFailure(ELOOP) }
        return descriptor
    }

    private func identity(of file: Descriptor, _ name: FileName) throws(FileError) -> FileIdentity {
        do throws(SystemFailure) {
            return try file.status().identity
        } catch {
            throw .storing(DisplayText(name.text), error)
        }
    }

    /// Runs a check outside the lock; what it throws is the item's last step, too.
    func taking<Result>(_ step: () throws(FileError) -> Result) throws(FileError) -> Result {
        do throws(FileError) {
            return try step()
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            throw error
        }
    }
}

/// The bytes that a block covers.
enum BlockRange {
    static let size = BlockDigest.blockSize

    /// - Returns: nil where the file ends before it.
    static func of(_ block: UInt64, inFileOf fileSize: UInt64) -> Range<UInt64>? {
        let (start, overflow) = block.multipliedReportingOverflow(by: size)
        guard !overflow, start < fileSize else { return nil }
        return start..<(fileSize - start < size ? fileSize : start + size)
    }
}

extension Descriptor {
    /// The digest of a range; nil where not all of it can be read.
    fileprivate func digest(of range: Range<UInt64>) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            var digest = BlockDigest()
            var next = range.lowerBound
            while next < range.upperBound {
                let wanted = min(buffer.count, Int(range.upperBound - next))
                let count = retrying { pread(number, buffer.baseAddress, wanted, off_t(next)) }
                guard count > 0 else { return nil }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                next += UInt64(count)
            }
            return digest.finalize()
        }
    }
}
