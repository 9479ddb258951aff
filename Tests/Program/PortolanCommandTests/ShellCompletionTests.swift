import Foundation
import Testing

/// Tab completion in real shells, with the names that this device knows. The network is not used, so no peer can be
/// found.
@Suite(.serialized) struct ShellCompletionTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// A name that a shell runs if it takes it for more than a name.
    private static let hostile = "$(touch owned)"

    /// Creates known peers, a team, a synchronized folder, a parcel in the outbox, and files.
    private func fill() async throws -> Tool.Running {
        for name in ["workstation", "root@tower", "Ada's laptop", Self.hostile] {
            let (receiver, address) = try await tool.receive(["--yes", "--name", name])
            #expect(try await tool.run(["send", "--text", "x", "--to", address]).code == 0)
            _ = try await receiver.stop()
            try FileManager.default.removeItem(atPath: tool.path("receiver"))
        }
        try tool.write("x", to: "photo.png")
        try tool.write("x", to: "drop zone/notes.md")
        try tool.write("x", to: "kept/Notes/plan.txt")
        #expect(try await tool.run(["id", "--name", "home"]).code == 0)
        #expect(try await tool.run(["team", "create", "acme"]).code == 0)
        let grouped = try await tool.run(["team", "group", "add", "design", "home"] + Tool.alone)
        #expect(grouped.code == 0, "\(grouped)")
        let added = try await tool.run(["sync", "add", "kept/Notes", "--with", "@acme"])
        #expect(added.code == 0, "\(added)")
        let agent = try await tool.startAgent()
        #expect(try await tool.run(["send", "--text", "later", "--to", "workstation", "--queue"]).code == 0)
        return agent
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func tabCompletesInEachShell(name: String) async throws {
        guard TypedShell.isHere(name) else {
            return print("skipped: no completions in \(name), which is not here; Config/setup installs it")
        }
        let agent = try await fill()
        let parcel = try #require(try await tool.run(["outbox", "--json"]).events.first?["id"] as? String)
        let shell = try await TypedShell(name, tool)
        var expected = [
            "portolan receiv": "portolan receive ",
            "portolan send photo.png --to wo": "portolan send photo.png --to workstation ",
            "portolan send x --to @acme/": "portolan send x --to @acme/design ",
            "portolan send x --to root@t": "portolan send x --to root@tower ",
            "portolan send x --to A": "portolan send x --to Ada\\'s\\ laptop ",
            "portolan receive --from @acme/d": "portolan receive --from @acme/design ",
            "portolan receive --into dr": "portolan receive --into drop\\ zone/",
            "portolan send ph": "portolan send photo.png ", "portolan sync pause No": "portolan sync pause Notes ",
            "portolan team show ac": "portolan team show acme ",
            "portolan outbox show ": "portolan outbox show \(parcel) ",
            "portolan pair 7-waln": "portolan pair 7-walnut-",
        ]
        // Words to which each shell adds its own ending.
        if name != "zsh" { expected["portolan send x --to=wo"] = "portolan send x --to=workstation " }
        if name == "bash" { expected["portolan get wo"] = "portolan get workstation:" }
        for (typed, wanted) in expected.sorted(by: { $0.key < $1.key }) {
            let line = try await shell.completed(typed)
            let isSame = line.trimmingCharacters(in: .whitespaces) == wanted.trimmingCharacters(in: .whitespaces)
            #expect(isSame, "\(name): “\(typed)” became “\(line)”, not “\(wanted)”")
        }
        // A name that could be run is offered, in quotes, and is not run.
        let line = try await shell.completed("portolan send x --to \\$")
        #expect(line.contains("touch\\ owned"), "\(name): \(line)")
        #expect(!FileManager.default.fileExists(atPath: tool.path("owned")), "\(name): something was run")
        try await shell.end()
        #expect(try await agent.stop().code == 0)
    }

    @Test("another home that the line names has its own peers, and one that cannot be read has none")
    func whichHome() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--name", "workstation"])
        #expect(try await tool.run(["send", "--text", "x", "--to", address], home: "other").code == 0)
        _ = try await receiver.stop()
        func words(_ line: [String]) async throws -> [Substring] {
            let asked = try await tool.run(
                ["---completion", "send", "--", "--to", "\(line.count)", "0"] + line + [""])
            #expect(asked.code == 0 && asked.errors.isEmpty, "\(asked)")
            return asked.output.split(separator: "\n")
        }
        #expect(try await words(["portolan", "send", "x", "--to"]).isEmpty)
        #expect(try await words(["portolan", "send", "--home", tool.path("other"), "x", "--to"]) == ["workstation"])
        #expect(try await words(["portolan", "send", "--home=\(tool.path("other"))", "x", "--to"]) == ["workstation"])
        #expect(try await words(["portolan", "send", "--home", "$(touch owned)", "x", "--to"]).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: tool.path("owned")))
    }
}
