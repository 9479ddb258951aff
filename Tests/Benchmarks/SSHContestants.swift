import Foundation
import TestSupport

/// An sshd with keys and configuration of its own, without those of the user.
final class SecureShell: Sendable {
    static let needs = ["ssh", "ssh-keygen", "sshd"]
    /// The fastest cipher that OpenSSH has.
    static let fastestCipher = "aes128-gcm@openssh.com"
    private static let port: UInt16 = 2222
    private let daemon = Once<RunningCommand>()

    private func folder(_ host: TestHost) -> String { host.directory + "/ssh" }

    /// Configuration for clients of the server on a host.
    func configuration(of host: TestHost) -> String { folder(host) + "/ssh.conf" }

    /// Running server.
    func server() throws -> RunningCommand {
        guard let daemon = daemon.value else { throw HostsError("sshd was not started") }
        return daemon
    }

    /// Starts the server on b unless it runs, and checks that a can log in.
    func start(from a: TestHost, to b: TestHost) async throws {
        guard daemon.value == nil else { return }
        let keys = folder(b)
        try Files.makeFolder(keys)
        for key in ["host", "user"] {
            try await b.require(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(keys)/\(key)"])
        }
        try Files.write(Files.read(keys + "/user.pub"), to: keys + "/authorized")
        let host = String(decoding: try Files.read(keys + "/host.pub"), as: UTF8.self)
        try Files.write("[\(b.address)]:\(Self.port) \(host)", to: keys + "/known")
        try writeConfigurations(in: keys, address: b.address)
        try await b.require(["mkdir", "-p", "/run/sshd"])
        let path = try await b.run(["sh", "-c", "command -v sshd"]).text.split(separator: "\n").first ?? "sshd"
        let sshd = Command([String(path), "-D", "-e", "-f", keys + "/sshd.conf"])
        daemon.set(try await b.startServing(sshd, port: Self.port))
        let trial = try await a.run(["ssh", "-F", configuration(of: b), b.address, "true"])
        guard trial.code == 0 else { throw HostsError("sshd does not let us in: \(trial.errorText)") }
    }

    private func writeConfigurations(in keys: String, address: String) throws {
        let server = ["/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        try Files.write(
            """
            Port \(Self.port)
            ListenAddress \(address)
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
    }
}

/// scp with its default cipher.
struct Scp: Contestant {
    let name = "scp"
    let needs = SecureShell.needs + ["scp"]
    let receiverStays = true
    let shell: SecureShell

    func prepare(from a: TestHost, to b: TestHost) async throws { try await shell.start(from: a, to: b) }

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand { try shell.server() }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        Command(["scp", "-q", "-r", "-F", shell.configuration(of: b), file, "\(b.address):\(folder)/"])
    }
}

/// tar through ssh with its fastest cipher, the fastest common encrypted method. The output is flushed.
struct TarSSH: Contestant {
    let name = "tar | ssh"
    let needs = SecureShell.needs + ["tar"]
    let receiverStays = true
    let shell: SecureShell

    func prepare(from a: TestHost, to b: TestHost) async throws { try await shell.start(from: a, to: b) }

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand { try shell.server() }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        let ssh = "ssh -F \(shell.configuration(of: b)) -c \(SecureShell.fastestCipher) \(b.address)"
        return pipeline("\(Tar.packing(file)) | \(ssh) '\(Tar.unpacking(into: folder))'")
    }
}
