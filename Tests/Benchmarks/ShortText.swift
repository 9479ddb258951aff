import TestSupport

/// 1 KiB of text to a known address: what a person waits from the start of the command to the receipt.
struct ShortText {
    let portolan: String
    let options: Options
    let scp: Scp

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        say("\n1 KiB of text to a known address, from process start to receipt; \(options.shortRounds) rounds")
        let file = a.files + "/text.txt"
        try Files.write(String(repeating: "See you at five. ", count: 61).prefix(1024).description, to: file)
        let contestants: [any Contestant] = [PortolanText(portolan: portolan), SocatTLS(), scp]
        let results = try await interleave(
            contestants, rounds: options.shortRounds, file: file, from: a, to: b, watchesMemory: false)
        let seconds = results.mapValues { $0.map(\.seconds) }
        say(Table.times(contestants.map { ($0.name, seconds[$0.name] ?? []) }))

        guard let ours = seconds["portolan"] else { return [] }
        var verdicts: [Verdict] = []
        if let tls = seconds["socat with TLS 1.3"] {
            verdicts.append(Verdict("1 KiB: time to that of socat with TLS 1.3", ours, to: tls, .atMost(2)))
        }
        if let scp = seconds["scp"] {
            verdicts.append(Verdict("1 KiB: time to that of scp", ours, to: scp, .atMost(0.25)))
        }
        return verdicts
    }
}

/// `portolan send --text` to a receiver that stays.
final class PortolanText: Contestant {
    let name = "portolan"
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
