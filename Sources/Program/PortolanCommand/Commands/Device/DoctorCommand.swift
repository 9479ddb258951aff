import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan doctor`: why it does not work.
struct DoctorCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "doctor", "Look for obstacles of this device, or of one peer.",
        examples: """
            portolan doctor
            portolan doctor workstation
            portolan doctor --json
            """,
        manual: """
            One line for each check: ok, warn or FAIL, the finding, and the next step. With a peer, it is looked for, \
            and each of its addresses is connected to. It changes nothing, and sends a question by mDNS alone. Root \
            reads the firewall's rules, too.

            It ends with 0 where nothing was found, with 1 where only remarks were, or else with the number of the first fault:

            \(Cause.table)
            """)

    @Argument(help: .value("peer", "A peer to look for and connect to: NAME or HOST:PORT."))
    var peer: String?

    @Option(
        help: .value("port", "The port to listen on; by default that of the configuration."),
        transform: PortSyntax.parse)
    var port: UInt16?

    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let settings: Settings
        do {
            settings = try Settings(shared)
        } catch let error as ConfigurationError {
            let finding = Finding("configuration", .fail(.configuration), error.description)
            show([finding], on: console)
            throw ExitCode(Cause.configuration.rawValue)
        }
        let examination = Examination(settings: settings, node: try settings.node(network, port: port))
        var all: [Finding] = []
        for probe in examination.probes(peer: peer) {
            let findings = try await probe()
            try Task.checkCancellation()
            show(findings, on: console)
            all += findings
        }
        if all.status != 0 { throw ExitCode(all.status) }
    }

    private func show(_ findings: [Finding], on console: Console) {
        for finding in findings {
            if finding.level == .ok {
                console.remark(FindingLine.text(finding))
            } else {
                console.say(FindingLine.text(finding))
            }
            console.emit(FindingLine.event(finding))
        }
    }
}
