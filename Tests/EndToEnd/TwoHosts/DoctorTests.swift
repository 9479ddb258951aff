import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Faults that are made, and named by `portolan doctor`.
    @Suite("Doctor") struct Doctor {
        /// The faults that it names, by their words, and its exit status.
        private func examine(
            _ host: TestHost, _ arguments: [String] = []
        ) async throws -> (faults: Set<String>, code: Int32) {
            let outcome = try await host.run(host.portolan(["doctor", "--json"] + arguments))
            let findings = jsonObjects(outcome.text)
            #expect(findings.count >= 1, "\(outcome)")
            for finding in findings {
                #expect(finding["probe"] is String && finding["level"] is String && finding["seen"] is String)
            }
            return (Set(findings.compactMap { $0["cause"] as? String }), outcome.code)
        }

        private func drop(_ rule: String, on host: TestHost) async throws {
            let rules = """
                table inet doctor {
                    chain input {
                        type filter hook input priority 0; policy accept;
                        \(rule) drop
                    }
                }
                """
            try Files.write(rules, to: host.directory + "/doctor.nft")
            try await host.require(["nft", "-f", host.directory + "/doctor.nft"])
        }

        @Test func receivingPeerIsReached() async throws {
            try await HostPair.with(.none) { a, b, _ in
                _ = try await b.receive(into: b.files + "/inbox")
                let (faults, _) = try await examine(a, ["ben"])
                #expect(
                    faults.isDisjoint(with: ["peer-unknown", "peer-refuses", "peer-silent", "multicast", "interface"]))
            }
        }

        @Test func unusedPortIsReportedAsRefused() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let (faults, _) = try await examine(a, ["\(b.address):47217"])
                #expect(faults.contains("peer-refuses"))
            }
        }

        @Test(.disabled(if: HostLink.missing(["nft"]) != nil, "there is no nft"))
        func droppingFirewallIsSilentOutsideAndNamedInside() async throws {
            try await HostPair.with(.none) { a, b, _ in
                _ = try await b.receive(into: b.files + "/inbox")
                try await drop("tcp dport 47217", on: b)
                #expect(try await examine(a, ["\(b.address):47217"]).faults.contains("peer-silent"))
                #expect(try await examine(b).faults.contains("firewall"))
            }
        }

        @Test(.disabled(if: HostLink.missing(["nft"]) != nil, "there is no nft"))
        func droppedMulticastIsDetected() async throws {
            try await HostPair.with(.none) { a, _, _ in
                try await drop("udp dport 5353", on: a)
                let (faults, code) = try await examine(a)
                #expect(faults.isSuperset(of: ["multicast", "firewall"]))
                #expect(code == 104)
            }
        }

        @Test func aNameWithoutAnAnswerIsUnknown() async throws {
            try await HostPair.with(.none) { a, _, _ in
                try await a.configure("timeouts: { find: 2 }\n")
                #expect(try await examine(a, ["nobody"]).faults.contains("peer-unknown"))
            }
        }

        @Test func withoutAnAddressThereIsNoInterface() async throws {
            try await HostPair.with(.none) { a, _, _ in
                try await a.require(["ip", "link", "set", TestHost.interface, "down"])
                let (faults, code) = try await examine(a)
                #expect(faults.contains("interface") && code == 103)
            }
        }

        @Test func takenPortIsReported() async throws {
            try await HostPair.with(.none) { a, _, _ in
                _ = try await a.receive(into: a.files + "/inbox", ["--yes", "--port", "47300"], port: 47300)
                #expect(try await examine(a, ["--port", "47300"]).faults.contains("port"))
                #expect(try await !examine(a, ["--port", "47301"]).faults.contains("port"))
            }
        }

        @Test func aFullDiskIsNamed() async throws {
            try await HostPair.with(.none) { a, _, _ in
                let inbox = a.files + "/inbox"
                try await a.mountDisk(at: inbox, size: 1 << 20)
                try await a.require(["sh", "-c", "head -c 1048576 /dev/zero >\(inbox)/large || true"])
                try await a.configure("inbox: \(inbox)\n")
                #expect(try await examine(a).faults.contains("disk"))
            }
        }

        @Test func stateReadableByOthersIsReported() async throws {
            try await HostPair.with(.none) { a, _, _ in
                _ = try await a.fingerprint()
                try await a.require(["chmod", "755", a.home + "/.local/state/portolan"])
                let (faults, code) = try await examine(a)
                #expect(faults.contains("state") && code == 102)
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDaemons != nil, HostLink.commentOnDaemons))
        func missingDaemonIsAFaultIfConfigured() async throws {
            try await HostPair.with(.daemon) { a, _, _ in
                #expect(try await !examine(a, ["--discovery", "avahi"]).faults.contains("daemon"))
                try await a.stopDaemon(politely: false)
                #expect(try await examine(a, ["--discovery", "avahi"]).faults.contains("daemon"))
                #expect(try await !examine(a).faults.contains("daemon"))
            }
        }
    }
}
