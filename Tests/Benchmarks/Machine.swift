import Foundation
import TestSupport

/// Description of the machine of the measurements.
enum Machine {
    static func description(portolan: String) async -> String {
        let processor = read("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        let memory = ProcessInfo.processInfo.physicalMemory >> 30
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let load = read("/proc/loadavg").split(separator: " ").first ?? "?"
        return """
            Portolan beside other programs: two hosts on one machine, joined by a virtual cable
            machine   \(processor ?? "unknown processor"), \(cores) cores, \(memory) GiB, \(system()), load \(load)
            programs  \(version([portolan, "--version"], "portolan ")), \(version(["socat", "-V"], "socat version", "socat")), \
            \(version(["rsync", "--version"], "rsync  version", "rsync")), \(version(["tar", "--version"], "tar (GNU tar)", "tar")), \
            \(version(["ssh", "-V"], "OpenSSH")), \(version(["avahi-daemon", "--version"], "avahi-daemon"))
            ciphers   ssh with tar: \(SecureShell.fastestCipher); scp: its default; socat and rsync: none
            """
    }

    private static func system() -> String {
        "Linux " + read("/proc/sys/kernel/osrelease").trimmingCharacters(in: .newlines)
    }

    /// Returns the part of the first line of a program's output with `word`, from there to the first comma or the
    /// line's end.
    private static func version(_ command: [String], _ word: String, _ shown: String? = nil) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = (environment["PATH"] ?? "") + ":/usr/sbin:/sbin"
        process.environment = environment
        guard (try? process.run()) != nil else { return "no \(command[0])" }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let name = shown ?? word.trimmingCharacters(in: .whitespaces)
        guard let line = text.split(separator: "\n").first(where: { $0.contains(word) || $0.first?.isNumber == true })
        else { return "no \(name)" }
        let rest = line.replacing(word, with: "").split(whereSeparator: { ", ".contains($0) }).first ?? ""
        return rest.hasPrefix("_") ? name + rest : "\(name) \(rest)"
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
