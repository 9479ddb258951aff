import Testing

/// `--interface` with a name that this machine does not have.
@Suite struct InterfaceOptionTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test(
        "every command says so at once, with one status",
        arguments: [
            ["receive", "--into", "inbox"], ["send", "a.txt", "--to", "laptop"],
            ["send", "a.txt", "--to", "127.0.0.1:9"], ["send", "a.txt"],
            ["share", "a.txt", "--no-agent"], ["ls", "laptop"], ["get", "laptop:x"], ["peers"], ["pair"],
            ["doctor"], ["agent", "run"],
        ])
    func isNotThere(command: [String]) async throws {
        try tool.write("words", to: "a.txt")
        let network = ["--interface", "lo", "--interface", "nosuch0", "--discovery", "off"]
        let refused = try await tool.run(command + network)
        #expect(refused.code == 69, "\(refused)")
        #expect(refused.errors.contains("This machine has no network interface “nosuch0”."), "\(refused)")
        #expect(refused.output.isEmpty, "\(refused)")
    }
}
