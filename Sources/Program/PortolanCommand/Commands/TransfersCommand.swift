import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanOutbox
import PortolanSettings

/// `portolan transfers`: running and interrupted transfers.
struct TransfersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "transfers", "List, stop and forget transfers that are running, or were interrupted and can go on.",
        examples: """
            portolan transfers
            portolan transfers --json
            portolan transfers cancel k3xq7m2a
            portolan transfers forget k3xq7m2a
            """,
        manual: """
            'running' is on its way; 'waiting' waits for an answer, or to try again after the connection broke; \
            'resumable' was interrupted: a sending goes on with 'portolan resume' or with the same command, and a \
            receiving when its sender sends again. The sender's figure counts bytes sent, the receiver's bytes kept; \
            when it goes on, only kept bytes are not sent again. It is kept for as long as the configuration says, 7 \
            days if it says nothing. Ended transfers are not listed.

            Deliveries of the agent stand below, with 0 bytes, and are changed with 'portolan outbox'.
            """,
        subcommands: [TransfersListCommand.self, TransfersCancelCommand.self, TransfersForgetCommand.self],
        defaultSubcommand: TransfersListCommand.self)
}

/// `portolan transfers list`.
struct TransfersListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "list", "Show what runs, waits or can go on.",
        examples: """
            portolan transfers list
            portolan transfers list --json
            """)

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let contents = try await TransferRegister(settings.home).contents(settings, console)
        let partials = try await Node(settings.node(nil)).partials()
        let queued = contents.parcels.map { TransferState($0, in: settings.home) }
        let transfers = contents.transfers.map(TransferState.init) + partials.map(TransferState.init) + queued
        for transfer in transfers {
            console.say(transfer.line)
            console.emit(\.transfer, transfer)
        }
        if transfers.isEmpty { console.remark("Nothing is on its way, and nothing was interrupted.") }
    }
}

extension TransferRegister {
    /// The content of the register of a home, with its complaints said.
    func contents(_ settings: Settings, _ console: Console) async throws -> Contents {
        let lifetime = settings.receiveOptions().partialLifetime
        let contents = try await withLookupThread { try self.contents(lifetime: lifetime) }
        for complaint in contents.complaints { console.diagnose(complaint) }
        return contents
    }
}

/// `portolan transfers cancel`.
struct TransfersCancelCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "cancel", "Stop one that is on its way, and take it off the list.",
        examples: "portolan transfers cancel k3xq7m2a",
        manual: """
            The command that sends it ends with 75 within a second; the partial lies hidden at the receiver until its \
            time is over. One that is being received fails for its sender, too, which ends with 74, and its partial is \
            removed.
            """)

    @OptionGroup var choice: NamedTransfer
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let transfer = try await choice.change(
            Settings(shared), { try await $0.stopPartial($1) }, else: .idle(choice.id)
        ) { [id = choice.id] in try $0.cancel(id) }
        console.remark("\(transfer.id) is told to stop.")
        console.emit(\.transferCancelled, transfer)
    }
}

/// `portolan transfers forget`.
struct TransfersForgetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "forget", "Take one that was interrupted off the list.",
        examples: "portolan transfers forget k3xq7m2a",
        manual: """
            The partial of a receiving is removed, and its sender begins anew. The receiver keeps the partial of a \
            sending until its time is over, and sending it again goes on with that.
            """)

    @OptionGroup var choice: NamedTransfer
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let transfer = try await choice.change(
            Settings(shared), { try await $0.forgetPartial($1) }, else: .running(choice.id)
        ) { [id = choice.id] in try $0.forget(id) }
        console.remark("\(transfer.id) is forgotten.")
        console.emit(\.transferForgotten, transfer)
    }
}

/// The transfer that a command is about.
struct NamedTransfer: ParsableArguments {
    @Argument(
        help: .value("id", "Its identifier in 'portolan transfers'."),
        completion: Completions.transfers, transform: RecordID.parse)
    var id: RecordID

    /// Changes the transfer: at the node if it is being received, else in the register.
    ///
    /// - Parameters:
    ///   - partial: returns false if what is being received does not permit the change.
    ///   - error: thrown then.
    fileprivate func change(
        _ settings: Settings, _ partial: (Node, String) async throws -> Bool, else error: RegisterError,
        _ sending: @escaping @Sendable (TransferRegister) throws -> TransferRecord
    ) async throws -> TransferState {
        let node = try await Node(settings.node(nil))
        guard let found = try await node.partials().first(where: { $0.id == id.text }) else {
            let register = TransferRegister(settings.home)
            return TransferState(try await withLookupThread { try sending(register) })
        }
        guard try await partial(node, found.id) else { throw error }
        return TransferState(found)
    }
}

extension RecordID {
    /// - Throws: `ValueError` for a text that is no such name.
    static func parse(_ text: String) throws(ValueError) -> RecordID {
        try translating(RecordID(text)) { (error: ValueError) in
            ValueError("\(error) 'portolan transfers' shows what they are called.")
        }
    }
}
