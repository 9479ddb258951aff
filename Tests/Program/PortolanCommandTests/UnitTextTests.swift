import Portolan
import Testing

@testable import PortolanCommand

@Suite("The unit of the agent")
struct UnitTextTests {
    @Test(
        "an argument with any characters is the same word for the program",
        arguments: [
            ("run", "run"), ("--port=47300", "--port=47300"), ("/home/ada/a-b_c.d", "/home/ada/a-b_c.d"),
            ("two words", "\"two words\""), ("100%", "100%%"), ("$HOME", "\"$$HOME\""), ("a\"b", "\"a\\\"b\""),
            ("a\\b", "\"a\\\\b\""), ("it's", "\"it's\""), ("", "\"\""), (";", "\";\""), ("é", "\"é\""),
        ])
    func arguments(word: String, spelled: String) throws {
        #expect(try UnitText.argument(word) == spelled)
    }

    @Test("variables are replaced in arguments only, so that nothing is doubled elsewhere")
    func dollars() throws {
        #expect(try UnitText.program("/opt/$x/portolan") == "\"/opt/$x/portolan\"")
        #expect(try UnitText.value("-/srv/$x %h") == "\"-/srv/$x %%h\"")
    }

    @Test("a line feed makes no second setting", arguments: ["a\nExecStart=/bin/sh", "a\rb", "a\0b", "a\u{7F}"])
    func controlCharacters(text: String) {
        #expect(throws: ValueError.self) { try UnitText.argument(text) }
        #expect(throws: ValueError.self) { try UnitText.value(text) }
    }

    private func unit(_ scope: ServiceUnit.Scope, version: Int? = 252) -> ServiceUnit {
        ServiceUnit(
            scope: scope, program: "/usr/bin/portolan", arguments: ["agent", "run", "--name", "Ada's desk"],
            environment: ["XDG_DATA_HOME=/data dir"], hasRuntimeFolder: true, version: version)
    }

    @Test("a user's unit names its command and its target, and has no list of folders")
    func userUnit() throws {
        let lines = Set(try unit(.user).text().split(separator: "\n").map(String.init))
        for line in [
            "Type=notify", "ExecStart=/usr/bin/portolan agent run --name \"Ada's desk\"",
            "ExecReload=/bin/kill -HUP $MAINPID", "Environment=\"XDG_DATA_HOME=/data dir\"",
            "RuntimeDirectory=portolan", "ProtectSystem=full", "PrivateUsers=yes", "NoNewPrivileges=yes",
            "RestartSec=10", "WantedBy=default.target", "StartLimitIntervalSec=0",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("ReadWritePaths=") || $0.hasPrefix("ProtectHome=") })
        // Content to be sent may be in /tmp.
        #expect(!lines.contains("PrivateTmp=yes"))
    }

    @Test("a unit of the machine has no namespace of users, and needs no login")
    func machineUnit() throws {
        let text = try unit(.machine).text()
        #expect(text.contains("WantedBy=multi-user.target\n"))
        #expect(!text.contains("PrivateUsers"))
    }

    @Test("a program that was removed is not started again and again")
    func removedProgram() throws {
        #expect(try unit(.user).text().contains("RestartPreventExitStatus=64 65 77 203\n"))
        #expect(try unit(.machine, version: 254).text().contains("RestartPreventExitStatus=64 65 77 203\n"))
    }

    @Test("systemd waits longer from failure to failure where it can")
    func steps() throws {
        #expect(try !unit(.user, version: 253).text().contains("RestartSteps"))
        #expect(try unit(.user, version: 254).text().contains("RestartSteps"))
        #expect(try !unit(.user, version: nil).text().contains("RestartSteps"))
    }

    @Test("a path that no unit can have is refused")
    func badPath() {
        var unit = unit(.user)
        unit.environment = ["XDG_DATA_HOME=/a\nExecStart=/bin/sh"]
        #expect(throws: ValueError.self) { try unit.text() }
    }

    @Test("a program that may go away is warned of")
    func places() {
        func warning(_ program: String) -> String? {
            ServiceUnit(scope: .user, program: program, arguments: [], hasRuntimeFolder: true).warning
        }
        #expect(warning("/home/ada/portolan/.build/release/portolan")?.contains("build folder") == true)
        #expect(warning("/tmp/portolan")?.contains("temporary folder") == true)
        #expect(warning("/home/ada/.local/bin/portolan") == nil)
    }
}
