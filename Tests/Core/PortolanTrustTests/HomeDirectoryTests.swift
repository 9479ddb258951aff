import Foundation
import PortolanTrust
import PortolanValues
import Testing

@Suite struct HomeDirectoryTests {
    @Test func theXDGDefaultsAreBelowHome() throws {
        let home = try HomeDirectory(environment: ["HOME": "/home/ada"])
        #expect(home.configuration == "/home/ada/.config/portolan")
        #expect(home.data == "/home/ada/.local/share/portolan")
        #expect(home.state == "/home/ada/.local/state/portolan")
        #expect(home.runtime == nil)
        #expect(home.root == nil)
        #expect(home.configurationFile == "/home/ada/.config/portolan/portolan.yaml")
    }

    @Test func theEnvironmentMovesEachOfThem() throws {
        let home = try HomeDirectory(environment: [
            "HOME": "/home/ada", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s",
            "XDG_RUNTIME_DIR": "/run/user/1000",
        ])
        #expect(home.configuration == "/c/portolan")
        #expect(home.data == "/d/portolan")
        #expect(home.state == "/s/portolan")
        #expect(home.runtime == "/run/user/1000/portolan")
    }

    @Test func relativeValuesAreIgnored() throws {
        let home = try HomeDirectory(environment: [
            "HOME": "/home/ada", "XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "./s",
            "XDG_RUNTIME_DIR": "r",
        ])
        #expect(home == (try HomeDirectory(environment: ["HOME": "/home/ada"])))
    }

    @Test("without a home directory there is an error, and no guess", arguments: [[:], ["HOME": ""], ["HOME": "ada"]])
    func missingHomeIsAnError(environment: [String: String]) {
        #expect(throws: HomeError.noHome) { try HomeDirectory(environment: environment) }
    }

    @Test(
        "root keeps no state in the home of another user, and says whose it is",
        .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func foreignHome() throws {
        let path = "/tmp/portolan-home-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try HomeDirectory(environment: ["HOME": path]).data.hasPrefix(path))
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: path)
        let error = try #require(throws: HomeError.self) { try HomeDirectory(environment: ["HOME": path]) }
        #expect(error.description.contains(path) && error.description.contains("without sudo"), "\(error)")
        #expect(!error.description.contains("chown"))
        #expect(try HomeDirectory(environment: ["HOME": path, "PORTOLAN_HOME": path + "/p"]).root == path + "/p")
    }

    @Test func oneDirectoryContainsAllState() throws {
        let home = try HomeDirectory(override: "/tmp/a/", environment: ["PORTOLAN_HOME": "/tmp/b"])
        #expect(home.root == "/tmp/a")
        for path in [home.configuration, home.data, home.state, home.cache, home.runtime ?? ""] {
            #expect(path.hasPrefix("/tmp/a/"))
        }
        #expect(try HomeDirectory(environment: ["PORTOLAN_HOME": "/tmp/b"]).root == "/tmp/b")
        let here = FileManager.default.currentDirectoryPath
        #expect(try HomeDirectory(override: "c", environment: [:]).root == here + "/c")
        #expect(throws: HomeError.emptyOverride) { try HomeDirectory(override: "", environment: ["HOME": "/h"]) }
    }

    @Test("a home that is not UTF-8 is refused, and none is made elsewhere", arguments: ["HOME", "XDG_DATA_HOME"])
    func homeThatIsNotUTF8IsRefused(variable: String) throws {
        let path = PathText.text(of: Array("/h".utf8) + [0xE9])
        let environment = ["HOME": "/home/ada"].merging([variable: path]) { $1 }
        let error = try #require(throws: HomeError.self) { try HomeDirectory(environment: environment) }
        #expect(error.description.contains("\\xE9"))
        #expect(throws: HomeError.self) { try HomeDirectory(override: path, environment: [:]) }
        #expect(try HomeDirectory(override: "/x", environment: environment).root == "/x")
    }
}
