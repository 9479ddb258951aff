import Foundation
import Glibc
import Testing

/// Completions of a shell, with hostile names in the folder, among the contacts and in the state of the device.
@Suite(.serialized) struct CompletionTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Names that a shell runs if it takes them for more than names.
    private static let names = [
        "$(touch owned)", "`touch owned`", "a; touch owned", "a' 'touch owned", "\"$(touch owned)\"", "-rf", "--yes",
    ]

    /// Makes a device that knows peers with such names, and a folder of files with them.
    private func fill() async throws {
        for name in Self.names.prefix(5) {
            let (receiver, address) = try await tool.receive(["--yes", "--name", name])
            #expect(try await tool.run(["send", "--text", "x", "--to", address]).code == 0)
            _ = try await receiver.stop()
            try FileManager.default.removeItem(atPath: tool.path("receiver"))
        }
        for name in Self.names { try tool.write("x", to: name) }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionScriptContainsNoPeers(shell: String) async throws {
        let before = try await tool.run(["--generate-completion-script", shell])
        #expect(before.code == 0 && before.output.contains("portolan"))
        try await fill()
        let after = try await tool.run(["--generate-completion-script", shell])
        #expect(after.output == before.output && after.errors.isEmpty)
    }

    /// All completions of bash after these words, and whether a command was executed.
    private func completions(of words: [String]) async throws -> String {
        let script = """
            program=$1; shift
            portolan() { "$program" "$@"; }
            shopt -s extglob
            source <("$program" --generate-completion-script bash) || exit 9
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
            function=$(complete -p portolan | sed 's/.* -F \\([^ ]*\\).*/\\1/')
            "$function" portolan "${!#}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let outcome = try await tool.run(words, launcher: ["/bin/bash", "-c", script, "bash"])
        #expect(outcome.code == 0, "\(words): \(outcome)")
        #expect(!FileManager.default.fileExists(atPath: tool.path("owned")), "\(words): something was run")
        return outcome.output
    }

    @Test(.enabled(if: access("/bin/bash", X_OK) == 0, "bash is not here"))
    func completedWordsAreNotExecuted() async throws {
        try await fill()
        #expect(try await completions(of: ["portolan", ""]).contains("receive"))
        #expect(try await completions(of: ["portolan", "pair", "7-wal"]).contains("walnut"))
        for words in [
            ["send", ""], ["send", "$(touch owned)"], ["send", "x", "--to", ""], ["send", "--as", ""], ["pair", ""],
            ["pair", "7-$(touch owned)"], ["contacts", "rename", ""], ["contacts", "forget", "$"],
            ["peers", "--forget", ""],
            ["receive", "--into", ""], ["resume", ""], ["team", "remove", ""],
        ] {
            let completed = try await completions(of: ["portolan"] + words)
            // Files of the folder are completed by their names; peers are not completed at all.
            let files = Set(Self.names)
            for line in completed.split(separator: "\n") where line.contains("touch") {
                #expect(files.contains { line.contains($0) }, "\(words): \(line)")
            }
        }
    }
}
