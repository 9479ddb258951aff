import PortolanTrust
import Synchronization

/// The command's one mouth: results for people or for programs on standard output (unless that carries data), diagnostics and the
/// progress line on standard error, never mixed up however many things go on at once.
final class Console: Sendable {
    enum Format: Sendable {
        case human
        case json
    }

    private struct State {
        var bar: ProgressBar?
        /// Whether the progress line stands on the terminal and must be wiped before anything else is written.
        var isBarDrawn = false
        var isBarHidden = false
        var hasReader = true
    }

    let format: Format
    let isQuiet: Bool
    private let showsProgress: Bool
    /// Where results go.
    private let output: Terminal
    private let state = Mutex(State())

    /// - Parameter output: where results go; standard error where standard output belongs to something else.
    init(format: Format, isQuiet: Bool, output: Terminal = .output) {
        self.format = format
        self.output = output
        self.isQuiet = isQuiet
        showsProgress = format == .human && !isQuiet && Terminal.diagnostics.isTerminal
    }

    /// Whether somebody still reads standard output; a `watch` into a closed pipe should end.
    var hasReader: Bool { state.withLock { $0.hasReader } }

    /// A line of the result, for people.
    func say(_ line: String) {
        guard format == .human else { return }
        write(line, to: output)
    }

    /// A line that only accompanies what happens; left out with `--quiet`.
    func remark(_ line: String) {
        guard !isQuiet else { return }
        say(line)
    }

    /// A line of the result, for programs.
    func emit(_ event: Event) {
        guard format == .json else { return }
        write(event.text, to: output)
    }

    /// Something that went wrong, or nearly; on standard error in every format.
    func diagnose(_ sentence: String) {
        write("portolan: \(sentence)", to: .diagnostics)
    }

    private func write(_ line: String, to stream: Terminal) {
        state.withLock { state in
            Self.wipeBar(&state)
            if !stream.write(line + "\n"), stream.descriptor == output.descriptor { state.hasReader = false }
        }
    }
}

// MARK: - Progress

extension Console {
    func beginProgress(title: String, total: ProgressTotal) {
        guard showsProgress else { return }
        state.withLock { $0.bar = ProgressBar(title: title, total: total, now: .now) }
    }

    func progress(total: ProgressTotal) {
        state.withLock { $0.bar?.total = total }
    }

    func progress(bytes: UInt64) {
        guard showsProgress else { return }
        state.withLock { state in
            guard !state.isBarHidden else { return }
            guard let line = state.bar?.update(bytes: bytes, width: Terminal.diagnostics.width, now: .now) else {
                return
            }
            // Return, the line, then erase to the end: a shorter line leaves nothing of the longer one.
            _ = Terminal.diagnostics.write("\r\(line)\u{1B}[K")
            state.isBarDrawn = true
        }
    }

    /// Takes the progress line away; tells how it went, if there was one.
    @discardableResult
    func endProgress(bytes: UInt64) -> String? {
        state.withLock { state in
            Self.wipeBar(&state)
            defer { state.bar = nil }
            return state.bar?.summary(bytes: bytes, now: .now)
        }
    }

    /// Keeps the progress line off the terminal while a question stands there.
    func withoutProgress<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { state in
            Self.wipeBar(&state)
            state.isBarHidden = true
        }
        defer { state.withLock { $0.isBarHidden = false } }
        return try await body()
    }

    private static func wipeBar(_ state: inout State) {
        guard state.isBarDrawn else { return }
        _ = Terminal.diagnostics.write("\r\u{1B}[K")
        state.isBarDrawn = false
    }
}
