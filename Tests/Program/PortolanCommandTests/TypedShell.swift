import Foundation
import Glibc

/// A shell at a terminal with the program's completions, in which keys are typed.
///
/// Ctrl-T writes the current line to a file, and Ctrl-U deletes it.
struct TypedShell {
    let name: String
    private let tool: Tool
    private let keyboard = Pipe()
    private let running: Tool.Running

    static func isHere(_ name: String) -> Bool {
        access("/usr/bin/\(name)", X_OK) == 0 && access("/usr/bin/script", X_OK) == 0
    }

    /// Starts it in the tool's folder, and waits until it can be typed in.
    init(_ name: String, _ tool: Tool) async throws {
        self.name = name
        self.tool = tool
        let script = try await tool.run(["--generate-completion-script", name])
        let folder = tool.path("user")
        try tool.write(script.output, to: "user/completions/_portolan")
        let write = "line.new && mv line.new line"
        let (file, text, command) =
            switch name {
            case "bash":
                (
                    ".bashrc",
                    """
                    source '\(folder)/completions/_portolan'
                    bind -x '"\\C-t": printf %s "$READLINE_LINE" >\(write)'
                    """,
                    "bash --noprofile --rcfile '\(folder)/.bashrc' -i"
                )
            case "zsh":
                (
                    ".zshrc",
                    """
                    fpath=('\(folder)/completions' $fpath)
                    autoload -Uz compinit && compinit -u -d '\(folder)/dump'
                    dump() { print -rn -- "$BUFFER" >\(write) }
                    zle -N dump && bindkey '^T' dump
                    """, "zsh -d -i"
                )
            default:
                (
                    "config.fish",
                    """
                    source '\(folder)/completions/_portolan'
                    bind \\ct 'commandline >line.new; mv line.new line'
                    """, "fish --no-config --init-command \"source '\(folder)/config.fish'\" -i"
                )
            }
        let prompt = name == "fish" ? "function fish_prompt; echo 'READY> '; end" : "PS1='READY> '"
        try tool.write(text + "\n" + prompt + "\n", to: "user/" + file)
        let program = URL(fileURLWithPath: try Tool.programPath()).deletingLastPathComponent().path
        let environment = [
            "PATH": program + ":/usr/bin:/bin", "TERM": "xterm", "ZDOTDIR": folder, "LC_ALL": "C.UTF-8",
        ]
        running = try tool.start(
            ["-qfec", command, "/dev/null"], environment: environment, program: "/usr/bin/script", keyboard: keyboard)
        try await running.waitToSay("READY> ")
    }

    /// The line after these keys and Tab were typed.
    func completed(_ keys: String) async throws -> String {
        let file = tool.path("line")
        try? FileManager.default.removeItem(atPath: file)
        try keyboard.fileHandleForWriting.write(contentsOf: Data((keys + "\t\u{14}").utf8))
        let line = try await tool.waitFor("\(name): \(keys)") { try? String(contentsOfFile: file, encoding: .utf8) }
        try keyboard.fileHandleForWriting.write(contentsOf: Data("\u{15}".utf8))
        return line.trimmingCharacters(in: .newlines)
    }

    func end() async throws {
        try keyboard.fileHandleForWriting.write(contentsOf: Data("exit\r".utf8))
        _ = try await running.finish()
    }
}
