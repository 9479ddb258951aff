import Testing

/// Folders that ada and ben synchronize.
extension Tool {
    /// No discovery, and no other machine.
    static let alone = ["--discovery", "off", "--interface", "lo"]

    /// Ada and ben are in a team.
    func makeTeam() async throws {
        for home in ["ada", "ben"] { #expect(try await run(["id", "--name", home], home: home).code == 0) }
        #expect(try await run(["team", "create", "acme"], home: "ada").code == 0)
        let shows = try start(["team", "invite", "--json"] + Self.alone, home: "ada")
        try await shows.waitToSay("\"awaiting\"")
        let code = try #require(shows.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let port = try await shows.port()
        let entered = try await run(
            ["team", "join", "-", "--at", "127.0.0.1:\(port)"] + Self.alone, home: "ben", input: "\(code)\n")
        #expect(entered.code == 0, "\(entered)")
        #expect(try await shows.finish().code == 0)
    }

    /// Starts a process that synchronizes ada's folders until it is stopped.
    func staySynced() async throws -> (running: Running, address: String) {
        let running = try start(["sync", "run", "--json"] + Self.alone, home: "ada")
        return (running, "127.0.0.1:\(try await running.port())")
    }

    /// Compares the folders of a home, which no process keeps alike, with their indexes: nothing is found.
    func checkSync(_ home: String) async throws {
        let checked = try await run(["sync", "check", "--json"], home: home)
        #expect(checked.code == 0, "\(home): \(checked)")
    }

    /// Synchronizes ben's folders with ada's until no work is left.
    func visit(_ address: String) async throws {
        let visited = try await run(["sync", "run", "--once", "--at", address] + Self.alone, home: "ben")
        #expect(visited.code == 0, "\(visited)")
    }
}
