import Foundation
import TestSupport

/// tar at both ends of a connection without encryption. The output is flushed.
struct TarSocat: Contestant {
    let name = "tar | socat"
    let needs = ["tar", "socat", "bash"]
    let receiverEnds = true
    private static let port: UInt16 = 5103

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        let listen = "socat -u -b 262144 TCP-LISTEN:\(Self.port),reuseaddr STDOUT"
        return try await b.startServing(pipeline("\(listen) | (\(Tar.unpacking(into: folder)))"), port: Self.port)
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        pipeline("\(Tar.packing(file)) | socat -u -b 262144 STDIN TCP:\(b.address):\(Self.port)")
    }
}

/// `rsync -a` to an rsync daemon, without encryption. The output is flushed.
final class RsyncDaemon: Contestant {
    let name = "rsync"
    let needs = ["rsync"]
    let receiverStays = true
    private static let port: UInt16 = 8730
    private let daemon = Once<RunningCommand>()

    func prepare(from a: TestHost, to b: TestHost) async throws {
        guard daemon.value == nil else { return }
        let configuration = b.directory + "/rsyncd.conf"
        try Files.write(
            """
            use chroot = no
            uid = 0
            gid = 0
            [files]
            path = \(b.files)
            read only = no

            """, to: configuration)
        let command = ["rsync", "--daemon", "--no-detach", "--config=\(configuration)", "--port=\(Self.port)"]
        daemon.set(try await b.startServing(Command(command + ["--address=\(b.address)"]), port: Self.port))
    }

    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand {
        guard let daemon = daemon.value else { throw HostsError("rsync was not started") }
        return daemon
    }

    func sender(of file: String, to b: TestHost, into folder: String) -> Command {
        let inside = folder.dropFirst(b.files.count)
        return Command(["rsync", "-a", "--fsync", file, "rsync://\(b.address):\(Self.port)/files\(inside)/"])
    }
}

/// Commands for a file or folder through tar.
enum Tar {
    static func packing(_ item: String) -> String {
        let url = URL(fileURLWithPath: item)
        return "tar -C \(url.deletingLastPathComponent().path) -cf - \(url.lastPathComponent)"
    }

    static func unpacking(into folder: String) -> String { "tar -C \(folder) -xf - && sync -f \(folder)" }
}

/// Shell line that fails if any part of it fails.
func pipeline(_ line: String) -> Command { Command(["bash", "-o", "pipefail", "-c", line]) }
