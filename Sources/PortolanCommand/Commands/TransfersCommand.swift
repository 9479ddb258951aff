import ArgumentParser
import Portolan
import PortolanTrust

/// `portolan transfers`: what runs, and what was interrupted.
struct TransfersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "List, stop and forget what is being sent, or was interrupted and can go on.",
        discussion: """
            'running' is on its way; 'waiting' waits for an answer, or to try again after the connection broke; 'resumable' was \
            interrupted, and goes on with 'portolan resume', or with the same command. What has ended is not listed.

              portolan transfers
              portolan transfers --json
              portolan transfers cancel k3xq7m2a
              portolan transfers forget k3xq7m2a
            """,
        subcommands: [TransfersListCommand.self, TransfersCancelCommand.self, TransfersForgetCommand.self],
        defaultSubcommand: TransfersListCommand.self)
}

/// `portolan transfers list`.
struct TransfersListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show what runs, waits or can go on.")

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let contents = try TransferRegister(settings.home).contents(lifetime: settings.receiveOptions().partialLifetime)
        for complaint in contents.complaints { console.diagnose(complaint) }
        for transfer in contents.transfers {
            console.say(TransferLine.text(transfer))
            console.emit(.transfer(transfer))
        }
        if contents.transfers.isEmpty { console.remark("Nothing is on its way, and nothing was interrupted.") }
    }
}

/// `portolan transfers cancel`.
struct TransfersCancelCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stop one that runs, and leave nothing to go on with.",
        discussion: "The command that sends it ends with 75 within a second.")

    @OptionGroup var choice: NamedTransfer
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let transfer = try TransferRegister(Settings(shared).home).cancel(choice.id)
        console.remark("\(transfer.id) is told to stop.")
        console.emit(.transfer(transfer, kind: .transferCancelled))
    }
}

/// `portolan transfers forget`.
struct TransfersForgetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Take one that was interrupted off the list.",
        discussion: "It can be sent anew. What the receiver kept of it is gone there after a while.")

    @OptionGroup var choice: NamedTransfer
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let transfer = try TransferRegister(Settings(shared).home).forget(choice.id)
        console.remark("\(transfer.id) is forgotten.")
        console.emit(.transfer(transfer, kind: .transferForgotten))
    }
}

/// The transfer that a command is about.
struct NamedTransfer: ParsableArguments {
    @Argument(
        help: ArgumentHelp("What 'portolan transfers' calls it.", valueName: "id"), transform: TransferID.parse)
    var id: TransferID
}
