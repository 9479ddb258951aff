import TestSupport

/// Options of the command line.
struct Options {
    enum Part: String, CaseIterable {
        case types, delta, standing, living, file, tree, again, changed, log, gigabit, loss, memory, kills, text, name
        case team, crowd, idle, agent, far

        /// True if the part runs on this machine without separate hosts.
        var needsNoHosts: Bool { [.types, .delta, .standing, .living, .crowd, .agent].contains(self) }
    }

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    static let help = """
        Measures Portolan beside socat, scp, tar through ssh, rsync and avahi-browse, on two hosts of this machine that share a
        cable. Needs root; Config/setup --benchmark installs the programs it compares with.

          portolan-benchmark [--quick] [--rounds N] [--directory DIR] [--seed N] [PART...]

          --quick          smaller files, fewer rounds and kills, for a first impression in some minutes
          --rounds N       rounds with large files and many (5); the short ones have four times as many
          --directory DIR  where the files lie (/dev/shm: memory, no disk)
          --seed N         for the moments of the kills and the losses of `far`; each run prints its own

        Without a PART all are measured:

          types            questions about types, for which neither root nor hosts are needed
          delta            chunks, digests and searches, bytes for edits of a file; as types, without hosts
          standing         who a peer is, in a team of a thousand; as types, without hosts
          living           1 KiB sent and fetched in a session that both sides keep; as types, without hosts
          file             one large file: speed, processor time and memory
          tree             20,000 small files
          again            the same files once more, unchanged, and a million (not with --quick)
          changed          edits of a large file that was sent before: time and bytes
          log              text that can be compressed, on a link of 1 Gbit/s
          gigabit          one large file on a link of 1 Gbit/s
          loss             a link that loses 1 % of the packets each way
          memory           a file of 100 GiB that is mostly holes, and a million files (with --quick 100,000)
          kills            one transfer killed 100 times (with --quick 20)
          text             1 KiB of text to a known address: time from process start to receipt
          name             1 KiB of text to a name that was not yet discovered
          team             pairing, and a file to a team of five, on six hosts
          crowd            honest sends, idle sessions and memory beside hostile strangers, on the loopback interface; without hosts
          agent            the agent: status and events over its socket, and memory at rest; without hosts
          idle             a receiver with 20 peers in sight: how often it wakes up, processor time and memory, on 21 hosts
          far              1 KiB, and 64 MiB with 1 % loss, between two hosts with a round trip of 10 ms
        """

    var wantsHelp = false
    var isQuick = false
    var rounds = 5
    var directory = "/dev/shm"
    var seed: UInt64?
    var parts: [Part] = []

    var fileSize: Int { isQuick ? 1 << 30 : 4 << 30 }
    var shortRounds: Int { rounds * 4 }
    var kills: Int { isQuick ? 20 : 100 }

    /// Halves a size until source and destination fit.
    func affordable(_ wanted: Int) throws -> Int {
        var size = wanted
        let room = try Files.room(in: directory)
        while size > 16 << 20, size * 2 + (512 << 20) > room { size /= 2 }
        if size < wanted {
            say("\nOnly \(room >> 20) MiB are free in \(directory): the file is smaller than it should be.")
        }
        return size
    }

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick":
                isQuick = true
                rounds = 2
            case "--rounds":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw Misuse(description: "--rounds needs a number above 0")
                }
                rounds = number
            case "--directory":
                guard let folder = rest.popFirst() else { throw Misuse(description: "--directory needs a folder") }
                directory = folder
            case "--seed":
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw Misuse(description: "--seed needs a number")
                }
                seed = number
            case "--help", "-h":
                wantsHelp = true
            default:
                guard let part = Part(rawValue: argument) else {
                    throw Misuse(description: "'\(argument)' is none of its words; see --help")
                }
                parts.append(part)
            }
        }
        if parts.isEmpty { parts = Part.allCases }
    }
}
