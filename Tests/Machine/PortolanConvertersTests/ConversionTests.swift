import Foundation
import PortolanValues
import Testing
import UniformTypeIdentifiers

@testable import PortolanConverters

/// Outcome of a run: a result, or an error with the reason, and no remains.
@Suite struct ConversionTests {
    let workshop = Workshop()

    @Test(arguments: someLayers) func aFileIsConverted(_ layers: Confinement) async throws {
        let made = try await workshop.convert(
            #"tr a-z A-Z < "$1" > "$2"; printf ' %s %s' "${1##*/}" "${2##*/}" >> "$2""#, layers: layers)
        #expect(try text(made) == "CONTENT input.txt output.html")
        #expect(made.type == .html && !made.wasKept)
        #expect(made.size == 29)
        #expect(workshop.leftovers.isEmpty)
        var status = stat()
        #expect(stat(made.path, &status) == 0 && status.st_mode & 0o7733 == 0o600)
    }

    @Test func withoutPlaceholdersTheStandardStreamsAreUsed() async throws {
        let made = try await workshop.conversions().convert(
            workshop.file("source", "text"), of: .plainText, by: converter(["/bin/cat"]))
        #expect(try text(made) == "text")
    }

    @Test("a file whose name is no UTF-8 is converted like any other")
    func nameOfAnyBytes() async throws {
        let path = PathText.text(of: Array("\(workshop.path)/caf".utf8) + [0xE9])
        #expect(rename(workshop.file("source", "text"), path.pathBytes) == 0)
        let made = try await workshop.conversions().convert(path, of: .plainText, by: converter(["/bin/cat"]))
        #expect(try text(made) == "text")
    }

    @Test("content that the program cannot hold in memory is refused without being read")
    func largeContentIsNotRead() async throws {
        let file = workshop.file("source")
        #expect(truncate(file, Int(ConverterDeclarations.usualMemoryLimit)) == 0)
        let conversions = Conversions(cacheFolder: CacheFolder(workshop.cacheFolder) { _ in }) { _ in
            Issue.record("It was read.")
            return []
        }
        let error = await #expect(throws: ConverterError.self) {
            try await conversions.convert(file, of: .plainText, by: converter(["/bin/cat"]))
        }
        #expect(error?.kind == .sizeLimit)
    }

    @Test func argumentsReachTheProgramUnchanged() async throws {
        workshop.tool("tool", #"for argument in "$@"; do printf '<%s>' "$argument"; done"#)
        let made = try await workshop.conversions().convert(
            workshop.file("source"), of: .plainText,
            by: converter(["tool", "$HOME; rm -rf *", "a b", "", "`id`", "*", "'"]))
        #expect(try text(made) == "<$HOME; rm -rf *><a b><><`id`><*><'>")
    }

    @Test func theProgramGetsACopy() async throws {
        let made = try await workshop.convert(#"cp "$1" "$2"; echo changed > "$1"; rm "$1""#, content: "original")
        #expect(try text(made) == "original")
        #expect(FileManager.default.contents(atPath: "\(workshop.path)/source") == Data("original".utf8))
    }

    @Test func largeContentArrivesWhole() async throws {
        let content = String(repeating: "0123456789abcdef", count: 300_000)
        let made = try await workshop.convert(#"cp "$1" "$2""#, content: content, size: 8 << 20)
        #expect(try text(made) == content)
    }

    // MARK: - Failures

    @Test func exitStatusIsReportedWithTheLastOutput() async {
        let error = await workshop.failure(#"echo first >&2; printf 'cannot \033[31mdo\033[0m it\n\n' >&2; exit 3"#)
        #expect(error?.kind == .failed(status: 3))
        let description = error?.description ?? ""
        #expect(description.hasPrefix("“tool” could not make “"))
        #expect(
            description.hasSuffix(": it ended with exit status 3. It said: cannot \\u{1B}[31mdo\\u{1B}[0m it"),
            "\(description)")
        // An identifier of a type is for programs.
        #expect(!description.contains("public."))
        #expect(error?.diagnostics.map(\.text).first == "first")
        #expect(workshop.leftovers.isEmpty && workshop.kept.isEmpty)
    }

    @Test(arguments: someLayers) func signalIsReported(_ layers: Confinement) async {
        // The shell ends itself like an aborting program.
        let error = await workshop.failure("ulimit -t 1; while :; do :; done", time: .seconds(300), layers: layers)
        #expect(error?.kind == .killed(signal: SIGKILL) || error?.kind == .timeLimit, "\(String(describing: error))")
        #expect(workshop.leftovers.isEmpty)
    }

    @Test func noResultIsAnError() async {
        #expect(await workshop.failure("exit 0")?.kind == .noOutput)
        #expect(await workshop.failure(#": > "$2""#)?.kind == .emptyOutput)
        #expect(workshop.leftovers.isEmpty && workshop.kept.isEmpty)
    }

    @Test(arguments: [
        #"mkdir "$2""#, #"ln -s /etc/passwd "$2""#, #"ln -s "$1" "$2""#, #"ln "$1" "$2""#, #"mkfifo "$2""#,
    ]) func resultMustBeASeparateRegularFile(_ script: String) async {
        #expect(await workshop.failure(script)?.kind == .outputNotFile)
        #expect(workshop.leftovers.isEmpty && workshop.kept.isEmpty)
    }

    @Test(arguments: [
        // A file becomes too large, by standard tools that are killed, and by one that continues.
        #"dd if=/dev/zero of="$2" bs=1M count=10240"#, #"yes > "$2""#, #"trap '' XFSZ; yes > "$2"; exit 0"#,
        #"truncate -s 10G "$2""#,
        // Many files, and folders of them.
        "i=0; while :; do i=$((i+1)); head -c 300000 /dev/zero > $i; done",
        "while :; do mkdir d; cd d; head -c 300000 /dev/zero > f; done",
        "i=0; while :; do i=$((i+1)); : > $i; done",
    ]) func aProgramThatWritesTooMuchIsStopped(_ script: String) async {
        let error = await workshop.failure(script, time: .seconds(300), size: 2 << 20)
        #expect(error?.kind == .sizeLimit, "\(String(describing: error))")
        #expect(workshop.leftovers.isEmpty && workshop.kept.isEmpty)
    }

    @Test func asMuchAsTheLimitIsAllowed() async throws {
        let script = #"head -c $((1 << 20)) /dev/zero > "$2""#
        #expect(try await workshop.convert(script, size: 1 << 20).size == 1 << 20)
        #expect(await workshop.failure(script, content: "other", size: (1 << 20) - 1)?.kind == .sizeLimit)
    }

    @Test(arguments: [
        "sleep 1000", "while :; do :; done", "trap '' TERM INT HUP QUIT; while :; do sleep 1; done",
        "yes error >&2", "kill -STOP $$; sleep 1000",
    ]) func endlessProgramIsStopped(_ script: String) async {
        let error = await workshop.failure(script, time: .seconds(1))
        #expect(error?.kind == .timeLimit, "\(String(describing: error))")
        #expect(
            error?.description.contains("longer than its limit of 1.0 seconds") == true, "\(String(describing: error))")
        #expect((error?.diagnostics.reduce(0) { $0 + $1.text.utf8.count } ?? 0) <= 4096)
        #expect(workshop.leftovers.isEmpty)
    }

    @Test func memoryIsLimited() async {
        let converter = Converter(
            from: .plainText, to: .html, command: ["tool", "{output}"], timeLimit: .seconds(60), sizeLimit: 1 << 20,
            memoryLimit: 64 << 20, reads: [], declaredIn: "test.plist")
        // dd takes a buffer of the size of a block.
        workshop.tool("tool", #"dd if=/dev/zero of=/dev/null bs=200M count=1 || exit 9; echo done > "$1""#)
        await #expect {
            try await workshop.conversions().convert(workshop.file("source"), of: .plainText, by: converter)
        } throws: { ($0 as? ConverterError)?.kind == .failed(status: 9) }
    }

    @Test func missingProgramIsReported() async {
        let conversions = workshop.conversions()
        for command in ["missing", "/no/such/tool"] {
            await #expect {
                try await conversions.convert(workshop.file("source"), of: .plainText, by: converter([command]))
            } throws: { ($0 as? ConverterError)?.kind == .notInstalled }
        }
        workshop.tool("tool", "", interpreter: "/no/such/interpreter")
        await #expect {
            try await conversions.convert(workshop.file("source"), of: .plainText, by: converter())
        } throws: { ($0 as? ConverterError)?.kind == .notInstalled }
        #expect(chmod(workshop.file("tools/tool", "no program at all"), 0o755) == 0)
        await #expect {
            try await conversions.convert(workshop.file("source"), of: .plainText, by: converter())
        } throws: { ($0 as? ConverterError)?.kind == .notStarted }
        #expect(workshop.leftovers.isEmpty)
    }

    @Test func contentThatIsNoFileIsReported() async {
        workshop.tool("tool", #"cp "$1" "$2""#)
        #expect(mkfifo("\(workshop.path)/pipe", 0o600) == 0)
        for name in ["missing", "outside", "pipe"] {
            await #expect {
                try await workshop.conversions().convert("\(workshop.path)/\(name)", of: .plainText, by: converter())
            } throws: { ($0 as? ConverterError)?.kind == .sourceUnreadable }
        }
        #expect(workshop.leftovers.isEmpty)
    }

    @Test func unusableResultFolderIsReported() async {
        workshop.tool("tool", #"cp "$1" "$2""#)
        workshop.file("cache")
        await #expect {
            try await workshop.conversions().convert(workshop.file("source"), of: .plainText, by: converter())
        } throws: { ($0 as? ConverterError)?.kind == .cacheUnusable }
    }

    @Test func unlistableFolderIsRemoved() async throws {
        let script = #"echo done > "$2"; mkdir -p a/b/c; : > a/b/c/file; chmod 0 a/b/c a/b a; chmod 0 ."#
        do {
            _ = try await workshop.convert(script)
        } catch let error as ConverterError {
            // Only root can count its content.
            #expect(error.kind == .sizeLimit && geteuid() != 0)
        }
        #expect(workshop.leftovers.isEmpty)
    }
}
