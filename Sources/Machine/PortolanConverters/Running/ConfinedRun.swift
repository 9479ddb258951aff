import CPortolanLinux
import Glibc
import PortolanFiles

/// Run of a confined program, on the thread that calls ``run(until:)``.
struct ConfinedRun {
    /// End of a run.
    enum RunEnd: Hashable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)
        case timeLimit
        case sizeLimit
        case stopped
    }

    /// Reason why the program did not start.
    struct StartFailure: Error, Hashable, Sendable {
        let step: Int32
        let failure: SystemFailure
    }

    /// Interval between checks of the output's size and of the stop sign, in milliseconds.
    private static let watchInterval: Int32 = 50
    /// Number of bytes of standard error that are kept.
    static let diagnosticsLimit = 4096

    let program: String
    let arguments: [String]
    let folder: WorkFolder
    let readable: [String]
    let input: Descriptor
    let output: Descriptor
    let timeLimit: Duration
    let sizeLimit: UInt64
    let memoryLimit: UInt64
    var layers: Confinement

    private var environment: [String] {
        ["PATH=\(ToolSearch.usualPath)", "LANG=C.UTF-8", "HOME=\(folder.path)", "TMPDIR=\(folder.path)"]
    }

    /// Starts the program, waits for its end, and kills the rest of its process group.
    func run(until stop: StopRequest) throws(StartFailure) -> (ending: RunEnd, diagnostics: [UInt8]) {
        let process = try start()
        defer {
            close(process.pidfd)
            close(process.diagnostics)
            close(process.report)
        }
        var diagnostics = Diagnostics(process.diagnostics)
        let verdict = watch(process, &diagnostics, stop)
        // The whole group is killed; until the leader is waited for, its number cannot be reused.
        kill(process.process, SIGKILL)
        kill(-process.process, SIGKILL)
        var status: Int32 = 0
        let waited = retrying { waitpid(process.process, &status, 0) }
        diagnostics.read()
        let report = try Report(process.report)
        if let verdict { return (verdict, diagnostics.bytes) }
        if let told = report.status {
            status = told
        } else if waited < 0 || layers.contains(.namespaces) {
            // Another process killed it, or waited for our child.
            return (.killed(signal: SIGKILL), diagnostics.bytes)
        }
        let signal = status & 0x7F
        return (signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: signal), diagnostics.bytes)
    }

    private func start() throws(StartFailure) -> portolan_confined_process {
        var process = portolan_confined_process()
        var step: Int32 = 0
        let result = withCStrings([program, folder.path]) { paths in
            withCStrings(arguments) { arguments in
                withCStrings(environment) { environment in
                    withCStrings(readable) { readable in
                        var confinement = portolan_confinement()
                        confinement.program = UnsafePointer(paths[0])
                        confinement.folder = UnsafePointer(paths[1])
                        confinement.arguments = arguments
                        confinement.environment = environment
                        confinement.readable = readable
                        confinement.input = input.number
                        confinement.output = output.number
                        // With one more byte than the limit, a file at the limit differs from one above it.
                        confinement.file_size = sizeLimit + 1
                        confinement.address_space = memoryLimit
                        confinement.processor_seconds = processorSeconds
                        confinement.open_files = 128
                        confinement.layers = layers.rawValue
                        return portolan_confined_start(&confinement, &process, &step)
                    }
                }
            }
        }
        guard result == 0 else { throw StartFailure(step: step, failure: SystemFailure(result)) }
        return process
    }

    /// Processor time of all processors within the time limit, which is the effective limit.
    private var processorSeconds: UInt64 {
        (UInt64(timeLimit.components.seconds) + 1) * UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Waits until the program has ended or must be killed.
    ///
    /// - Returns: the reason to kill it, or nil.
    private func watch(
        _ process: portolan_confined_process, _ diagnostics: inout Diagnostics, _ stop: StopRequest
    ) -> RunEnd? {
        let deadline = ContinuousClock.now + timeLimit
        while true {
            var files = [
                pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: diagnostics.isAtEnd ? -1 : process.diagnostics, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&files, nfds_t(files.count), Self.watchInterval)
            if files[1].revents != 0 { diagnostics.read() }
            if files[0].revents != 0 { return nil }
            if stop.isRequested { return .stopped }
            if ContinuousClock.now >= deadline { return .timeLimit }
            if folder.holdsMore(than: sizeLimit) { return .sizeLimit }
        }
    }
}

/// Last part of a program's output on standard error.
private struct Diagnostics {
    private(set) var bytes: [UInt8] = []
    private(set) var isAtEnd = false
    private let file: Int32

    init(_ file: Int32) { self.file = file }

    /// Reads the available output, at most 1 MiB at a time, so that a program that never stops writing does not block
    /// the loop.
    mutating func read() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<64 {
            let count = retrying { Glibc.read(file, &buffer, buffer.count) }
            if count == 0 { isAtEnd = true }
            guard count > 0 else { return }
            bytes += buffer.prefix(count)
            bytes.removeFirst(max(0, bytes.count - ConfinedRun.diagnosticsLimit))
        }
    }
}

/// Report of the child process about its start and end.
private struct Report {
    /// Wait status of the program, if a process other than the parent waited for it.
    private(set) var status: Int32?

    init(_ file: Int32) throws(ConfinedRun.StartFailure) {
        var message: (step: Int32, value: Int32) = (0, 0)
        while retrying({ read(file, &message, MemoryLayout.size(ofValue: message)) })
            == MemoryLayout.size(ofValue: message)
        {
            guard message.step == Int32(PORTOLAN_STEP_ENDED) else {
                throw ConfinedRun.StartFailure(step: message.step, failure: SystemFailure(message.value))
            }
            status = message.value
        }
    }
}

/// Passes strings as a C array with a null pointer at its end.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
}
