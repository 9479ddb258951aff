import ArgumentParser
import Portolan

/// Command that does work, with the common way to report its end.
protocol Subcommand: AsyncParsableCommand, Sendable {
    var shared: SharedOptions { get }

    func makeConsole() -> Console

    /// Does it. A cancelled task means that the user wants it to end in good order.
    func perform(_ console: Console) async throws
}

extension Subcommand {
    func makeConsole() -> Console { shared.makeConsole() }

    func run() async throws {
        let console = makeConsole()
        let command = self
        let task = Task { try await command.perform(console) }
        Interruption.onFirst { task.cancel() }
        do {
            try await task.value
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = CommandFailure(error)
            console.endProgress(transferred: 0)
            console.report(failure)
            throw ExitCode(failure.status.rawValue)
        }
    }
}

/// Command that touches the network.
protocol NetworkSubcommand: Subcommand {
    var network: NetworkOptions { get }
}

extension NetworkSubcommand {
    var shared: SharedOptions { network.shared }
}

/// Command that the agent does or helps with.
protocol AgentSubcommand: Subcommand {
    var options: AgentSubcommandOptions { get }
}

extension AgentSubcommand {
    var agent: AgentOptions { options.agent }
    var shared: SharedOptions { options.shared }
}

extension Console {
    /// Emits the end of a command.
    ///
    /// - Throws: `ExitCode` for a status other than ``ExitStatus/done``.
    func end(_ status: ExitStatus) throws {
        emit(.end(status))
        if status != .done { throw ExitCode(status.rawValue) }
    }

    func report(_ failure: CommandFailure) {
        emit(
            \.error,
            .init(
                code: failure.status.rawValue, kind: failure.status.word, message: failure.description,
                candidates: failure.candidates, fault: failure.fault))
        let text = failure.description
        // A connection fault lists the attempts, so its text is long, and is wrapped for reading at once.
        diagnose(failure.fault == nil ? text : Paragraph.wrapped(text, after: Console.prefix.count))
    }
}
