import CPortolanLinux
import Glibc
import PortolanFiles
import PortolanValues

/// A conversion from the source to a cached result, on the thread that calls ``run(until:)``.
struct Conversion {
    let subject: ConversionSubject
    let source: SourceContent
    let cache: ConversionCache
    let key: CacheKey
    let tools: ToolSearch
    let layers: Confinement

    private var converter: Converter { subject.converter }

    /// Runs the conversion; leaves only a result, also after an error.
    func run(until stop: StopRequest) throws(ConverterError) -> ConvertedFile {
        guard let program = tools.find(converter.command[0]) else {
            throw subject.error(.notInstalled, "it is not installed")
        }
        let folder = try translating(WorkFolder(in: cache.path, given: subject.inputName)) { (error: SystemFailure) in
            subject.error("making a folder to work in", error)
        }
        defer { folder.remove() }
        try putInput(in: folder, until: stop)
        let (ending, written) = try execute(program, in: folder, until: stop)
        let diagnostics = Self.lines(written)
        try judge(ending, in: folder, diagnostics)
        let result = try takeOutput(of: folder, diagnostics)
        return try translating(cache.insert(result, named: subject.outputName, in: folder, as: key)) {
            (error: SystemFailure) in
            subject.error("keeping the result", error)
        }
    }

    /// Copies the source for the program, so that it cannot change the original.
    private func putInput(in folder: WorkFolder, until stop: StopRequest) throws(ConverterError) {
        let copy = try translating(folder.file(subject.inputName, O_WRONLY | O_CREAT | O_EXCL)) {
            (error: SystemFailure) in
            subject.error("copying the content", error)
        }
        try source.copy(to: copy, until: stop)
        try source.confirmUnchanged()
    }

    private func execute(
        _ program: String, in folder: WorkFolder, until stop: StopRequest
    ) throws(ConverterError) -> (ending: ConfinedRun.RunEnd, diagnostics: [UInt8]) {
        var run: ConfinedRun
        do throws(SystemFailure) {
            let nothing = try Self.nothing()
            run = ConfinedRun(
                program: program,
                arguments: converter.arguments(
                    input: "\(folder.path)/\(subject.inputName)", output: "\(folder.path)/\(subject.outputName)"),
                folder: folder, readable: SystemFiles.readable + converter.reads,
                input: converter.readsStandardInput ? try folder.file(subject.inputName, O_RDONLY) : nothing,
                output: converter.writesStandardOutput
                    ? try folder.file(subject.outputName, O_WRONLY | O_CREAT | O_EXCL) : nothing,
                timeLimit: converter.timeLimit, sizeLimit: converter.sizeLimit, memoryLimit: converter.memoryLimit,
                layers: layers)
        } catch {
            throw subject.error("preparing to run it", error)
        }
        do throws(ConfinedRun.StartFailure) {
            return try run.run(until: stop)
        } catch {
            guard error.isAboutNamespaces else { throw subject.notStarted(error) }
        }
        // The number of namespaces is limited, and may be exhausted although it was not before.
        run.layers.subtract([.namespaces, .readOnly])
        return try translating(run.run(until: stop)) { (error: ConfinedRun.StartFailure) in subject.notStarted(error) }
    }

    private static func nothing() throws(SystemFailure) -> Descriptor {
        let number = retrying { open("/dev/null", O_RDWR | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }

    private func judge(
        _ ending: ConfinedRun.RunEnd, in folder: WorkFolder, _ diagnostics: [DisplayText]
    ) throws(ConverterError) {
        // A program may report a rejected write as any error, or not at all.
        if ending == .sizeLimit || ending.isDeath(of: SIGXFSZ) || folder.holdsMore(than: converter.sizeLimit) {
            throw subject.error(
                .sizeLimit,
                "it wrote more than its limit of \(converter.sizeLimit) bytes, or more files and folders than are counted",
                diagnostics: diagnostics)
        }
        if ending == .timeLimit || ending.isDeath(of: SIGXCPU) {
            throw subject.error(
                .timeLimit, "it ran longer than its limit of \(converter.timeLimit) and was stopped",
                diagnostics: diagnostics)
        }
        switch ending {
        case .exited(status: 0), .sizeLimit, .timeLimit: return
        case .exited(let status):
            throw subject.error(
                .failed(status: status), "it ended with exit status \(status)", diagnostics: diagnostics)
        case .killed(let signal):
            throw subject.error(
                .killed(signal: signal), "it was ended by signal \(signal) (\(String(cString: strsignal(signal))))",
                diagnostics: diagnostics)
        case .stopped: throw subject.cancelled
        }
    }

    /// Takes the file at the result's place, if it is a regular file without other links: a link would let a program
    /// hand out other files.
    private func takeOutput(
        of folder: WorkFolder, _ diagnostics: [DisplayText]
    ) throws(ConverterError) -> Descriptor {
        let notFile = "there is no regular file where the result should be"
        let file: Descriptor
        do throws(SystemFailure) {
            file = try folder.file(subject.outputName, O_RDONLY)
        } catch {
            if error.number == ENOENT {
                throw subject.error(.noOutput, "it ended and left no result", diagnostics: diagnostics)
            }
            throw subject.error(.outputNotFile, notFile, diagnostics: diagnostics)
        }
        guard let status = try? KernelStorage().status(of: file), status.kind == .file, status.links == 1,
            status.owner == geteuid()
        else { throw subject.error(.outputNotFile, notFile, diagnostics: diagnostics) }
        guard status.size > 0 else {
            throw subject.error(.emptyOutput, "it ended and left an empty result", diagnostics: diagnostics)
        }
        guard status.size <= converter.sizeLimit else {
            throw subject.error(
                .sizeLimit, "its result is larger than its limit of \(converter.sizeLimit) bytes",
                diagnostics: diagnostics)
        }
        return file
    }

    private static func lines(_ bytes: [UInt8]) -> [DisplayText] {
        bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { DisplayText(bytes: $0) }
            .filter { !$0.text.allSatisfy(\.isWhitespace) }
    }
}

extension ConversionSubject {
    /// Name of the input file in the work folder; many programs depend on the extension.
    var inputName: String { "input" + type.fileNameEnding }
    var outputName: String { "output" + converter.to.fileNameEnding }

    fileprivate func notStarted(_ failure: ConfinedRun.StartFailure) -> ConverterError {
        if failure.step == Int32(PORTOLAN_STEP_EXECUTE), failure.failure.number == ENOENT {
            return error(.notInstalled, "it, or what interprets it, is not installed any more")
        }
        return error(.notStarted, "it could not be started: \(failure.failure.text) (step \(failure.step))")
    }
}

extension ConfinedRun.RunEnd {
    /// True if a signal ended the program, or a program inside a script: shells then end with 128 and its number.
    fileprivate func isDeath(of signal: Int32) -> Bool {
        self == .killed(signal: signal) || self == .exited(status: 128 + signal)
    }
}

extension ConfinedRun.StartFailure {
    fileprivate var isAboutNamespaces: Bool {
        step == Int32(PORTOLAN_STEP_NAMESPACES) || step == Int32(PORTOLAN_STEP_READ_ONLY)
    }
}
