import Foundation
import Glibc
import TestSupport

/// `swift run -c release portolan-benchmark`: cost of Portolan compared with common programs, on two hosts of this
/// machine that share a cable.
///
/// Results are ratios, since times depend on the machine. Rounds of the contestants are interleaved, so that a slow
/// minute affects all of them; received content is compared byte by byte, outside the timing.
@main
struct Benchmark {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.wantsHelp {
                say(Options.help)
                return
            }
            // Type look-ups come first, because the first one in a process is one of the figures.
            let types = options.parts.contains(.types) ? TypeLookups().run() : []
            var here = types + (options.parts.contains(.standing) ? try StandingBenchmark().run() : [])
            if options.parts.contains(.delta) { here += DeltaBenchmark(options: options).run() }
            if options.parts.contains(.living) {
                here += try await LivingSession(portolan: BuiltProduct.path("portolan"), options: options).run()
            }
            if options.parts.contains(.crowd) {
                here += try await CrowdBenchmark(portolan: BuiltProduct.path("portolan")).run()
            }
            if options.parts.contains(.agent) {
                here += try await AgentBenchmark(portolan: BuiltProduct.path("portolan"), options: options).run()
            }
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
        try await HostPair.with(.none, in: options.directory, congestionControl: "cubic") { a, b, _ in
            verdicts += try await onTwoHosts(a, b, portolan: portolan, options)
        }
        if options.parts.contains(.name) {
            verdicts += try await NewName(portolan: portolan, options: options).run()
        }
        if options.parts.contains(.team) {
            verdicts += try await TeamBenchmark(portolan: portolan, options: options).run()
        }
        if options.parts.contains(.idle) {
            verdicts += try await IdleBenchmark(portolan: portolan, options: options).run()
        }
        if options.parts.contains(.far) {
            verdicts += try await FarHosts(portolan: portolan, options: options).run()
        }
        say("\n" + Table.targets(verdicts).description)
    }

    /// Runs all parts that need two hosts without mDNS.
    private static func onTwoHosts(
        _ a: TestHost, _ b: TestHost, portolan: String, _ options: Options
    ) async throws -> [Verdict] {
        let shell = SecureShell()
        let largeFile = LargeFile(portolan: portolan, options: options, shell: shell)
        let smallFiles = SmallFiles(portolan: portolan, options: options, shell: shell)
        let link = ShapedLink(portolan: portolan, options: options, shell: shell)
        var verdicts: [Verdict] = []
        for part in Options.Part.allCases where options.parts.contains(part) {
            switch part {
            case .file: verdicts += try await largeFile.run(from: a, to: b)
            case .tree: verdicts += try await smallFiles.first(from: a, to: b)
            case .again: verdicts += try await smallFiles.again(from: a, to: b)
            case .changed:
                verdicts += try await ChangedFiles(portolan: portolan, options: options).run(from: a, to: b)
            case .log: verdicts += try await link.log(from: a, to: b)
            case .gigabit: verdicts += try await link.gigabit(from: a, to: b)
            case .loss: verdicts += try await link.loss(from: a, to: b)
            case .memory: verdicts += try await MemoryUse(portolan: portolan, options: options).run(from: a, to: b)
            case .kills: verdicts += try await Kills(portolan: portolan, options: options).run(from: a, to: b)
            case .text:
                verdicts += try await ShortText(portolan: portolan, options: options, shell: shell).run(from: a, to: b)
            case .types, .delta, .standing, .living, .name, .team, .crowd, .idle, .agent, .far: break
            }
        }
        return verdicts
    }
}

/// Prints without buffering, also into a pipe.
func say(_ text: Any) {
    print(text)
    fflush(nil)
}
