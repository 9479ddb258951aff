import Foundation

/// Finds the process that listens on a TCP port. May block.
enum PortHolder {
    /// - Parameter root: folder of the kernel's files.
    static func find(_ port: UInt16, root: String = "/proc") -> PortFacts.Holder {
        let sockets = ["tcp", "tcp6"].flatMap { listening(on: port, in: "\(root)/net/\($0)") }
        guard let first = sockets.first else { return .unknown }
        for process in processes(root) {
            let folder = "\(root)/\(process)/fd"
            // Only root can read it for other users' processes, and for processes that are not dumpable.
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for file in files {
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)"),
                    sockets.contains(where: { target == "socket:[\($0.inode)]" })
                else { continue }
                return .program(name(of: process, root), process: process)
            }
        }
        return first.user == geteuid() ? .hidden : .user(user(first.user))
    }

    private struct Socket {
        let inode: Substring
        let user: uid_t
    }

    private static let listens = "0A"

    /// Sockets in state LISTEN on that port. Columns as in proc_pid_net(5).
    private static func listening(on port: UInt16, in file: String) -> [Socket] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == listens,
                let local = fields[1].split(separator: ":").last, UInt16(local, radix: 16) == port,
                let user = uid_t(fields[7])
            else { return nil }
            return Socket(inode: fields[9], user: user)
        }
    }

    private static func processes(_ root: String) -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { pid_t($0) }.sorted()
    }

    private static func name(of process: pid_t, _ root: String) -> String {
        let text = (try? String(contentsOfFile: "\(root)/\(process)/comm", encoding: .utf8)) ?? "?"
        return String(text.prefix { $0 != "\n" })
    }

    private static func user(_ number: uid_t) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? "\(number)"
    }
}
