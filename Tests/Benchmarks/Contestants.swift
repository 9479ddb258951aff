import Foundation
import TestSupport

/// Portolan: `portolan send` to a waiting `portolan receive`.
struct PortolanByAddress: Contestant {
    let name = Measurements.ours
    let portolan: String
    private static let port: UInt16 = 47217

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        try await b.startServing(Command([portolan, "receive", "--into", folder, "--yes"]), port: Self.port)
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        Command([portolan, "send", file, "--to", "\(b.address):\(Self.port)"])
    }
}

/// Plain copy from file to file, without encryption, authentication and checks.
struct PlainSocat: Contestant {
    let name = "socat"
    let needs = ["socat"]
    let receiverEnds = true
    private static let port: UInt16 = 5101

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        let listen = ["socat", "-u", "-b", "262144", "TCP-LISTEN:\(Self.port),reuseaddr", "CREATE:\(folder)/file"]
        return try await b.startServing(Command(listen), port: Self.port)
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        Command(["socat", "-u", "-b", "262144", "FILE:\(file)", "TCP:\(b.address):\(Self.port)"])
    }
}

/// socat with TLS 1.3 and a certificate that the sender verifies.
struct SocatTLS: Contestant {
    let name = "socat with TLS 1.3"
    let needs = ["socat", "openssl"]
    let receiverEnds = true
    private static let port: UInt16 = 5102

    private func certificate(_ host: TestHost) -> String { host.directory + "/tls.pem" }

    func prepare(from a: TestHost, to b: TestHost) async throws {
        let keys = b.directory + "/tls"
        try await b.require([
            "openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", keys + ".key", "-out", keys + ".crt",
            "-days", "2", "-subj", "/CN=ben",
        ])
        try Files.write(Files.read(keys + ".key") + Files.read(keys + ".crt"), to: certificate(b))
    }

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        let listen =
            "OPENSSL-LISTEN:\(Self.port),reuseaddr,cert=\(certificate(b)),verify=0,openssl-min-proto-version=TLS1.3"
        return try await b.startServing(Command(["socat", "-u", listen, "CREATE:\(folder)/file"]), port: Self.port)
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        let connect = "OPENSSL:\(b.address):\(Self.port),cafile=\(certificate(b)),verify=1,commonname=ben"
        return Command(["socat", "-u", "FILE:\(file)", connect])
    }
}

extension TestHost {
    /// Starts a server and waits until it listens.
    func startServing(_ command: Command, port: UInt16) async throws -> RunningCommand {
        // The previous server may still be ending.
        let deadline = ContinuousClock.now + .seconds(15)
        while listeningPorts.contains(port), .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        let server = try await start(command)
        while !listeningPorts.contains(port) {
            guard server.isRunning, .now < deadline else {
                throw HostsError("does not listen on port \(port): \(command)\n\(server.output)\(server.errors)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return server
    }
}
