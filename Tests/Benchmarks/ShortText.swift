import TestSupport

/// 1 KiB of text to a known address: the time from the start of the command to the receipt.
struct ShortText {
    let portolan: String
    let options: Options
    let shell: SecureShell

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        say("\n1 KiB of text to a known address, from process start to receipt; \(options.shortRounds) rounds")
        let file = a.files + "/text.txt"
        try Files.write(String(repeating: "See you at five. ", count: 61).prefix(1024).description, to: file)
        let contestants: [any Contestant] = [PortolanText(portolan: portolan), SocatTLS(), Scp(shell: shell)]
        let results = try await Measurements(
            of: contestants, rounds: options.shortRounds, Load(item: file), from: a, to: b)
        say(Table.times(contestants.map { ($0.name, results.seconds(of: $0.name)) }))
        return
            results.verdict("1 KiB: time to that of socat with TLS 1.3", to: "socat with TLS 1.3", .atMost(2)) {
                $0.seconds
            }
            + results.verdict("1 KiB: time to that of scp", to: "scp", .atMost(0.25)) { $0.seconds }
    }
}

/// `portolan send --text` to a running receiver.
final class PortolanText: Contestant {
    let name = Measurements.ours
    let receiverStays = true
    private let portolan: String
    private let waiting = Once<RunningCommand>()

    init(portolan: String) { self.portolan = portolan }

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        if let waiting = waiting.value { return waiting }
        let receiver = try await PortolanByAddress(portolan: portolan).receiver(on: b, into: folder)
        waiting.set(receiver)
        return receiver
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        let text = (try? Files.read(file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Command([portolan, "send", "--text", text, "--to", "\(b.address):47217"])
    }
}
