import Foundation
import Glibc
import Testing

/// Typed paths keep their bytes, and descriptors that the shell opens are read.
@Suite(.serialized) struct TypedPathTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Starts the tool by a script, in which `"$0" "$@"` is the tool with its arguments, since arguments of this
    /// process cannot have such bytes.
    private func script(_ text: String) -> [String] { ["/bin/bash", "-c", text] }

    private func send(_ arguments: [String], to address: String, _ text: String) async throws -> Tool.Outcome {
        try await tool.run(
            ["send", "--no-converters", "--to", address] + arguments, launcher: script(text))
    }

    /// Runs a script in the folder.
    private func run(_ text: String) throws -> Int32 {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", text]
        shell.currentDirectoryURL = tool.folder
        try shell.run()
        shell.waitUntilExit()
        return shell.terminationStatus
    }

    /// The texts of the files in the inbox.
    private func texts() throws -> Set<String> {
        Set(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") }.map { try tool.read("inbox/\($0)") })
    }

    @Test("a file whose name is not UTF-8 is sent, and not the one that is called so with U+FFFD")
    func sent() async throws {
        let (receiver, address) = try await tool.receive()
        let name = #"$(printf 'caf\351.txt')"#
        #expect(try run(#"printf right >"\#(name)"; printf wrong >"$(printf 'caf\357\277\275.txt')""#) == 0)
        defer { _ = try? run(#"rm -f -- "\#(name)""#) }
        let sent = try await send([], to: address, #"exec "$0" "$@" "\#(name)""#)
        #expect(sent.code == 0, "\(sent)")
        #expect(try texts() == ["right"])
        let form = try await send([], to: address, #"exec "$0" "$@" --as="$(printf 'md=caf\351.txt')""#)
        #expect(form.code == 0, "\(form)")
        #expect(try texts() == ["right"])
        let other = try await send(["caf\u{FFFD}.txt"], to: address, #"exec "$0" "$@""#)
        #expect(other.code == 0, "\(other)")
        #expect(try texts() == ["right", "wrong"])
        let type = try await tool.run(
            ["types", "of"], launcher: script(#"exec "$0" "$@" "\#(name)" caf*.txt"#))
        #expect(type.code == 0 && type.output.contains("caf\\xE9.txt: public.plain-text"), "\(type)")
        let missing = try await send([], to: address, #"exec "$0" "$@" "$(printf 'caf\352.txt')""#)
        #expect(missing.code == 66 && missing.errors.contains("\\xEA"), "\(missing)")
        _ = try await receiver.stop()
    }

    @Test("a received item goes into the folder that was typed, and a file in a working folder of bytes is found")
    func storedAsTyped() async throws {
        let folder = #"$(printf 'in\351')"#
        #expect(try run(#"mkdir "$(printf 'd\351')"; printf here >"$(printf 'd\351')/a.txt""#) == 0)
        defer { _ = try? run(#"rm -rf -- "\#(folder)" "$(printf 'd\351')""#) }
        let options = ["--discovery", "off", "--interface", "lo", "--json"]
        let receiver = try tool.start(
            ["receive", "--yes", "--once"] + options, home: "receiver",
            launcher: script(#"exec "$0" "$@" --into "\#(folder)/new""#))
        let address = "127.0.0.1:\(try await receiver.port())"
        let sent = try await send(["a.txt"], to: address, #"cd "$(printf 'd\351')" && exec "$0" "$@""#)
        #expect(sent.code == 0, "\(sent)")
        let ended = try await receiver.finish()
        #expect(ended.code == 0, "\(ended)")
        #expect(try run(#"[ "$(cat "\#(folder)/new/a.txt")" = here ]"#) == 0)
        // No other folder was created for it.
        #expect(try run("set -- in*; [ $# = 1 ]") == 0)

        let inside = try tool.start(
            ["receive", "--yes", "--once", "--into", "inner"] + options, home: "receiver",
            launcher: script(#"cd "$(printf 'd\351')" && exec "$0" "$@""#))
        let again = try await send(["--text", "x"], to: "127.0.0.1:\(try await inside.port())", #"exec "$0" "$@""#)
        #expect(again.code == 0, "\(again)")
        #expect(try await inside.finish().code == 0)
        #expect(try run(#"[ -d "$(printf 'd\351')/inner" ]"#) == 0)
    }

    @Test("a home that is not UTF-8 is refused, and no other one is made")
    func home() async throws {
        for text in [
            #"exec "$0" "$@" --home "$(printf 'h\351')""#, #"PORTOLAN_HOME="$PWD/$(printf 'h\351')" exec "$0" "$@""#,
        ] {
            let outcome = try await tool.run(["id"], launcher: script(text))
            #expect(outcome.code == 64 && outcome.errors.contains("h\\xE9"), "\(outcome)")
        }
        #expect(try run(#"for one in h*; do [ "$one" = 'h*' ] || exit 1; done"#) == 0)
    }

    @Test("text that is no path is sent as it always was")
    func text() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        let sent = try await send([], to: address, #"exec "$0" "$@" --text "$(printf 'caf\351')""#)
        #expect(sent.code == 0, "\(sent)")
        _ = try await receiver.finish()
        #expect(try texts() == ["caf\u{FFFD}"])
    }

    @Test(
        "from a folder that was removed, a relative path leads nowhere",
        arguments: [
            ["receive", "--into", "portolan-test-inbox", "--discovery", "off", "--once"], ["id", "--home", "h"],
        ])
    func removedFolder(arguments: [String]) async throws {
        let outcome = try await tool.run(
            arguments, launcher: script(#"mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@""#))
        #expect(outcome.code != 0 && outcome.errors.contains("was removed"), "\(outcome)")
        #expect(access("/portolan-test-inbox", F_OK) != 0)
    }

    @Test("a descriptor that the shell has opened is sent as standard input is")
    func pipes() async throws {
        let (receiver, address) = try await tool.receive()
        let type = ["--type", "text/html; charset=utf-8"]
        let pipe = try await send(type, to: address, #"exec "$0" "$@" <(printf one)"#)
        #expect(pipe.code == 0, "\(pipe)")
        #expect(try tool.read("inbox/input.html") == "one")
        let both = try await send(
            [], to: address, #"exec "$0" "$@" <(printf two) <(printf three)"#)
        #expect(both.code == 0, "\(both)")
        let input = try await send([], to: address, #"printf four | exec "$0" "$@" /dev/stdin"#)
        #expect(input.code == 0, "\(input)")
        let document = try await send([], to: address, #"exec "$0" "$@" /dev/fd/3 3<<<five"#)
        #expect(document.code == 0, "\(document)")
        try tool.write("six", to: "six.txt")
        let file = try await send([], to: address, #"exec "$0" "$@" /dev/stdin <six.txt"#)
        #expect(file.code == 0, "\(file)")
        #expect(try texts() == ["one", "two", "three", "four", "five\n", "six"])
        let twice = try await send([], to: address, #"printf x | exec "$0" "$@" - /dev/stdin"#)
        #expect(twice.code == 64, "\(twice)")
        let closed = try await send([], to: address, #"exec "$0" "$@" /dev/fd/77"#)
        #expect(closed.code == 66, "\(closed)")
        _ = try await receiver.stop()
    }
}
