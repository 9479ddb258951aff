import Foundation
import Testing
import UniformTypeIdentifiers

@testable import PortolanConverters

/// Limits of a confined program. A test without the needed layers on this machine reports that and is skipped.
@Suite struct ConfinementTests {
    let workshop = Workshop()

    private static func has(_ layers: Confinement, _ test: String) -> Bool {
        if Confinement.onThisMachine.isSuperset(of: layers) { return true }
        print("\(test): skipped, because this machine refuses what it is about")
        return false
    }

    @Test func missingProtectionsAreReportedInSentences() {
        #expect(Confinement([.landlock, .namespaces, .readOnly, .filter]).shortcomings.isEmpty)
        #expect(Confinement([.landlock, .filter]).shortcomings.isEmpty)
        #expect(Confinement([.namespaces, .readOnly]).shortcomings.count == 1)
        #expect(Confinement([]).shortcomings.count == 4)
        #expect(Confinement.onThisMachine.contains(.landlock) == (Confinement.landlockVersion > 0))
    }

    @Test(.enabled(if: has(.landlock, "reading outside")))
    func programReadsOnlyPermittedFiles() async throws {
        workshop.file("outside/secret", "secret")
        let script = """
            cat \(workshop.path)/outside/secret > "$2"; ls \(workshop.path)/outside >> "$2"; cat /etc/shadow >> "$2"
            ls / >> "$2"; ls .. >> "$2"; head -c 1 /proc/1/environ >> "$2"; echo tried >> "$2"
            """
        #expect(try text(try await workshop.convert(script)) == "tried\n")
        #expect(try text(try await workshop.convert(script, content: "other", layers: [.landlock])) == "tried\n")
    }

    @Test(.enabled(if: has(.landlock, "declared reads")))
    func programReadsTheFilesInItsDeclaration() async throws {
        workshop.file("outside/profile", "colours")
        workshop.tool("tool", #"cat "$1" > "$2""#)
        let conversions = workshop.conversions()
        let command = ["tool", "\(workshop.path)/outside/profile", "{output}"]
        let made = try await conversions.convert(
            workshop.file("source"), of: .plainText, by: converter(command, reads: ["\(workshop.path)/outside"]))
        #expect(try text(made) == "colours")
    }

    @Test(
        .enabled(if: has([.landlock, .readOnly], "writing outside")),
        arguments: [Confinement.landlock, [.namespaces, .readOnly]])
    func aProgramWritesNothingOutsideItsFolder(_ layers: Confinement) async throws {
        workshop.file("outside/file", "original")
        #expect(chmod("\(workshop.path)/outside", 0o777) == 0)
        let outside = "\(workshop.path)/outside"
        let made = try await workshop.convert(
            """
            echo new > \(outside)/new; echo changed > \(outside)/file; rm \(outside)/file; mkdir \(outside)/folder
            mv \(outside)/file \(outside)/moved; mv \(outside)/file .; ln \(outside)/file \(outside)/link; truncate -s 0 \(outside)/file
            echo tried > "$2"
            """, layers: layers)
        #expect(try text(made) == "tried\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
        #expect(FileManager.default.contents(atPath: "\(outside)/file") == Data("original".utf8))
    }

    /// Landlock leaves permissions alone; a read-only mount or a filter does not.
    @Test(
        .enabled(if: has([.readOnly, .filter], "permissions outside")),
        arguments: [Confinement([.namespaces, .readOnly]), [.landlock, .filter]])
    func aProgramChangesNoPermissionsOutside(_ layers: Confinement) async throws {
        workshop.file("outside/file")
        #expect(chmod("\(workshop.path)/outside/file", 0o640) == 0)
        _ = try await workshop.convert(
            #"chmod 777 \#(workshop.path)/outside/file \#(workshop.path)/source; echo tried > "$2""#, layers: layers)
        var status = stat()
        #expect(stat("\(workshop.path)/outside/file", &status) == 0 && status.st_mode & 0o7777 == 0o640)
    }

    @Test(
        .enabled(if: has([.namespaces, .filter, .landlock], "the network")),
        arguments: [Confinement.onThisMachine, [.namespaces], [.filter], [.landlock]])
    func aProgramReachesNoNetwork(_ layers: Confinement) async throws {
        if layers == .landlock, Confinement.landlockVersion < 4 {
            print("the network: Landlock of this kernel knows nothing of it")
            return
        }
        let listener = try Listener()
        let script =
            #"if exec 3<>/dev/tcp/127.0.0.1/\#(listener.port); then echo reached > "$2"; else echo no > "$2"; fi"#
        let made = try await workshop.convert(script, layers: layers, interpreter: "/bin/bash")
        #expect(try text(made) == "no\n")
    }

    @Test func theListenerOfTheTestAboveCanBeReached() async throws {
        if FileManager.default.fileExists(atPath: "/bin/bash") {
            let listener = try Listener()
            let script = #"exec 3<>/dev/tcp/127.0.0.1/\#(listener.port) && echo reached > "$2""#
            let made = try await workshop.convert(script, layers: [], interpreter: "/bin/bash")
            #expect(try text(made) == "reached\n")
        } else {
            print("no bash here to open a connection with")
        }
    }

    @Test(
        .enabled(if: has([.namespaces, .filter], "processes left behind")),
        arguments: [Confinement.onThisMachine, [.namespaces], [.filter]])
    func noProcessOutlivesItsProgram(_ layers: Confinement) async throws {
        let time = "1000.\(UInt32.random(in: 1...UInt32.max))"
        let made = try await workshop.convert(
            """
            sleep \(time) & setsid sleep \(time) & (trap '' HUP TERM; (setsid sleep \(time) &) &)
            sleep 0.2; echo started $! > "$2"
            """, layers: layers)
        #expect(try text(made).hasPrefix("started "))
        #expect(try await eventually { !isRunning(time) })
        // No process outlives a program that is stopped, either.
        let error = await workshop.failure(
            "sleep \(time) & setsid sleep \(time) & sleep 1000", content: "other", time: .seconds(1), layers: layers)
        #expect(error?.kind == .timeLimit)
        #expect(try await eventually { !isRunning(time) })
    }

    /// Neither Landlock nor the filter keeps a program from shared memory.
    @Test(.enabled(if: has(.namespaces, "shared memory")))
    func programSeesNoSharedMemoryOfOtherPrograms() async throws {
        let segment = shmget(IPC_PRIVATE, 4096, Int32(IPC_CREAT) | 0o600)
        try #require(segment >= 0)
        defer { shmctl(segment, Int32(IPC_RMID), nil) }
        let list = "/proc/sysvipc/shm"
        #expect(try String(contentsOfFile: list, encoding: .utf8).contains(" \(segment) "))
        let made = try await workshop.convert(#"tail -n +2 \#(list) | wc -l > "$2""#, layers: [.namespaces])
        #expect(try text(made) == "0\n")
    }

    @Test func theEnvironmentIsClean() async throws {
        setenv("PORTOLAN_TEST_SECRET", "secret", 1)
        let made = try await workshop.conversions().convert(
            workshop.file("source"), of: .plainText, by: converter(["/usr/bin/env"]))
        let lines = try text(made).split(separator: "\n")
        #expect(Set(lines.compactMap { $0.split(separator: "=").first }) == ["PATH", "LANG", "HOME", "TMPDIR"])
        #expect(lines.contains("PATH=/usr/local/bin:/usr/bin:/bin"))
        #expect(lines.contains("LANG=C.UTF-8"))
        for name in ["HOME", "TMPDIR"] {
            #expect(lines.contains { $0.hasPrefix("\(name)=\(workshop.cacheFolder)/\(WorkFolder.prefix)") })
        }
    }

    @Test func noFileOfOursIsHandedOn() async throws {
        let file = open(workshop.file("outside/open"), O_RDONLY)
        defer { close(file) }
        let made = try await workshop.conversions().convert(
            workshop.file("source"), of: .plainText, by: converter(["/bin/ls", "/proc/self/fd"]))
        // The fourth descriptor is the list itself.
        #expect(try text(made) == "0\n1\n2\n3\n")
    }

    @Test func programHasNoPrivileges() async throws {
        let made = try await workshop.conversions().convert(
            workshop.file("source"), of: .plainText, by: converter(["/bin/cat", "/proc/self/status"]))
        let lines = try text(made).split(separator: "\n")
        for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            #expect(lines.contains("\(name):\t0000000000000000"))
        }
        #expect(lines.contains("NoNewPrivs:\t1"))
        for name in ["SigBlk", "SigIgn"] {
            #expect(lines.first { $0.hasPrefix(name) } == "\(name):\t0000000000000000")
        }
        if Confinement.onThisMachine.contains(.filter) { #expect(lines.contains("Seccomp:\t2")) }
    }

    @Test(.enabled(if: has(.filter, "new namespaces")))
    func aProgramGetsNoNamespacesOfItsOwn() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else {
            print("no unshare here to try with")
            return
        }
        let made = try await workshop.convert(#"unshare -U true && echo got > "$2" || echo refused > "$2""#)
        #expect(try text(made) == "refused\n")
    }
}

/// A listener on 127.0.0.1.
final class Listener: Sendable {
    let port: UInt16
    private let number: Int32

    init() throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = number
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(number, address, length) == 0, listen(number, 8) == 0 else { return Int32(-1) }
                return getsockname(number, address, &length)
            }
        }
        try #require(result == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(number) }
}
