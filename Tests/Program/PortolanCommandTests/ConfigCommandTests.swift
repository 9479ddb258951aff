import Foundation
import Testing

/// `portolan config`: path of the file, its mistakes, and the origin of each setting.
@Suite struct ConfigCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func settings(_ outcome: Tool.Outcome) -> [String: [String: Any]] {
        Dictionary(
            outcome.events("setting").compactMap { event in (event["key"] as? String).map { ($0, event) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func isSetting(
        _ event: [String: Any]?, _ value: String?, from source: String, at place: String?
    ) -> Bool {
        event?["value"] as? String == value && event?["source"] as? String == source
            && event?["place"] as? String == place
    }

    @Test("the files are named whether they are there or not, and also where one is not right")
    func paths() async throws {
        let settings = tool.path("home/config/portolan.yaml")
        let none = try await tool.run(["config", "path", "--json"]).events("configuration-file")
        #expect(none.map { $0["contents"] as? String } == ["settings", "policy"])
        #expect(none.map { $0["path"] as? String } == [settings, tool.path("home/config/policy.yaml")])
        #expect(none.map { $0["exists"] as? Bool } == [false, false])
        try tool.write("prot: 1\n", to: "home/config/portolan.yaml")
        let wrong = try await tool.run(["config", "path"])
        #expect(wrong.code == 0 && wrong.output.contains("settings  \(settings)\n"), "\(wrong)")
        #expect(wrong.output.contains("policy.yaml  (not there)\n"), "\(wrong)")
        let chosen = try await tool.run(["config", "path", "-q", "--config", "other.yaml"])
        #expect(chosen.output.hasPrefix(tool.path("other.yaml") + "\n"), "\(chosen)")
    }

    @Test("a mistake is told in the form of compilers, and a correct file without output")
    func mistakes() async throws {
        #expect(try await tool.run(["config", "check"]).description == "exit 0\n")
        try tool.write("name: ada\nprot: 47300\n", to: "home/config/portolan.yaml")
        let own = try await tool.run(["config", "check"])
        let path = tool.path("home/config/portolan.yaml")
        #expect(own.code == 64 && own.errors.isEmpty, "\(own)")
        #expect(own.output.hasPrefix("\(path):2:1: key “prot”: unknown key; the keys are name,"), "\(own)")
        let event = try #require(try await tool.run(["config", "check", "--json"]).events("problem").first)
        #expect(event["file"] as? String == path && event["line"] as? Int == 2 && event["key"] as? String == "prot")

        try tool.write("port: 1\n", to: "good.yaml")
        #expect(try await tool.run(["config", "check", "good.yaml"]).description == "exit 0\n")
        try tool.write("port: 1\n\n\tx", to: "tab.yaml")
        let tab = try await tool.run(["config", "check", "tab.yaml"])
        #expect(tab.code == 64 && tab.output.hasPrefix("tab.yaml:"), "\(tab)")
        let input = try await tool.run(["config", "check", "-"], input: "timeouts:\n  find: soon\n")
        #expect(input.code == 64 && input.output.hasPrefix("-:2:9: key “timeouts.find”: a time is"), "\(input)")
        #expect(try await tool.run(["config", "check", "nosuch.yaml"]).code == 66)
        #expect(try await tool.run(["config", "check", "--config", "nosuch.yaml"]).code == 66)
        #expect(try await tool.run(["config", "check", "good.yaml", "--config", "good.yaml"]).code == 64)
        try Data([0x61, 0x3A, 0x20, 0x62, 0x0A, 0xFF]).write(to: tool.folder.appendingPathComponent("bytes.yaml"))
        #expect(try await tool.run(["config", "check", "bytes.yaml"]).output.hasPrefix("bytes.yaml:2: it is no text"))
    }

    @Test("all mistakes of a file are told, each at its place and in their order, and the first of them elsewhere")
    func severalMistakes() async throws {
        try tool.write(
            "prot: 1\nport: zero\naccept: [png, nosuch, norsuch]\nname: ada\ntimeouts:\n  find: soon\n  offre: 5\n",
            to: "home/config/portolan.yaml")
        let path = tool.path("home/config/portolan.yaml")
        let places = ["1:1", "2:7", "3:15", "3:23", "6:9", "7:3"]
        let own = try await tool.run(["config", "check"])
        #expect(own.code == 64, "\(own)")
        let lines = own.output.split(separator: "\n")
        #expect(lines.count == places.count, "\(own)")
        for (line, place) in zip(lines, places) { #expect(line.hasPrefix("\(path):\(place): key “"), "\(line)") }
        let told = try await tool.run(["config", "check", "--json"]).events("problem")
        #expect(told.map { $0["line"] as? Int } == [1, 2, 3, 3, 6, 7])
        #expect(told.map { $0["column"] as? Int } == [1, 7, 15, 23, 9, 3])
        let input = try await tool.run(["config", "check", "-"], input: "port: no\n[a]: 1\n")
        #expect(input.output.split(separator: "\n").map { $0.prefix(5) } == ["-:1:7", "-:2:1"], "\(input)")
        let other = try await tool.run(["id"])
        #expect(other.code == 64 && other.errors.contains("line 1, key “prot”: unknown key"), "\(other)")
        #expect(other.errors.contains("5 more; 'portolan config check'"), "\(other)")
    }

    @Test("a key that stands there twice is told at its place, and one further mistake is one")
    func fewMistakes() async throws {
        let twice = try await tool.run(["config", "check", "-"], input: "name: ada\n\nport: 1\nport: 2\nprot: 1\n")
        #expect(twice.output == "-:3:1: key “port”: it stands there twice.\n", "\(twice)")
        try tool.write("prot: 1\nprto: 1\n", to: "home/config/portolan.yaml")
        let two = try await tool.run(["id"])
        #expect(two.errors.contains("There is 1 more; 'portolan config check' shows it."), "\(two)")
    }

    @Test("a mistake in a policy that is named by its path names that path, too")
    func policy() async throws {
        try tool.write("version: 1\nrulez: []\nrules:\n  - { from: a, action: ask, typ: png }\n", to: "rules.yaml")
        let wrong = try await tool.run(["policy", "check", "rules.yaml"])
        let lines = wrong.output.split(separator: "\n")
        #expect(wrong.code == 64 && lines.count == 2, "\(wrong)")
        for (line, start) in zip(lines, ["2:1: key “rulez”: unknown key", "4:29: key “rules.typ”: unknown key"]) {
            #expect(line.hasPrefix("rules.yaml:\(start)"), "\(line)")
        }
        let told = try await tool.run(["policy", "check", "rules.yaml", "--json"])
        let problems = told.events.first?["problems"] as? [String]
        #expect(problems?.count == 2, "\(told)")
        #expect(problems?.first?.hasPrefix("rules.yaml, line 2, key “rulez”") == true, "\(told)")
    }

    @Test("each setting is shown with its value and the place that it comes from")
    func shows() async throws {
        let path = tool.path("home/config/portolan.yaml")
        let defaults = settings(try await tool.run(["config", "show", "--json"]))
        #expect(isSetting(defaults["port"], "47217", from: "default", at: nil))
        #expect(isSetting(defaults["limit-rate"], nil, from: "default", at: nil))
        #expect(isSetting(defaults["timeouts.find"], "5", from: "default", at: nil))
        #expect(isSetting(defaults["inbox"], tool.path("home/inbox"), from: "default", at: nil))
        #expect(isSetting(defaults["data folder"], tool.path("home/data"), from: "environment", at: "PORTOLAN_HOME"))
        #expect(defaults["name"]?["source"] as? String == "default")
        #expect(!FileManager.default.fileExists(atPath: tool.path("home")), "a question made something")

        try tool.write(
            "port: 47300\nreserve: 2048M\naccept: [png, txt]\ntimeouts:\n  find: 9\n  stall: 0\n",
            to: "home/config/portolan.yaml")
        #expect(try await tool.run(["id", "--name", "tower"]).code == 0)
        #expect(try await tool.run(["team", "create", "acme"]).code == 0)
        let written = settings(
            try await tool.run(["config", "show", "--json", "--discovery", "off", "--interface", "lo"]))
        #expect(isSetting(written["port"], "47300", from: "file", at: path + ":1"))
        #expect(isSetting(written["reserve"], "2G", from: "file", at: path + ":2"))
        #expect(isSetting(written["accept"], "[public.png, public.plain-text]", from: "file", at: path + ":3"))
        #expect(isSetting(written["timeouts.find"], "9", from: "file", at: path + ":5"))
        #expect(isSetting(written["timeouts.stall"], "0", from: "file", at: path + ":6"))
        #expect(isSetting(written["discovery"], "off", from: "option", at: "--discovery"))
        #expect(isSetting(written["interfaces"], "[lo]", from: "option", at: "--interface"))
        #expect(isSetting(written["name"], "tower", from: "device", at: "portolan id --name"))
        #expect(isSetting(written["team"], "acme", from: "device", at: "portolan team use"))
        let lines = try await tool.run(["config", "show", "--port", "5"]).output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("port  ") && $0.contains("option --port") })
        #expect(lines.contains { $0.hasPrefix("timeouts.find") && $0.hasSuffix(path + ":5") })
    }

    @Test("folders are those of HOME and the variables of XDG, and each says so")
    func folders() async throws {
        let environment = ["PORTOLAN_HOME": "", "XDG_STATE_HOME": tool.path("xdg/state"), "XDG_DATA_HOME": "relative"]
        let found = settings(try await tool.run(["config", "show", "--json"], environment: environment))
        let user = tool.path("user")
        #expect(isSetting(found["data folder"], user + "/.local/share/portolan", from: "default", at: nil))
        #expect(
            isSetting(
                found["state folder"], tool.path("xdg/state") + "/portolan", from: "environment", at: "XDG_STATE_HOME"))
        #expect(isSetting(found["inbox"], user + "/Portolan", from: "default", at: nil))
        #expect(isSetting(found["settings"], user + "/.config/portolan/portolan.yaml", from: "default", at: nil))
        let chosen = settings(
            try await tool.run(["config", "show", "--json", "--home", "other"], environment: environment))
        #expect(isSetting(chosen["data folder"], tool.path("other/data"), from: "option", at: "--home"))
    }
}
