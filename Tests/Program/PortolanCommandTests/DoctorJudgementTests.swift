import Testing

@testable import PortolanCommand

/// Facts in, findings out: no test here looks at the machine.
@Suite struct DoctorJudgementTests {
    @Test func statusIsTheFirstFaultElseThatForRemarks() {
        let fine = Finding("a", .ok, "fine.")
        let remark = Finding("b", .warn, "odd.")
        let faults = [Finding("c", .fail(.port), "taken."), Finding("d", .fail(.disk), "full.")]
        #expect([fine].status == 0)
        #expect([fine, remark].status == Cause.remarks)
        #expect(([remark, fine] + faults).status == Cause.port.rawValue)
        for cause in Cause.allCases {
            #expect(Cause.table.contains("\(cause.rawValue)  \(cause.meaning)"))
            #expect(ExitCodesPage.page.contains("\(cause.rawValue)  \(cause.meaning)"))
            #expect(ExitStatus(rawValue: cause.rawValue) == nil && cause.rawValue < 128)
        }
    }

    @Test func withoutAnAddressThereIsNoInterface() {
        var cable = InterfaceFacts(name: "lan0")
        let loopback = InterfaceFacts(name: "lo", kind: .loopback, addresses: ["127.0.0.1"])
        #expect(InterfaceJudgement.findings([loopback, cable]).status == Cause.interface.rawValue)
        #expect(InterfaceJudgement.findings([loopback]).status == Cause.interface.rawValue)
        #expect(InterfaceJudgement.findings([loopback], areChosen: true).status == 0)
        #expect(InterfaceJudgement.findings([cable], areChosen: true).status == Cause.interface.rawValue)
        cable.addresses = ["10.77.0.1"]
        cable.multicast = .returned(others: 1)
        #expect(InterfaceJudgement.findings([loopback, cable]).status == 0)
        cable.isUp = false
        #expect(InterfaceJudgement.findings([loopback, cable]).status == Cause.interface.rawValue)
    }

    @Test(arguments: [InterfaceFacts.Multicast.silent, .failed("Operation not permitted")])
    func lostMulticastIsAFault(outcome: InterfaceFacts.Multicast) {
        let facts = InterfaceFacts(name: "lan0", addresses: ["10.77.0.1"], multicast: outcome)
        let findings = InterfaceJudgement.findings([facts])
        #expect(findings.status == Cause.multicast.rawValue)
        #expect(findings.allSatisfy { $0.level == .ok || $0.advice != nil })
        // A container bridge leads to no peer.
        let bridge = InterfaceFacts(name: "docker0", kind: .bridge, addresses: ["172.17.0.1"], multicast: outcome)
        var cable = facts
        cable.multicast = .returned(others: 0)
        #expect(InterfaceJudgement.findings([cable, bridge]).status == Cause.remarks)
    }

    @Test func silentDaemonIsAFaultOnlyIfConfigured() {
        var facts = DiscoveryFacts(daemon: .silent("Daemon not running"), name: "ada")
        #expect(DiscoveryJudgement.findings(facts).status == Cause.remarks)
        facts.choice = .daemon
        #expect(DiscoveryJudgement.findings(facts).status == Cause.daemon.rawValue)
        facts.choice = .embedded
        #expect(DiscoveryJudgement.findings(facts).status == 0)
        facts.clones = ["Two machines show one key."]
        #expect(DiscoveryJudgement.findings(facts).status == Cause.records.rawValue)
    }

    @Test func takenNameIsReported() {
        let facts = DiscoveryFacts(isListening: true, ownNames: ["ada #2"], name: "ada")
        #expect(DiscoveryJudgement.findings(facts).contains { $0.level == .warn && $0.seen.contains("ada #2") })
    }

    @Test func takenPortIsAFaultOnlyIfItIsRequired() {
        var facts = PortFacts(port: 47217, outcome: .taken(by: .unknown))
        #expect([PortJudgement.finding(facts)].status == Cause.remarks)
        facts.isRequired = true
        #expect([PortJudgement.finding(facts)].status == Cause.port.rawValue)
        facts.agentRuns = true
        #expect([PortJudgement.finding(facts)].status == 0)
        // The agent of this home is neither a process of another user nor another program.
        for holder in [PortFacts.Holder.user("root"), .program("nc", process: 7)] {
            facts.outcome = .taken(by: holder)
            #expect([PortJudgement.finding(facts)].status == Cause.port.rawValue)
        }
        #expect(PortJudgement.finding(facts).seen.contains("“nc” (process 7)"))
        facts.outcome = .taken(by: .program("portolan", process: 7))
        #expect([PortJudgement.finding(facts)].status == 0)
        // A configured port is not free for a second program either.
        facts.agentRuns = false
        #expect([PortJudgement.finding(facts)].status == Cause.port.rawValue)
    }

    @Test func fewFoldersToWatchAreRemarked() {
        var facts = SystemFacts(
            watchLimit: 100_000, instanceLimit: 128, openFiles: 20_000, landlock: 7,
            clock: ClockFacts(wall: 1_800_000_000, jump: 0, isSynchronised: true))
        #expect(SystemJudgement.findings(facts).status == 0)
        facts.watchLimit = 500
        #expect(SystemJudgement.findings(facts).status == Cause.remarks)
    }

    @Test func diskWithoutSpaceOrInodesIsAFault() {
        var facts = DiskFacts(folder: "/a", freeBytes: 10 << 30, freeFiles: 1_000_000, reserve: 1 << 20)
        #expect([StorageJudgement.finding(facts)].status == 0)
        facts.freeFiles = 0
        #expect([StorageJudgement.finding(facts)].status == Cause.disk.rawValue)
        facts.freeFiles = nil
        facts.freeBytes = 1 << 20
        #expect([StorageJudgement.finding(facts)].status == Cause.disk.rawValue)
    }

    @Test func stateAccessibleToOthersIsAFault() {
        func status(_ outcome: StateFacts.Outcome) -> Int32 {
            StorageJudgement.findings([StateFacts(path: "/a", outcome: outcome)]).status
        }
        #expect(status(.absent) == 0)
        #expect(status(.present(permissions: 0o700, isOwn: true)) == 0)
        #expect(status(.present(permissions: 0o750, isOwn: true)) == Cause.state.rawValue)
        #expect(status(.present(permissions: 0o700, isOwn: false)) == Cause.state.rawValue)
        #expect(status(.unreadable("Permission denied")) == Cause.state.rawValue)
    }

    @Test func aPeerIsReachedByOneAddressAndEachFaultHasItsCause() {
        func status(_ answers: [PeerFacts.Answer]) -> Int32 {
            let attempts = answers.map { PeerFacts.Attempt(address: "10.77.0.2:47217", answer: $0) }
            return PeerJudgement.findings(PeerFacts(target: "ben", attempts: attempts)).status
        }
        #expect(status([.silent, .connected(milliseconds: 3)]) == 0)
        #expect(status([.refused]) == Cause.peerRefuses.rawValue)
        #expect(status([.silent]) == Cause.peerSilent.rawValue)
        #expect(status([.unroutable("No route to host")]) == Cause.peerUnroutable.rawValue)
        let absent = PeerFacts(target: "ben", absence: "No peer called “ben” answered within 5 s.")
        #expect(PeerJudgement.findings(absent).status == Cause.peerUnknown.rawValue)
    }

    @Test func rulesOfNftAreRead() throws {
        let text = """
            {"nftables": [
              {"chain": {"family": "inet", "table": "filter", "name": "input", "type": "filter", "hook": "input",
                "prio": 0, "policy": "accept"}},
              {"rule": {"family": "inet", "table": "filter", "chain": "input", "expr": [
                {"match": {"op": "==", "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}},
                {"drop": null}]}}]}
            """
        let rules = try #require(FirewallRule.read(nft: text))
        let findings = FirewallJudgement.findings(.rules(rules), port: 47217)
        #expect(findings.status == Cause.firewall.rawValue && findings.count == 1, "\(findings)")
        #expect(FirewallRule.read(nft: "no JSON") == nil)
    }

    @Test func rulesOfIptablesAreRead() {
        let text = """
            *filter
            :INPUT DROP [0:0]
            -A INPUT -p udp -m udp --dport 5353 -j ACCEPT
            COMMIT
            """
        let findings = FirewallJudgement.findings(.rules(FirewallRule.read(iptables: text)), port: 47217)
        #expect(findings.count == 1 && findings[0].seen.contains("47217"), "\(findings)")
        let open = text.replacing("DROP", with: "ACCEPT")
        #expect(FirewallJudgement.findings(.rules(FirewallRule.read(iptables: open)), port: 47217).status == 0)
    }
}
