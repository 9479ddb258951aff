import ArgumentParser
import Glibc
import Portolan
import PortolanAgent
import PortolanClient
import PortolanConcurrency
import PortolanSettings

/// `portolan policy`: the rules by which the agent answers offers.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "policy", "Show, check and try the rules by which the agent answers offers.",
        examples: """
            portolan policy show
            portolan policy check new-policy.yaml    # with its tests
            portolan policy test offer.json          # the verdict, and its rule
            portolan policy explain 7                # why item 7 of the inbox is there
            portolan policy reload                   # the agent takes the changed file
            """,
        manual: """
            The rules stand in 'policy.yaml' beside the configuration file; 'share/doc/portolan/examples/policy.example.yaml' explains each key. All but \
            'explain' and 'reload' work without an agent, too.
            """,
        subcommands: [
            PolicyShowCommand.self, PolicyCheckCommand.self, PolicyTestCommand.self, PolicyExplainCommand.self,
            PolicyReloadCommand.self,
        ])
}

/// `portolan policy show`.
struct PolicyShowCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "show", "Show the policy in force; without an agent, the one that it would start with.",
        examples: "portolan policy show",
        manual: "With --json: the object 'Policy' of the local API.")

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let policy = try await AgentAPI.Policy.inForce(Settings(shared), agent, console)
        console.remark("# \(DisplayText(policy.path, limit: 4096)), loaded \(Human.minute(policy.loaded))")
        let lack =
            policy.problems.isEmpty
            ? "# There is no such file: contacts and members ask, strangers are declined."
            : "# No policy is in force, so nothing is received."
        for line in (policy.text ?? lack)
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            console.put(exactly: DisplayText(sentence: String(line), limit: 4096).text)
        }
        for problem in policy.problems { console.diagnose(DisplayText(sentence: problem, limit: 1000).text) }
        try console.emit(.policy, policy)
    }
}

/// `portolan policy check`.
struct PolicyCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "check", "Find mistakes in a policy file, and run its tests.",
        examples: """
            portolan policy check
            portolan policy check new-policy.yaml
            """,
        manual: """
            It is not loaded; 'portolan policy reload' does that. There is a line with FILE:LINE:COLUMN: for each \
            mistake, or for each failed test; it ends with 64 then. With --json: the object 'PolicyCheck' of the local \
            API.
            """)

    @Argument(help: .value("file", "The file; the agent's own if left out."), completion: .file())
    var file: String?

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let home = try Settings(shared).home
        let path = file ?? home.policyFile
        let found = try await mistakes(home)
        if found.defects.isEmpty {
            for problem in found.problems { console.diagnose(DisplayText(sentence: problem, limit: 1000).text) }
        }
        for defect in found.defects { console.say(defect.line(in: path)) }
        for remark in found.remarks { console.diagnose(DisplayText(sentence: remark, limit: 1000).text) }
        try console.emit(
            .policyCheck,
            AgentAPI.PolicyCheck(
                path: path, problems: found.problems, remarks: found.remarks.isEmpty ? nil : found.remarks))
        guard found.problems.isEmpty else { throw ExitCode(ExitStatus.usage.rawValue) }
        console.remark(found.remarks.isEmpty ? "Nothing is wrong." : "The agent takes it.")
    }

    /// Findings of a check, one sentence each, and the places of problems that are mistakes in the file.
    private struct Findings: Sendable {
        var problems: [String] = []
        var defects: [ConfigurationDefect] = []
        var remarks: [String] = []
    }

    /// - Throws: `CommandFailure` if the named file cannot be read.
    private func mistakes(_ home: HomeDirectory) async throws -> Findings {
        let isOwn = file.map { named in realpath(named).map { $0 == realpath(home.policyFile) } ?? false } ?? true
        guard let file, !isOwn else {
            return await withLookupThread {
                do throws(PolicyError) {
                    return Findings(remarks: try OfferPolicy.load(from: home).remarks(in: home))
                } catch {
                    return Findings(problems: error.problems, defects: error.defects)
                }
            }
        }
        let text = try await PolicyInput.read(file)
        return await withLookupThread {
            let defects = PolicyFile.mistakes(
                in: text, userHome: home.folderOfUser, besides: home.ownFilesForReceiving)
            let policy = try? PolicyFile.parse(text, userHome: home.folderOfUser).policy
            return Findings(
                problems: defects.map { "\(DisplayText(file, limit: 300)), \($0)" }, defects: defects,
                remarks: (policy?.remarks(in: home) ?? []) + distrust(of: file))
        }
    }

    /// Returns the reason why the agent would not take a file with this owner and mode as its policy.
    private func distrust(of file: String) -> [String] {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let folder = file.contains("/") ? String(file.dropLast(name.count)) + "." : "."
        do throws(StoreError) {
            _ = try TrustedFile.read(name, in: folder, below: nil, limit: PolicyFile.sizeLimit)
            return []
        } catch {
            // The folder is another one where the agent reads it.
            return error.path.hasSuffix("/" + name) && ExitStatus(error.kind) == .notTrusted
                ? ["The agent would not take it as it is: \(error)"] : []
        }
    }

    /// Path without symbolic links; nil if there is no such file.
    private func realpath(_ path: String) -> String? {
        Glibc.realpath(path, nil).map { resolved in
            defer { free(resolved) }
            return String(cString: resolved)
        }
    }
}

/// `portolan policy reload`.
struct PolicyReloadCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "reload", "Let the agent load its policy file again.",
        examples: """
            portolan policy reload
            """,
        manual: """
            Waiting items of the inbox are asked for again at once, since the policy may accept it now. A file with a \
            mistake is not loaded: it ends with 64, and the policy stays as it was. With --json: the object \
            'PolicyCheck' of the local API.
            """)

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let reload = try await options.neededClient(console).reload()
        for sentence in reload.problems + (reload.remarks ?? []) {
            console.diagnose(DisplayText(sentence: sentence, limit: 1000).text)
        }
        try console.emit(.policyCheck, reload)
        guard reload.problems.isEmpty else { throw ExitCode(ExitStatus.usage.rawValue) }
        console.remark("The policy is loaded.")
    }
}

/// `portolan policy test`.
struct PolicyTestCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "test", "Show the verdict of the policy in force about an offer, and the rule.",
        examples: """
            portolan policy test offer.json
            echo '{"contact": "ben", "items": [{"name": "a"}]}' | portolan policy test -
            """,
        manual: """
            The offer is written as in the tests of a policy file, in JSON or YAML. With --json: the object 'Explanation' of the local API.
            """)

    @Argument(help: .value("offer", "A file with the offer; '-' is standard input."), completion: .file())
    var offer: String

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let text = try await PolicyInput.read(offer)
        let inForce = try await AgentAPI.Policy.inForce(settings, agent, console)
        let explanation: AgentAPI.Explanation
        if inForce.text == nil, let problem = inForce.problems.first {
            throw CommandFailure(.usage, "No policy is in force. \(DisplayText(sentence: problem, limit: 1000))")
        }
        do throws(ConfigurationDefect) {
            let policy = try inForce.text.map { text throws(ConfigurationDefect) in
                try PolicyFile.parse(text, userHome: settings.home.folderOfUser).policy
            }
            let verdicts = (policy ?? OfferPolicy()).explain(try PolicyOffer.parse(text))
            explanation = AgentAPI.Explanation(verdicts: verdicts.map { AgentAPI.Verdict($0) })
        } catch {
            throw CommandFailure(.badData, "\(DisplayText(offer, limit: 300)), \(error)")
        }
        explanation.show(on: console)
        try console.emit(.policyExplanation, explanation)
    }
}

/// `portolan policy explain`.
struct PolicyExplainCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "explain", "Show by which rule an item of the inbox waits or was stored.",
        examples: "portolan policy explain 7",
        manual: """
            The rule and its line are those of the policy when the item was offered, and so are the reasons for which at most 50 rules \
            before it did not match. With --json: the object 'Explanation' of the local API.
            """)

    @OptionGroup var choice: NamedInboxItem
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let explanation = try await options.neededClient(console).explain(choice.id)
        explanation.show(on: console)
        try console.emit(.policyExplanation, explanation)
    }
}

/// Text that is given to the commands of the policy.
enum PolicyInput {
    /// - Parameter path: `-` is standard input.
    /// - Throws: `CommandFailure`
    static func read(_ path: String) async throws -> String {
        let bytes = try await TypedFile.read(path, limit: PolicyFile.sizeLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "“\(DisplayText(path, limit: 300))” is no UTF-8 text.")
        }
        return text
    }
}

extension AgentAPI.Policy {
    /// Policy of the running agent of this home; the policy of its file if no agent runs or is wanted.
    ///
    /// - Throws: `PolicyError`, or errors of the agent.
    static func inForce(
        _ settings: Settings, _ agent: AgentOptions, _ console: Console
    ) async throws -> AgentAPI.Policy {
        let home = settings.home
        if let client = try await agent.client(settings, console) { return try await client.policy() }
        let loaded = try await withLookupThread { () throws in try PolicyStore(home: home).loaded }
        return AgentAPI.Policy(
            path: home.policyFile, text: loaded.text, loaded: loaded.at, rules: loaded.policy.rules.count)
    }
}

extension AgentAPI.Explanation {
    /// A line for each item, and below it one for each rule that did not match.
    func show(on console: Console) {
        for verdict in verdicts {
            let into = verdict.into.map { " into “\(DisplayText($0, limit: 1000))”" } ?? ""
            let origin = verdict.rule.map { "rule \($0)\(verdict.line.map { " (line \($0))" } ?? "")" } ?? "the default"
            console.say("item \(verdict.item + 1): \(DisplayText(verdict.action, limit: 40))\(into), by \(origin)")
            for passed in verdict.passed {
                console.say(
                    "  rule \(passed.rule) (line \(passed.line)) does not match: \(DisplayText(passed.reason, limit: 500))"
                )
            }
        }
    }
}
