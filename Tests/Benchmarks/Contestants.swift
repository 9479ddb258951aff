import Foundation
import TestSupport

/// Ours: `portolan send` to a `portolan receive` that waits.
struct PortolanByAddress: Contestant {
    let name = "portolan"
    let portolan: String
    private static let port: UInt16 = 47217

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        try await b.startServing(Command([portolan, "receive", "--into", folder, "--yes"]), port: Self.port)
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        Command([portolan, "send", file, "--to", "\(b.address):\(Self.port)"])
    }
}

/// The plainest copy there is: no encryption, no authentication, no check, from file to file.
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

/// socat with TLS 1.3 and a certificate that the sender checks.
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

/// scp with its default cipher, to an sshd with keys and configuration of its own; the user's are not read.
final class Scp: Contestant {
    let name = "scp"
    let needs = ["scp", "ssh-keygen", "sshd"]
    let receiverStays = true
    private static let port: UInt16 = 2222
    private let daemon = Once<RunningCommand>()

    private func folder(_ host: TestHost) -> String { host.directory + "/ssh" }

    func prepare(from a: TestHost, to b: TestHost) async throws {
        guard daemon.value == nil else { return }
        let keys = folder(b)
        try Files.makeFolder(keys)
        for key in ["host", "user"] {
            try await b.require(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(keys)/\(key)"])
        }
        try Files.write(Files.read(keys + "/user.pub"), to: keys + "/authorized")
        let host = String(decoding: try Files.read(keys + "/host.pub"), as: UTF8.self)
        try Files.write("[\(b.address)]:\(Self.port) \(host)", to: keys + "/known")
        let server = ["/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        try Files.write(
            """
            Port \(Self.port)
            ListenAddress \(b.address)
            HostKey \(keys)/host
            AuthorizedKeysFile \(keys)/authorized
            UsePAM no
            StrictModes no
            PermitRootLogin prohibit-password
            PasswordAuthentication no
            PidFile none
            UseDNS no
            PrintMotd no
            Subsystem sftp \(server ?? "internal-sftp")

            """, to: keys + "/sshd.conf")
        try Files.write(
            """
            Host *
                Port \(Self.port)
                User root
                IdentityFile \(keys)/user
                IdentitiesOnly yes
                UserKnownHostsFile \(keys)/known
                StrictHostKeyChecking yes
                BatchMode yes
                LogLevel ERROR

            """, to: keys + "/ssh.conf")
        try await b.require(["mkdir", "-p", "/run/sshd"])
        let path = try await b.run(["sh", "-c", "command -v sshd"]).text.split(separator: "\n").first ?? "sshd"
        let sshd = Command([String(path), "-D", "-e", "-f", keys + "/sshd.conf"])
        daemon.set(try await b.startServing(sshd, port: Self.port))
        let trial = try await a.run(["ssh", "-F", keys + "/ssh.conf", b.address, "true"])
        guard trial.code == 0 else { throw HostsError("sshd does not let us in: \(trial.errorText)") }
    }

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        guard let daemon = daemon.value else { throw HostsError("sshd was not started") }
        return daemon
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        Command(["scp", "-q", "-F", self.folder(b) + "/ssh.conf", file, "\(b.address):\(folder)/file"])
    }
}

extension TestHost {
    /// Starts a server and waits until it listens.
    func startServing(_ command: Command, port: UInt16) async throws -> RunningCommand {
        // The one before may be about to end.
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
