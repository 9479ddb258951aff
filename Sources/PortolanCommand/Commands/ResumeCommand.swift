import ArgumentParser
import Foundation
import Portolan
import PortolanTrust

/// `portolan resume`: goes on with what was interrupted.
struct ResumeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on with sendings that were interrupted.",
        discussion: """
            Runs the 'send' commands again that 'portolan transfers' shows as resumable, one after the other, each in the folder it was \
            started in. What the receiver holds already is compared, and not sent again. Without an ID, all of them. What was being \
            received goes on when its sender does this.

              portolan resume
              portolan resume k3xq7m2a --json

            The exit status is that of the first that failed, and 23 if none failed and something was left out. With --json, a line 'transfer' stands before what each says.
            """)

    @Argument(
        help: ArgumentHelp("What 'portolan transfers' calls it; all that can go on if left out.", valueName: "id"),
        transform: TransferID.parse)
    var ids: [TransferID] = []

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let register = TransferRegister(settings.home)
        var statuses: [ExitStatus] = []
        for id in try wanted(register, settings, console) {
            statuses.append(try await resume(id, register, settings, console))
        }
        let status = statuses.combined
        console.emit(.result(status))
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func wanted(
        _ register: TransferRegister, _ settings: Settings, _ console: Console
    ) throws -> [TransferID] {
        guard ids.isEmpty else { return ids }
        let contents = try register.contents(lifetime: settings.receiveOptions().partialLifetime)
        for complaint in contents.complaints { console.diagnose(complaint) }
        let resumable = contents.transfers.filter { $0.status == .resumable }
        if resumable.isEmpty { console.remark("Nothing was interrupted.") }
        return resumable.map(\.id)
    }

    /// What goes wrong with one does not keep the others from going on.
    private func resume(
        _ id: TransferID, _ register: TransferRegister, _ settings: Settings, _ console: Console
    ) async throws -> ExitStatus {
        do {
            let (record, lock) = try register.take(id)
            let command = try command(for: record, settings)
            console.remark(TransferView(record).line)
            console.emit(.transfer(TransferView(record)))
            return try await command.send(settings, console, goingOnWith: (record, lock))
        } catch {
            try Task.checkCancellation()
            let failure = CommandFailure(error)
            console.endProgress(transferred: 0)
            console.report(failure)
            return failure.status
        }
    }

    /// - Throws: `CommandFailure`
    private func command(for record: TransferRecord, _ settings: Settings) throws -> SendCommand {
        guard let arguments = record.arguments, var command = try? SendCommand.parse(arguments) else {
            throw CommandFailure(.badData, "\(record.id) cannot be sent again; send it anew.")
        }
        // It was told where the state is, and how to tell what happens, for this run.
        command.shared = shared
        guard FileManager.default.changeCurrentDirectoryPath(record.folder) else {
            throw CommandFailure(
                .noInput, "The folder \(DisplayText(record.folder, limit: 4096)), from which it was sent, is gone.")
        }
        return command
    }
}
