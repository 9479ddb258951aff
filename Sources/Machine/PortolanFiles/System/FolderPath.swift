import Glibc
import PortolanValues

/// A folder that was reached step by step from the root.
///
/// A symbolic link is followed only if this user and root alone can put another one in its place; each other step is
/// opened without following links. So no other user can lead the path to a folder of his choice.
struct FolderPath: Sendable {
    /// Opened for listing.
    let folder: Descriptor
    let identity: FileIdentity
    /// Clause on who else may replace a step of the path: “everybody may write in “/srv/drop””; nil if nobody may.
    let loose: String?

    /// Blocks.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - making: true to make missing folders, for their owner alone (0700, without inherited access control lists).
    static func open(_ path: String, making: Bool) throws(FileError) -> FolderPath {
        var walk = try Walk(path, making: making)
        try walk.run()
        return try FileError.whileStoring(DisplayText(path)) { () throws(SystemFailure) in
            let opened = openat(walk.folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard opened >= 0 else { throw .last }
            let folder = Descriptor(owning: opened)
            return FolderPath(folder: folder, identity: try folder.status().identity, loose: walk.loose)
        }
    }
}

extension FileStatus {
    /// True if only `owners` may change the entries of a folder, or the content of a file.
    func isWritable(onlyBy owners: [uid_t]) -> Bool { owners.contains(owner) && mode & 0o022 == 0 }

    /// True if only this user and root can put something else in the place of this entry of `folder`.
    fileprivate func isSettled(in folder: FileStatus) -> Bool {
        let ours = [geteuid(), 0]
        if folder.isWritable(onlyBy: ours) { return true }
        // In a sticky folder, such as /tmp, only its owner and that of the entry can.
        return ours.contains(folder.owner) && folder.mode & 0o1000 != 0 && ours.contains(owner)
    }

    /// For a folder that others may write.
    fileprivate var writers: String {
        if ![geteuid(), 0].contains(owner) { return "the user \(owner)" }
        return mode & 0o002 != 0 ? "everybody" : "its group"
    }
}

private struct Walk {
    private struct Step {
        let name: [CChar]
        /// Path up to here, as it was given; of a step of a link, that of the link.
        let shown: String
        let isOfLink: Bool
    }

    private static let most = 40

    let path: String
    let making: Bool
    /// Opened for looking up names only.
    private(set) var folder: Descriptor
    private(set) var loose: String?
    /// The next step last.
    private var steps: [Step] = []
    private var shown = "/"
    private var links = 0
    /// True while the next step was made here.
    private var isMade = false

    init(_ path: String, making: Bool) throws(FileError) {
        self.path = path
        self.making = making
        do throws(SystemFailure) { folder = try Self.root() } catch { throw .storing(DisplayText(path), error) }
        steps = path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { part in
            Step(name: String(Substring(part)).pathBytes, shown: String(path[..<part.endIndex]), isOfLink: false)
        }
    }

    private static func root() throws(SystemFailure) -> Descriptor {
        let number = retrying { Glibc.open("/", __O_PATH | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }

    mutating func run() throws(FileError) {
        // An entry that is exchanged at each look would keep this busy.
        var looks = 0
        while let step = steps.last {
            looks += 1
            guard looks < 4096 else { throw .tampered(DisplayText(path)) }
            let (above, status): (FileStatus, FileStatus)
            do throws(SystemFailure) {
                above = try folder.status()
                status = try folder.status(of: step.name)
            } catch {
                guard making, error.number == ENOENT, !step.isOfLink else { throw failure(step, error) }
                try make(step)
                continue
            }
            switch status.kind {
            case .folder: try enter(step, status, above)
            case .symbolicLink: try follow(step, status, above)
            default: throw failure(step, SystemFailure(ENOTDIR))
            }
        }
    }

    private mutating func make(_ step: Step) throws(FileError) {
        if mkdirat(folder.number, step.name, 0o700) == 0 {
            isMade = true
        } else if errno != EEXIST {
            throw failure(step, .last)
        }
    }

    private mutating func enter(_ step: Step, _ status: FileStatus, _ above: FileStatus) throws(FileError) {
        let number = retrying {
            openat(folder.number, step.name, __O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        guard number >= 0 else {
            // The entry has become something else since the look.
            if [ELOOP, ENOTDIR, ENOENT].contains(errno) { return }
            throw failure(step, .last)
        }
        let opened = Descriptor(owning: number)
        let isAbove = step.name == "..".pathBytes
        if !isAbove, loose == nil, !status.isSettled(in: above) { loose = clause(above) }
        if isMade {
            if !above.isWritable(onlyBy: [geteuid(), 0]), (try? opened.status().owner) != geteuid() {
                throw .tampered(DisplayText(step.shown))
            }
            // The default list of the folder above must not give others what arrives.
            let made = openat(opened.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if made >= 0 { AccessList.removeInherited(from: Descriptor(owning: made)) }
        }
        isMade = false
        (folder, shown) = (opened, step.shown)
        steps.removeLast()
    }

    private mutating func follow(_ step: Step, _ status: FileStatus, _ above: FileStatus) throws(FileError) {
        guard let loose = loose ?? (status.isSettled(in: above) ? nil : clause(above)) else {
            links += 1
            guard links <= Self.most else { throw failure(step, SystemFailure(ELOOP)) }
            do throws(SystemFailure) {
                let target = try folder.linkTarget(of: step.name)
                if target.first == UInt8(ascii: "/") { folder = try Self.root() }
                steps.removeLast()
                steps += target.split(separator: UInt8(ascii: "/")).reversed().map { part in
                    Step(name: part.map { CChar(bitPattern: $0) } + [0], shown: step.shown, isOfLink: true)
                }
            } catch {
                throw failure(step, error)
            }
            return
        }
        throw FileError(
            .notPermitted,
            "“\(DisplayText(step.shown))” is a symbolic link, and \(loose), so that it may lead anywhere. Receive into the "
                + "folder itself, or let nobody else write there.")
    }

    private func clause(_ above: FileStatus) -> String { "\(above.writers) may write in “\(DisplayText(shown))”" }

    private func failure(_ step: Step, _ failure: SystemFailure) -> FileError {
        let next = steps.dropLast().last { !$0.isOfLink }
        switch failure.number {
        case ENOTDIR where next == nil || !making:
            return FileError(.notFolder, "“\(DisplayText(path))” is not a folder; choose one to receive into.")
        case ENOTDIR: return .making(DisplayText(next?.shown ?? step.shown), failure, isAboveThere: true)
        case ENOENT where !making || step.isOfLink && next == nil:
            return FileError(
                .destinationGone, "There is no folder “\(DisplayText(path))”; make it or choose another one.")
        case ENOENT where step.isOfLink:
            return .making(DisplayText(next?.shown ?? step.shown), failure, isAboveThere: false)
        default:
            return making
                ? .making(DisplayText(step.shown), failure, isAboveThere: true) : .storing(DisplayText(path), failure)
        }
    }
}
