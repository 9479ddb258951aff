import Glibc
import PortolanConcurrency

/// Asks the person at the terminal, also if the standard streams are connected elsewhere.
enum Question {
    /// Outcome of a question.
    enum Reply: Sendable, Hashable {
        /// No terminal to ask at.
        case nobody
        /// End of input at the terminal.
        case ended
        /// Typed line, with its line end.
        case line([UInt8])
    }

    /// Time for further lines before a buried question is drawn again.
    private static let pause = Duration.milliseconds(50)

    /// Shows a question and waits for a line.
    ///
    /// - Parameters:
    ///   - wait: wait for the answer; woken when other output was written below the question.
    ///   - isBuried: true if other output was written below the question. The question is then drawn again, and typed
    ///     characters are dropped, since they are not visible any more.
    /// - Throws: `CancellationError` when the task is cancelled while waiting, `ThreadError` if no thread for waiting
    ///   can be started.
    static func put(_ prompt: String, wait: InputWait, isBuried: () -> Bool) async throws -> Reply {
        guard let terminal = open() else { return .nobody }
        defer { close(terminal) }
        let screen = Terminal(descriptor: terminal, isPlain: Terminal.isPlainWanted)
        // Input that was typed before the question was drawn does not answer it.
        tcflush(terminal, TCIFLUSH)
        _ = screen.tell(prompt)
        var line: [UInt8] = []
        while true {
            do {
                try await wait.untilReadable(terminal)
            } catch {
                // A line that was typed for this question is none for the shell.
                tcflush(terminal, TCIFLUSH)
                _ = screen.tell("\n")
                throw error
            }
            switch readAvailable(terminal, into: &line) {
            case .more: break
            case .line: return .line(line)
            case .ended: return .ended
            }
            guard isBuried() else { continue }
            // Lines in quick succession cause one redraw.
            guard (try? await Task.sleep(for: Self.pause)) != nil else { continue }
            _ = isBuried()
            tcflush(terminal, TCIFLUSH)
            line = []
            _ = screen.tell((screen.canRedraw ? "\r\u{1B}[K" : "") + prompt)
        }
    }

    private enum Progress {
        case more
        case line
        case ended
    }

    private static func readAvailable(_ terminal: Int32, into line: inout [UInt8]) -> Progress {
        var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 0) > 0 else { return .more }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(terminal, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? .more : .ended }
        line += buffer[..<count]
        if line.contains(UInt8(ascii: "\n")) { return .line }
        return line.count > 4096 ? .ended : .more
    }

    /// Controlling terminal; nil if there is none, or if a background job would be stopped for reading from it.
    private static func open() -> Int32? {
        let terminal = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard terminal >= 0 else { return nil }
        guard tcgetpgrp(terminal) == getpgrp() else {
            close(terminal)
            return nil
        }
        return terminal
    }
}
