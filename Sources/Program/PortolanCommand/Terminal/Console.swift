import Portolan
import PortolanConcurrency
import Synchronization

/// Output of a command: results for people or for programs on standard output (unless that carries data), diagnostics
/// and the progress line on standard error; concurrent output is never mixed.
final class Console: Sendable {
    enum Format: Sendable {
        case human
        case json
    }

    private struct State {
        var bar: ProgressBar?
        /// Redraws the bar while nothing is reported.
        var ticking: Task<Void, Never>?
        /// True if the progress line is drawn and must be erased before any other output.
        var isBarDrawn = false
        /// Wait for the answer to the question that is drawn, if one is.
        var question: InputWait?
        /// True if a line was written below the question since it was drawn.
        var isQuestionBuried = false
        var hasReader = true
    }

    let format: Format
    let isQuiet: Bool
    let isVerbose: Bool
    private let showsProgress: Bool
    /// Stream of results.
    private let output: Terminal
    private let state = Mutex(State())

    /// - Parameter output: stream of results; standard error if standard output carries data.
    init(format: Format, isQuiet: Bool, isVerbose: Bool = false, output: Terminal = .output) {
        self.format = format
        self.isVerbose = isVerbose
        self.output = output
        self.isQuiet = isQuiet
        showsProgress = format == .human && !isQuiet && Terminal.diagnostics.canRedraw
    }

    /// True if standard output still has a reader; a `watch` into a closed pipe should end.
    var hasReader: Bool { state.withLock { $0.hasReader } }

    /// Width of the terminal for results; nil if they do not go to a terminal.
    var width: Int? { output.isTerminal ? output.width : nil }

    /// A line of the result, for people.
    func say(_ line: String) {
        guard format == .human else { return }
        write(line, to: output)
    }

    /// Prints a line of the result that programs read as well, such as a path: ASCII substitutes are used only on a
    /// terminal.
    func put(exactly line: String) {
        guard format == .human else { return }
        write(line, to: output, isForPeople: output.isTerminal)
    }

    /// Prints a line about progress; omitted with `--quiet`.
    func remark(_ line: String) {
        guard !isQuiet else { return }
        say(line)
    }

    /// A line of the result, for programs. Its kind is made for no one else, since key paths are made at run time.
    func emit<Fields>(_ kind: @autoclosure () -> KeyPath<NodeEvent.Kinds, NodeEvent.Kind<Fields>>, _ fields: Fields) {
        guard format == .json else { return }
        emit(NodeEvent(kind(), fields))
    }

    /// A line of the result, for programs.
    func emit(_ event: NodeEvent) {
        guard format == .json else { return }
        write(event.line, to: output, isForPeople: false)
    }

    /// An object that is no event of the library, as one line of the result, for programs.
    func emit(_ kind: ObjectKind, _ object: some Encodable) throws {
        guard format == .json else { return }
        write(try NodeEvent.line(of: kind.word, object), to: output, isForPeople: false)
    }

    /// An object that is no event of the library, by its fields; those that are nil are left out.
    func emit(_ kind: ObjectKind, _ fields: [String: (any Encodable)?]) throws {
        try emit(kind, ObjectFields(values: fields))
    }

    /// Beginning of error messages.
    static let prefix = "portolan: "

    /// Writes an error or a warning on standard error, in every format.
    func diagnose(_ sentence: String) {
        write("\(Self.prefix)\(sentence)", to: .diagnostics)
    }

    /// Prints details about how something is done; on standard error, only with `--verbose`.
    func explain(_ sentence: String) {
        if isVerbose { diagnose(sentence) }
    }

    /// Line of the result as shown to people.
    func shown(_ line: String) -> String { output.shown(line) }

    private func write(_ line: String, to stream: Terminal, isForPeople: Bool = true) {
        state.withLock { state in
            Self.wipeBar(&state)
            let isBelowQuestion = state.question != nil && stream.isTerminal
            if isBelowQuestion { state.isQuestionBuried = true }
            defer { if isBelowQuestion { state.question?.wake() } }
            let text = isBelowQuestion && stream.canRedraw ? "\r\u{1B}[K\(line)\n" : line + "\n"
            let isRead = isForPeople ? stream.tell(text) : stream.write(text)
            if !isRead, stream.descriptor == output.descriptor { state.hasReader = false }
        }
    }
}

// MARK: - Questions

extension Console {
    /// Asks the person at the terminal, with no progress line there meanwhile. Lines written before the answer are put
    /// above the question, which is drawn again.
    func put(_ prompt: String) async throws -> Question.Reply {
        let wait = try InputWait()
        state.withLock { state in
            Self.wipeBar(&state)
            state.question = wait
            state.isQuestionBuried = false
        }
        defer { state.withLock { $0.question = nil } }
        return try await Question.put(prompt, wait: wait) {
            state.withLock { state in
                defer { state.isQuestionBuried = false }
                return state.isQuestionBuried
            }
        }
    }
}

// MARK: - Progress

extension Console {
    /// - Parameter ending: text as in ``ProgressBar``.
    func beginProgress(title: String, ending: String, total: ProgressTotal) {
        guard showsProgress else { return }
        state.withLock { state in
            state.bar = ProgressBar(
                title: Terminal.diagnostics.shown(title), ending: ending, total: total, now: .now)
            state.ticking?.cancel()
            state.ticking = Task { [weak self] in
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    self?.draw { $0.update(width: Self.barWidth, now: .now) }
                }
            }
        }
    }

    func progress(total: ProgressTotal) {
        state.withLock { $0.bar?.total = total }
    }

    /// - Parameters:
    ///   - bytes: finished bytes of the item.
    ///   - transferred: number of these bytes that were transferred.
    func progress(bytes: UInt64, transferred: UInt64) {
        guard showsProgress else { return }
        draw { $0.update(bytes: bytes, transferred: transferred, width: Self.barWidth, now: .now) }
    }

    /// Columns of the progress line. The ellipsis of ASCII is longer.
    private static var barWidth: Int { Terminal.diagnostics.width - (Terminal.diagnostics.isPlain ? 2 : 0) }

    private func draw(_ update: (inout ProgressBar) -> String?) {
        state.withLock { state in
            guard var bar = state.bar else { return }
            defer { state.bar = bar }
            guard let line = update(&bar), state.question == nil else { return }
            // Carriage return, the line, then erase to the end, so that nothing remains of a longer line.
            _ = Terminal.diagnostics.tell("\r\(line)\u{1B}[K")
            state.isBarDrawn = true
        }
    }

    /// Removes the progress line; returns its summary if there was one and bytes were transferred.
    ///
    /// - Parameter transferred: transferred bytes.
    @discardableResult
    func endProgress(transferred: UInt64) -> String? {
        state.withLock { state in
            Self.wipeBar(&state)
            state.ticking?.cancel()
            defer { (state.bar, state.ticking) = (nil, nil) }
            return state.bar?.summary(transferred: transferred, now: .now)
        }
    }

    private static func wipeBar(_ state: inout State) {
        guard state.isBarDrawn else { return }
        _ = Terminal.diagnostics.write("\r\u{1B}[K")
        state.isBarDrawn = false
    }
}

/// Fields of an object that has no type of its own.
private struct ObjectFields: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    let values: [String: (any Encodable)?]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for case (let key, let value?) in values { try container.encode(value, forKey: Key(stringValue: key)) }
    }
}
