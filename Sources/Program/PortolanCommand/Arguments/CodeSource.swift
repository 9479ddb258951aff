import Glibc
import PortolanConcurrency
import PortolanCrypto
import PortolanValues

/// Source of a pairing code that another machine shows.
enum CodeSource: Sendable, Hashable {
    /// Code on the command line.
    case given(PairingCode)
    /// The first line that can be read there.
    case descriptor(Int32)
    /// Input by a person at the terminal.
    case terminal

    /// Number of times that a person at a terminal is asked.
    private static let attempts = 3

    /// Reads the code.
    ///
    /// - Throws: `CommandFailure` when there is none or it is invalid, `CancellationError`.
    func read(_ console: Console) async throws -> PairingCode {
        switch self {
        case .given(let code): return code
        case .descriptor(let descriptor):
            let line = try await FirstLine.read(from: descriptor, limit: PairingCode.maximumTextLength)
            return try translating(PairingCode(String(decoding: line, as: UTF8.self))) { (error: PairingCodeError) in
                CommandFailure(.badData, error.description)
            }
        case .terminal: return try await ask(console)
        }
    }

    private func ask(_ console: Console) async throws -> PairingCode {
        var complaint = ""
        for _ in 0..<Self.attempts {
            switch try await console.put(complaint + "Code: ") {
            case .nobody:
                throw CommandFailure(
                    .usage,
                    "There is no terminal to ask for the code on. Write the code to standard input and give - for it, or name "
                        + "a descriptor with --code-fd.")
            case .ended: throw CommandFailure(.badData, PairingCodeError.empty.description)
            case .line(let line):
                do throws(PairingCodeError) {
                    return try PairingCode(String(decoding: line, as: UTF8.self))
                } catch {
                    complaint = error.description + "\n"
                }
            }
        }
        throw CommandFailure(.badData, String(complaint.dropLast()))
    }
}

/// Reads the first line from a descriptor.
enum FirstLine {
    /// Reads no byte after the line, since it may belong to another program.
    ///
    /// - Parameter limit: largest length of the line; the result is one byte longer if the line is longer.
    /// - Throws: `CommandFailure` when the descriptor cannot be read, `CancellationError`.
    static func read(from descriptor: Int32, limit: Int) async throws -> [UInt8] {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY else {
            throw CommandFailure(
                .usage, "Descriptor \(descriptor) is not open for reading; open it, such as with \(descriptor)<FILE.")
        }
        let wait = try InputWait()
        var line: [UInt8] = []
        while line.count <= limit {
            let byte = try await wait.read(from: descriptor, upTo: 1, named: "Descriptor \(descriptor)")
            if byte.isEmpty || byte == [UInt8(ascii: "\n")] { break }
            line += byte
        }
        return line
    }
}

extension InputWait {
    /// Reads what is there as soon as something is; nothing at the end. It waits on no thread of the pool: a person may
    /// type, and may pause.
    ///
    /// - Parameter name: beginning of the sentence when it cannot be read.
    /// - Throws: `CommandFailure` when it cannot be read, `CancellationError`.
    func read(from descriptor: CInt, upTo limit: Int, named name: String) async throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 0) > 0 else {
                try await untilReadable(descriptor)
                continue
            }
            let count = Glibc.read(descriptor, &buffer, limit)
            if count >= 0 { return Array(buffer[..<count]) }
            guard errno == EAGAIN || errno == EINTR else {
                throw CommandFailure(.noInput, "\(name) cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }
}
