import ArgumentParser
import Foundation
import PortolanCrypto
import PortolanTrust

/// `portolan id`: who this device is.
struct IdCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "id",
        abstract: "Show this device's name, the fingerprint of its key, and where its state lies.",
        discussion: """
            The fingerprint is what two people compare to be sure that their machines talk to each other and to nobody \
            in between. The key behind it is made at the first start and never leaves this machine.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(help: ArgumentHelp("Give this device another name from now on.", valueName: "name"))
    var name: String?

    func perform(_ console: Console) async throws {
        let home = try shared.homeDirectory()
        let file = try ConfigurationFile.load(path: home.configurationFile)
        if let name {
            try DeviceIdentity.rename(to: DeviceName(name), in: home)
            if let configured = file.name {
                console.diagnose("\(home.configurationFile) calls this device “\(configured)”, and that goes first.")
            }
        }
        let identity = try DeviceIdentity.loadOrCreate(in: home, defaultName: DeviceName(hostName: hostName()))
        show(identity, as: file.name ?? identity.name, in: home, on: console)
    }

    private func show(_ identity: DeviceIdentity, as name: DeviceName, in home: HomeDirectory, on console: Console) {
        console.say(
            """
            name         \(name)
            fingerprint  \(identity.fingerprint)
            key file     \(DisplayText(home.deviceKeyFile, limit: 4096))
            state        \(DisplayText(home.state, limit: 4096))
            settings     \(DisplayText(home.configurationFile, limit: 4096))
            """)
        console.emit(
            Event(
                .id,
                [
                    "name": .string(name.text), "fingerprint": .string(identity.fingerprint.description),
                    "key": .string(identity.publicKey.description), "configuration": .string(home.configurationFile),
                    "data": .string(home.data), "state": .string(home.state),
                    "runtime": .optional(home.runtime) { .string($0) },
                ]))
    }

    private func hostName() -> String {
        ProcessInfo.processInfo.hostName
    }
}
