import Glibc
import PortolanFiles

/// The program `git`, run in one repository.
///
/// It runs no hooks and no monitor, fetches nothing, collects no garbage, and gets no variable of this process that
/// would lead it to another repository.
struct GitProgram {
    /// End of a run.
    struct RunEnd {
        var status: Int32
        var output: [UInt8]
        /// First lines of its complaints.
        var complaint: String

        var isSuccess: Bool { status == 0 }
        var text: String { String(decoding: output, as: UTF8.self) }
        /// The first line of the output.
        var line: Substring { text.prefix { $0 != "\n" } }
    }

    /// Milliseconds between two looks if the task is cancelled.
    private static let pulse: Int32 = 200
    private static let longestComplaint = 2000
    /// Memory, in KiB, for objects of others: a few bytes of a difference may stand for very many.
    private static let mostMemory = 2 << 20
    private static let settings = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.splitIndex=false", "core.bigFileThreshold=64m",
        "gc.auto=0", "maintenance.auto=false", "pack.windowMemory=64m", "advice.graftFileDeprecated=false",
    ]

    private let program: String
    private let environment: [String]
    /// Folder above `.git`.
    private let folder: Descriptor
    /// Folder for files without a name.
    private let scratch: Descriptor

    /// - Returns: nil if there is no such program.
    init?(in folder: Descriptor, scratch: Descriptor) {
        self.scratch = scratch
        let variables = Dictionary(
            ["PATH", "HOME", "XDG_CONFIG_HOME"].compactMap { (name: String) in
                getenv(name).map { (name, String(cString: $0)) }
            }
        ) { first, _ in first }
        let paths = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let programs = paths.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/git" }
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else { return nil }
        self.program = program
        self.folder = folder
        environment =
            variables.map { "\($0.key)=\($0.value)" } + [
                "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1",
                "GIT_COMMITTER_NAME=Portolan", "GIT_COMMITTER_EMAIL=portolan@localhost",
            ]
    }

    /// Runs git to its end.
    ///
    /// - Parameters:
    ///   - index: path of another index than that of the repository, from the folder above it.
    ///   - input: file that it reads from its present offset on.
    ///   - output: file that it writes to; nil to return what it writes.
    ///   - findsRepository: true if there is none yet.
    ///   - isBounded: true to bound its memory.
    func run(
        _ words: [String], index: String? = nil, input: Descriptor? = nil, output: Descriptor? = nil,
        findsRepository: Bool = false, isBounded: Bool = false
    ) throws(RepositoryRefusal) -> RunEnd {
        do throws(SystemFailure) {
            return try start(words, index, input, output, findsRepository, isBounded)
        } catch { throw error == .interrupted ? .interrupted : .failure(error) }
    }

    private func start(
        _ words: [String], _ index: String?, _ input: Descriptor?, _ output: Descriptor?, _ findsRepository: Bool,
        _ isBounded: Bool
    ) throws(SystemFailure) -> RunEnd {
        let input: Descriptor = if let input { input } else { try nameless() }
        let result: Descriptor = if let output { output } else { try nameless() }
        var variables = environment
        if !findsRepository { variables.append("GIT_DIR=\(RepositoryFolder.name)") }
        if let index { variables.append("GIT_INDEX_FILE=\(index)") }
        let (process, complaints) = try spawn(words, variables, input, result, isBounded)
        let complaint = try Self.read(complaints)
        let status = process.wait()
        return RunEnd(
            status: status, output: output == nil ? try Self.content(of: result) : [],
            complaint: String(decoding: complaint, as: UTF8.self))
    }

    /// - Returns: the process, and the end of its complaints.
    private func spawn(
        _ words: [String], _ variables: [String], _ input: Descriptor, _ output: Descriptor,
        _ isBounded: Bool
    ) throws(SystemFailure) -> (SpawnedProcess, Descriptor) {
        let settings = Self.settings.flatMap { ["-c", $0] }
        // The other end is closed here, so that this one tells when the process has ended.
        let errors = try SpawnedProcess.connection()
        let bounds = ["/bin/sh", "-c", "ulimit -d \(Self.mostMemory); exec \"$0\" \"$@\""]
        let all = (isBounded ? bounds : []) + [program, "-C", "/proc/self/fd/3"] + settings + words
        let process = try SpawnedProcess(
            all[0], all, environment: variables,
            files: [(input, 0), (output, 1), (errors.given, 2), (folder, 3)])
        return (process, errors.own)
    }

    /// Reads until the other end is closed, which happens when the process ends.
    private static func read(_ file: Descriptor) throws(SystemFailure) -> [UInt8] {
        var complaint: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if Task.isCancelled { throw .interrupted }
            var wait = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, pulse) > 0 else { continue }
            let count = Glibc.read(file.number, &buffer, buffer.count)
            if count == 0 { return complaint }
            if count < 0, errno != EINTR { throw .last }
            complaint += buffer.prefix(max(min(count, longestComplaint - complaint.count), 0))
        }
    }

    /// Makes a file without a name.
    private func nameless() throws(SystemFailure) -> Descriptor {
        let (storage, name) = (KernelStorage(), "scratch")
        try storage.removeIfPresent(name, in: scratch)
        let file = try storage.makeFile(name, in: scratch, mode: 0o600)
        try storage.remove(name, in: scratch)
        return file
    }

    /// Returns a file with lines that git can read.
    func lines(_ lines: some Sequence<String>) throws(RepositoryRefusal) -> Descriptor {
        try input(lines.map { $0 + "\n" }.joined())
    }

    func input(_ text: String) throws(RepositoryRefusal) -> Descriptor {
        do throws(SystemFailure) {
            let file = try nameless()
            try KernelStorage().write(Array(text.utf8), to: file, at: 0)
            return file
        } catch { throw .failure(error) }
    }

    private static func content(of file: Descriptor) throws(SystemFailure) -> [UInt8] {
        let storage = KernelStorage()
        return try storage.read(file, at: 0, count: Int(clamping: storage.status(of: file).size))
    }
}

/// Reason why a repository is not exchanged, or not all of it.
package enum RepositoryRefusal: Error, Hashable, Sendable {
    /// The task was cancelled.
    case interrupted
    case failure(SystemFailure)
    /// Git holds a lock, or has changed the repository meanwhile.
    case atWork
    /// Objects of another device are not all here yet, or not whole.
    case incomplete
    /// The program has refused; its first line.
    case program(String)
    /// The repository is left alone.
    case leftAlone(RepositoryKind)
}

/// Kinds of repositories that are left alone.
package enum RepositoryKind: String, Hashable, Sendable, CaseIterable {
    case file = "“.git” is a file or link"
    case linked = "it is a linked work tree"
    case alternates = "it takes objects from another repository"
    case tables = "its references are in tables (reftable)"
    case shallow = "it is shallow"
    case partial = "it is a partial clone"
    case noProgram = "git is not installed"
}
