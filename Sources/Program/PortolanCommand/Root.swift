import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSyncFolder

/// `portolan`.
struct Root: AsyncParsableCommand {
    static let version = ProgramVersion.number

    static let configuration = CommandConfiguration(
        "portolan", "Carry typed items between machines on one network.",
        examples: """
            portolan send photo.png            # on A: shows a code
            portolan receive 7-walnut-harbor   # on B: takes the items of A, and ends
            portolan receive --into ~/Drop     # on B: asks before it takes anything
            portolan peers                     # on A: who is there, such as bob@B
            portolan send photo.png --to bob@B
            portolan pair                      # shows a code, to be entered on the other
            portolan demo                      # on this machine alone, explained
            """,
        manual: """
            Start with 'portolan demo'. Then run 'portolan send FILE' on one machine and 'portolan receive CODE' on another, with the \
            code that the first one shows; or 'portolan receive --into ~/Drop' on one and 'portolan send FILE --to NAME' on another: \
            'portolan peers' shows who is there.

            No set-up is needed. Each device makes a key of its own at the first start; people compare its fingerprint \
            ('portolan id') to be sure of each other, unless 'portolan pair' does it for them with a code. 'portolan \
            team' makes teams, to send to all members at once and hide from all other devices.

            Where the locale (LC_ALL, LC_CTYPE or LANG) is not UTF-8, or TERM is dumb, lines for people are ASCII: other \
            letters in names are written by their numbers, such as \\u{E9}. NO_COLOR turns colours off. --json is UTF-8 everywhere.
            """,
        version: ProgramVersion.full,
        subcommands: [
            DemoCommand.self, ReceiveCommand.self, PeersCommand.self, SendCommand.self, OfferCommand.self,
            ShareCommand.self, ShelfCommand.self, UnshareCommand.self, ListCommand.self, GetCommand.self,
            TransfersCommand.self, ResumeCommand.self, AgentCommand.self, OutboxCommand.self, InboxCommand.self,
            ReceiptCommand.self, PolicyCommand.self, EventsCommand.self, WaitCommand.self,
            PairCommand.self, ContactsCommand.self, TeamCommand.self, SyncCommand.self,
            IdCommand.self, ConfigCommand.self, DoctorCommand.self, TypesCommand.self,
            ManualCommand.self, ExitCodesPage.self, JSONOutputPage.self,
        ])
}

/// Entry point of the process.
///
/// Not `async`: an asynchronous `main` begins with other threads running, which would not have the signals blocked.
@main
enum Main {
    /// Words of the command line in the order of ``WordOrder``.
    private static let words = WordOrder.ordered(ProgramWords.all, below: Root.self)

    static func main() {
        ProcessMemory.giveBack()
        Terminal.replaceClosed()
        guard CommandLine.argc > 0 else {
            _ = Terminal.diagnostics.tell("\(Console.prefix)The command line cannot be read, since /proc is missing.\n")
            exit(ExitStatus.inputOutput.rawValue)
        }
        if words.first == DatabaseWriterProcess.word {
            exit(DatabaseWriterProcess.run(Array(words.dropFirst())))
        }
        AgentRunCommand.setUpProcess(words)
        Interruption.listen()
        ProcessDescriptors.raiseLimit()
        TaskThreads.install()
        // Detached, because this thread only waits from now on, and it is the main actor's.
        Task.detached { await run() }
        DispatchSemaphore(value: 0).wait()
    }

    /// True if a debugger may attach and core dumps are permitted. Always false in release builds.
    private static var isDebuggable: Bool {
        #if DEBUG
            ProcessInfo.processInfo.environment["PORTOLAN_DEBUGGABLE"] != nil
        #else
            false
        #endif
    }

    /// True if ArgumentParser's output is for programs.
    private static var isForPrograms: Bool {
        words.contains { $0.hasPrefix("--experimental-dump-help") || $0.hasPrefix("--generate-completion-script") }
    }

    private static func run() async -> Never {
        do {
            if !isDebuggable { try ProcessMemory.forbidReading() }
            if let script = CompletionScript.asked(by: ProgramWords.all) {
                _ = Terminal.output.write(script + "\n")
                end()
            }
            var command = try Root.parseAsRoot(words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            if let end = UsageFailure.end(for: error, in: words, below: Root.self) {
                if words.prefix(while: { $0 != "--" }).contains("--json") {
                    let status = ExitStatus(rawValue: end.status.rawValue) ?? .usage
                    let event = NodeEvent(
                        \.error, .init(code: status.rawValue, kind: status.word, message: end.sentence, candidates: []))
                    _ = Terminal.output.write(event.line + "\n")
                }
                _ = Terminal.diagnostics.tell(end.text + "\n")
                Root.exit(withError: end.status)
            }
            guard Root.exitCode(for: error) == .success else { end(error) }
            let text = Root.fullMessage(for: error)
            if isForPrograms {
                _ = Terminal.output.write(text + "\n")
            } else if !text.isEmpty {
                try? Terminal.output.tell(page: HelpPage.fitted(text) + "\n")
            }
        }
        end()
    }

    /// Ends the process; where output was lost, success is a failure.
    private static func end(_ error: (any Error)? = nil) -> Never {
        if let loss = Terminal.loss {
            _ = Terminal.diagnostics.tell("\(Console.prefix)\(loss)\n")
            if error == nil { Root.exit(withError: ExitCode(ExitStatus.inputOutput.rawValue)) }
        }
        Root.exit(withError: error)
    }
}
