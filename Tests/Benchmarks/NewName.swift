import TestSupport

/// 1 KiB of text to a name that is new to the sender's machine, compared with the time to list such services.
struct NewName {
    let portolan: String
    let options: Options

    func run() async throws -> [Verdict] {
        if let obstacle = HostLink.obstacleToDaemons {
            say("\nTo a name not yet discovered: left out, \(obstacle)")
            return []
        }
        if let missing = HostLink.missing(["avahi-browse"]) {
            say("\nTo a name not yet discovered: left out, no '\(missing)' here (run Config/setup)")
            return []
        }
        let rounds = options.rounds * 2
        say("\n1 KiB of text to a name not yet discovered, from process start to receipt; \(rounds) rounds")
        var ours: [Double] = []
        var theirs: [Double] = []
        try await HostPair.with(.daemon, in: options.directory) { a, b, _ in
            let inbox = b.files + "/in"
            try Files.makeFolder(inbox)
            let receive = Command([portolan, "receive", "--into", inbox, "--yes"])
            _ = try await b.startServing(receive, port: 47217)
            // The receiver runs for a while, so that its first announcements are over.
            try await Task.sleep(for: .seconds(5))
            for round in 0...rounds {
                for isOurs in [true, false] {
                    try await forget(a)
                    let command =
                        isOurs
                        ? Command([portolan, "send", "--text", String(repeating: "x", count: 1024), "--to", "ben"])
                        : Command(["avahi-browse", "-rpt", "_portolan._tcp"])
                    let outcome = try await a.run(command)
                    guard outcome.code == 0, isOurs || outcome.text.contains("ben.local") else {
                        throw HostsError("\(outcome)")
                    }
                    guard round > 0 else { continue }
                    if isOurs {
                        ours.append(outcome.duration / .seconds(1))
                    } else {
                        theirs.append(outcome.duration / .seconds(1))
                    }
                }
            }
        }
        say(Table.times([("portolan send", ours), ("avahi-browse -rpt, listing only", theirs)]))
        return [Verdict("1 KiB to a new name: time to that of avahi-browse", ours, to: theirs, .atMost(0.6))]
    }

    /// Clears the cache of a host's daemon.
    private func forget(_ host: TestHost) async throws {
        try await host.stopDaemon(politely: false)
        try await host.startDaemon()
        // The announcements of the daemon after its start would disturb both.
        try await Task.sleep(for: .seconds(1))
    }
}
