import Foundation
import Glibc
import Portolan
import PortolanSettings
import PortolanTrust
import PortolanValues
import Testing

@Suite struct ConfigurationFileTests {
    @Test func everyKeyIsRead() throws {
        let file = try ConfigurationFile.parse(
            """
            name: Ada’s laptop
            port: 47300
            interfaces: [eth0, wlan0]
            discovery: embedded
            discoverable: team
            team: acme
            inbox: /srv/drop
            accept:
              - public.image
              - txt
            reserve: 1G
            max-size: 50G
            partials: 12h
            limit-rate: 20M
            timeouts:
              offer: 5
              silence: 20
              answer: 60
              find: 3
              retry: 0
              stall: 90
            """)
        #expect(file.name?.text == "Ada’s laptop")
        #expect(file.port == 47300)
        #expect(file.interfaces == ["eth0", "wlan0"])
        #expect(file.discovery == .embedded)
        #expect(file.discoverable == .team)
        #expect(file.team?.text == "acme")
        #expect(file.inbox == "/srv/drop")
        #expect(file.accept == [.image, .plainText])
        #expect(file.timeouts.offer == .seconds(5))
        #expect(file.timeouts.silence == .seconds(20))
        #expect(file.timeouts.answer == .seconds(60))
        #expect(file.timeouts.find == .seconds(3))
        #expect(file.timeouts.retry == .zero)
        #expect(file.timeouts.stall == .seconds(90))
        #expect(file.reserve == 1 << 30)
        #expect(file.maximumSize == 50 << 30)
        #expect(file.partials == .seconds(12 * 3600))
        #expect(file.limitRate == 20 << 20)
        #expect(file.lines["name"] == 1 && file.lines["accept"] == 8 && file.lines["timeouts.stall"] == 21)
    }

    @Test("an amount is written as it is read", arguments: [("0", 0), ("1000", 1000), ("4K", 4096), ("3G", 3 << 30)])
    func amounts(text: String, bytes: UInt64) throws {
        #expect(SizeSyntax.text(of: bytes) == text)
        #expect(try SizeSyntax.parse(text) == bytes)
    }

    @Test("a file may say nothing", arguments: ["", "\n\n", "# all is commented out\n", "---\n"])
    func empty(text: String) throws {
        #expect(try ConfigurationFile.parse(text) == ConfigurationFile())
    }

    @Test func missingFileMeansDefaults() throws {
        let home = try HomeDirectory(override: "/nonexistent", environment: [:])
        #expect(try ConfigurationFile.load(from: home) == ConfigurationFile())
    }

    @Test(
        "a mistake names its line and its key",
        arguments: [
            ("port: 47300\nprot: 1", 2, "prot"), ("port: zero", 1, "port"), ("\n\nport: 99999", 3, "port"),
            ("port: [1]", 1, "port"),
            ("port:", 1, "port"), ("name: \"a\\nb\"", 1, "name"), ("discovery: telepathy", 1, "discovery"),
            ("discoverable: friends", 1, "discoverable"), ("team: a b", 1, "team"), ("team: [acme]", 1, "team"),
            ("inbox: drop", 1, "inbox"), ("accept: public.image", 1, "accept"),
            ("accept:\n  - png\n  - nosuch", 3, "accept"),
            ("timeouts:\n  offer: 5\n  offre: 5", 3, "timeouts.offre"), ("timeouts:\n  offer: 0", 2, "timeouts.offer"),
            ("reserve: lots", 1, "reserve"), ("max-size: -1", 1, "max-size"), ("partials: 7", 1, "partials"),
            ("limit-rate: 0", 1, "limit-rate"),
            ("timeouts:\n  retry: -1", 2, "timeouts.retry"), ("timeouts:\n  find: 1.5", 2, "timeouts.find"),
            ("timeouts: 5", 1, "timeouts"), ("[a]: b", 1, ""),
            ("- a", 1, ""),
            ("just words", 1, ""),
        ])
    func mistakes(text: String, line: Int, key: String) throws {
        let defect = try #require(throws: ConfigurationDefect.self) { try ConfigurationFile.parse(text) }
        #expect(defect.line == line, "\(defect)")
        #expect(defect.key == key, "\(defect)")
    }

    @Test func repeatedKeyIsAnError() throws {
        let text = "team: a\nport: 1\nport: 2"
        let defect = try #require(throws: ConfigurationDefect.self) { try ConfigurationFile.parse(text) }
        #expect(defect.key == "port")
        #expect(defect.line == 2, "\(defect)")
    }

    @Test(
        "malformed YAML is an error that names the line",
        arguments: [("a: b: c", 1), ("port: 1\n\tx: 2", 2), ("port: \"", 1)])
    func notYAML(text: String, line: Int) throws {
        let defect = try #require(throws: ConfigurationDefect.self) { try ConfigurationFile.parse(text) }
        #expect(defect.line >= line, "\(defect)")
    }

    @Test func hostileKeysAreShownSafely() throws {
        let defect = try #require(throws: ConfigurationDefect.self) { try ConfigurationFile.parse("\"\\e[2J\": 1") }
        #expect(DisplayText.isHarmless(defect.description))
    }

    @Test func sentenceHasTheFileName() throws {
        try withHome { home, write in
            try write(Array("prot: 1".utf8))
            let failure = try #require(throws: ConfigurationError.self) { try ConfigurationFile.load(from: home) }
            #expect(failure.description.contains(home.configurationFile) && !failure.isUntrusted)
            #expect(failure.description.contains("line 1, key “prot”"))
            try write([0xFF, 0xFE])
            #expect(throws: ConfigurationError.self) { try ConfigurationFile.load(from: home) }
            try write(Array(repeating: UInt8(ascii: "#"), count: 1 << 17))
            #expect(throws: ConfigurationError.self) { try ConfigurationFile.load(from: home) }
        }
    }

    enum Place: CaseIterable {
        case file, folder, home

        func path(in home: HomeDirectory) -> String {
            switch self {
            case .file: home.configurationFile
            case .folder: home.configuration
            case .home: home.root ?? ""
            }
        }
    }

    /// Runs `body` with a home that only this user can change, and a function that writes its configuration file.
    private func withHome(_ body: (HomeDirectory, _ write: ([UInt8]) throws -> Void) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.path + "/portolan-settings-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let home = try HomeDirectory(override: root, environment: [:])
        for folder in [root, home.configuration] {
            try #require(mkdir(folder, 0o755) == 0 && chmod(folder, 0o755) == 0)
        }
        try body(home) { bytes in
            try Data(bytes).write(to: URL(fileURLWithPath: home.configurationFile))
            try #require(chmod(home.configurationFile, 0o644) == 0)
        }
    }

    @Test(
        "a file that others can change is not obeyed, nor one in a folder that they can change",
        arguments: Place.allCases, [0o664, 0o646] as [mode_t])
    func fileWritableByOthersIsRefused(place: Place, bits: mode_t) throws {
        try withHome { home, write in
            try write(Array("name: planted".utf8))
            #expect(try Settings(home: home).node().name?.text == "planted")
            let path = place.path(in: home)
            try #require(chmod(path, path == home.configurationFile ? bits : bits | 0o111) == 0)
            let failure = try #require(throws: ConfigurationError.self) { try Settings(home: home) }
            #expect(failure.isUntrusted)
            #expect(failure.description.hasSuffix("Run: chmod go-w '\(path)'"), "\(failure)")
        }
    }

    @Test(
        "a file of another user is not obeyed, nor one in another user's folder",
        .enabled(if: geteuid() == 0, "only root can give a file to another user"),
        arguments: Place.allCases)
    func belongsToAnother(place: Place) throws {
        try withHome { home, write in
            try write(Array("name: planted".utf8))
            try #require(chown(place.path(in: home), 12345, 12345) == 0)
            let failure = try #require(throws: ConfigurationError.self) { try Settings(home: home) }
            #expect(failure.isUntrusted && failure.description.contains("belongs to user 12345"), "\(failure)")
        }
    }

    @Test("the inbox is below the home directory that the environment names, as the key is")
    func inboxFollowsHome() throws {
        let user = FileManager.default.temporaryDirectory.path + "/portolan-user-\(UUID())"
        let home = try HomeDirectory(environment: ["HOME": user])
        #expect(home.data.hasPrefix(user))
        #expect(try Settings(home: home).inbox == user + "/Portolan")
        #expect(try ConfigurationFile.parse("inbox: ~/Drop", userHome: home.folderOfUser).inbox == user + "/Drop")
    }

    @Test func argumentsPrecedeTheFileAndTheFilePrecedesTheDefaults() throws {
        let root = FileManager.default.temporaryDirectory.path + "/portolan-settings-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let home = try HomeDirectory(override: root, environment: [:])
        let defaults = try Settings(home: home)
        #expect(defaults.node().discovery == .automatic && defaults.node().converters)
        #expect(defaults.inbox == root + "/inbox")
        #expect(defaults.receiveOptions() == Node.ReceiveOptions() && defaults.sendOptions == Node.SendOptions())

        try FileManager.default.createDirectory(atPath: home.configuration, withIntermediateDirectories: true)
        try Data(
            """
            name: configured
            discovery: embedded
            interfaces: [eth0]
            converters: false
            inbox: /srv/drop
            limit-rate: 1M
            timeouts: { find: 3, retry: 0 }
            """.utf8
        ).write(to: URL(fileURLWithPath: home.configurationFile))
        let settings = try Settings(home: home)
        #expect(settings.node().name?.text == "configured" && settings.node().findWait == .seconds(3))
        #expect(settings.node().discovery == .embedded && settings.node().interfaces == ["eth0"])
        #expect(settings.inbox == "/srv/drop" && settings.sendOptions.retry == .zero)
        var overrides = Settings.Overrides()
        overrides.name = try DeviceName("told")
        overrides.discovery = .off
        #expect(settings.node(overrides).name?.text == "told" && settings.node(overrides).discovery == .off)
        #expect(!settings.node(overrides).converters, "what the file forbids stays forbidden")
        #expect(settings.receiveOptions(limitRate: 5).rateLimit == 5 && settings.receiveOptions().rateLimit == 1 << 20)
        var options = ParcelOptions()
        options.interfaces = ["lo"]
        #expect(settings.node(for: options).interfaces == ["lo"] && settings.node(for: options).discovery == .embedded)
    }
}
