import Foundation
import Glibc
import TestSupport

/// `swift run -c release portolan-benchmark`: what Portolan costs beside the programs people use today, on two hosts of this
/// machine that share a cable.
///
/// It prints ratios, since seconds are the machine's. Rounds of the contestants are interleaved, so that a slow minute hits
/// all of them; what arrived is compared byte by byte, outside the timing.
@main
struct Benchmark {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.wantsHelp {
                say(Options.help)
                return
            }
            // Before anything else has asked about types, as the first use is one of the figures.
            let types = options.parts.contains(.types) ? TypeLookups().run() : []
            let here = types + (options.parts.contains(.standing) ? try StandingBenchmark().run() : [])
            if options.parts.allSatisfy(\.needsNoHosts) {
                say("\n" + Table.targets(here).description)
                return
            }
            if let obstacle = HostLink.obstacle { throw HostsError("cannot make two hosts: \(obstacle)") }
            try await run(options, after: here)
        } catch {
            FileHandle.standardError.write(Data("portolan-benchmark: \(error)\n".utf8))
            exit(error is Options.Misuse ? 64 : 1)
        }
    }

    private static func run(_ options: Options, after here: [Verdict]) async throws {
        let portolan = try BuiltProduct.path("portolan")
        say(await Machine.description(portolan: portolan))
        if BuiltProduct.isUnoptimized {
            say("\nThis is a debug build, whose figures mean nothing: use `swift run -c release portolan-benchmark`.")
        }
        var verdicts = here
        let scp = Scp()
        try await HostPair.with(.none, in: options.directory, congestionControl: "cubic") { a, b, _ in
            if options.parts.contains(.file) {
                verdicts += try await LargeFile(portolan: portolan, options: options, scp: scp).run(from: a, to: b)
            }
            if options.parts.contains(.text) {
                verdicts += try await ShortText(portolan: portolan, options: options, scp: scp).run(from: a, to: b)
            }
        }
        if options.parts.contains(.name) {
            verdicts += try await NewName(portolan: portolan, options: options).run()
        }
        if options.parts.contains(.team) {
            verdicts += try await TeamBenchmark(portolan: portolan, options: options).run()
        }
        say("\n" + Table.targets(verdicts).description)
    }
}

/// What the command line asks for.
struct Options {
    enum Part: String, CaseIterable {
        case types, standing, file, text, name, team

        /// Whether it runs in this process alone.
        var needsNoHosts: Bool { self == .types || self == .standing }
    }

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    static let help = """
        Measures Portolan beside socat, scp and avahi-browse, on two hosts of this machine that share a cable.
        Needs root; Config/setup --benchmark installs the programs it compares with.

          portolan-benchmark [--quick] [--rounds N] [--directory DIR] [types] [standing] [file] [text] [name] [team]

          --quick          a smaller file and fewer rounds, for a first impression in half a minute
          --rounds N       rounds with the large file (5); the others have four times as many
          --directory DIR  where the files lie (/dev/shm: memory, no disk)
          types            questions about types, for which neither root nor hosts are needed
          standing         who a peer is, in a team of a thousand; as types, without hosts
          file             one large file: speed, processor time and memory
          text             1 KiB of text to a known address: time from process start to receipt
          name             1 KiB of text to a name that was not yet discovered
          team             pairing, and a file to a team of five, on six hosts
        """

    var wantsHelp = false
    var rounds = 5
    var fileSize = 4 << 30
    var directory = "/dev/shm"
    var parts: [Part] = []

    var shortRounds: Int { rounds * 4 }

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick":
                rounds = 2
                fileSize = 1 << 30
            case "--rounds":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw Misuse(description: "--rounds needs a number above 0")
                }
                rounds = number
            case "--directory":
                guard let folder = rest.popFirst() else { throw Misuse(description: "--directory needs a folder") }
                directory = folder
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

/// Prints at once, also into a pipe.
func say(_ text: Any) {
    print(text)
    fflush(nil)
}
