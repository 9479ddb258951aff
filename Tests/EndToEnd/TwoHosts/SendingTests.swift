import Foundation
import Glibc
import TestSupport
import Testing

extension OnTwoHosts {
    /// Each kind of item, from command to receipt.
    @Suite("Sending") struct Sending {
        @Test(arguments: HostLink.discoveries)
        func fileArrivesCompleteAndASecondIsStoredBesideIt(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let photo = a.files + "/photo.png"
                try Files.write(noise(3_000_001, seed: 1), to: photo)
                chmod(photo, 0o750)
                expect(try await a.send([photo], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.names(in: inbox) == ["photo.png"])
                #expect(try Files.inventory(of: inbox + "/photo.png") == Files.inventory(of: photo))

                try Files.write("another", to: photo)
                expect(try await a.send([photo], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.names(in: inbox) == ["photo (2).png", "photo.png"])
                #expect(try Files.read(inbox + "/photo (2).png") == Array("another".utf8))
            }
        }

        @Test func severalFilesAreSentByOneCommand() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                try Files.write(noise(70_000, seed: 2), to: a.files + "/photo.png")
                try Files.write("", to: a.files + "/notes.md")
                let sending = try await a.send([a.files + "/photo.png", a.files + "/notes.md"], to: "ben")
                expect(sending, endsWith: ExitCode.done)
                #expect(try Files.names(in: inbox) == ["notes.md", "photo.png"])
                #expect(try Files.read(inbox + "/photo.png") == noise(70_000, seed: 2))
                #expect(try Files.read(inbox + "/notes.md").isEmpty)
            }
        }

        @Test func aFolderKeepsEmptyFoldersExecutableBitsTimesAndItsOwnLinks() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let folder = a.files + "/trip"
                for inner in ["/photos/empty", "/bin"] { try Files.makeFolder(folder + inner) }
                try Files.write("#!/bin/sh\n", to: folder + "/bin/run")
                chmod(folder + "/bin/run", 0o755)
                try Files.write(noise(1_500_000, seed: 3), to: folder + "/photos/1.jpg")
                try Files.write("ü", to: folder + "/photos/größe 🏔.txt")
                symlink("../bin/run", folder + "/photos/link")
                for path in ["/photos/empty", "/photos/1.jpg", "/photos", "/bin/run", ""] {
                    var times = [timespec(tv_sec: 981_173_106, tv_nsec: 123_456_789)]
                    times.append(times[0])
                    #expect(utimensat(AT_FDCWD, folder + path, times, 0) == 0)
                }
                expect(try await a.send([folder], to: "ben"), endsWith: ExitCode.done)
                #expect(try Files.names(in: inbox) == ["trip"])
                #expect(try Files.inventory(of: inbox + "/trip") == Files.inventory(of: folder))
            }
        }

        @Test func linkOutOfTheFolderIsReportedNotFollowed() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let folder = a.files + "/trip"
                try Files.makeFolder(folder)
                try Files.write("kept", to: folder + "/kept.txt")
                try Files.write("secret", to: a.files + "/secret.txt")
                symlink("../secret.txt", folder + "/out")
                let sending = try await a.send([folder], to: "ben")
                expect(sending, endsWith: ExitCode.incomplete)
                #expect((sending.text + sending.errorText).contains("out"), "\(sending)")
                #expect(try Files.names(in: inbox + "/trip") == ["kept.txt"])
            }
        }

        @Test(arguments: HostLink.discoveries)
        func receiveOnceEndsAfterAText(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox, ["--yes", "--once", "--json"])
                expect(try await a.send(["--text", "see you at 5"], to: "ben"), endsWith: ExitCode.done)
                let received = try await receiver.finish()
                expect(received, endsWith: ExitCode.done)
                let name = try #require(try Files.names(in: inbox).first)
                #expect(try Files.read("\(inbox)/\(name)") == Array("see you at 5".utf8))
                #expect(jsonObjects(received.text).contains { "\($0)".contains(name) }, "\(received)")
            }
        }

        @Test func pipedInputArrivesWithTheNamedType() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(into: inbox, ["--yes", "--once", "--json"])
                let sending = try await a.send(
                    ["-", "--type", "public.utf8-plain-text"], to: "ben", input: .bytes(Array("Sat Nov 21\n".utf8)))
                expect(sending, endsWith: ExitCode.done)
                let received = try await receiver.finish()
                #expect(received.text.contains("public.utf8-plain-text"), "\(received)")
                let name = try #require(try Files.names(in: inbox).first)
                #expect(try Files.read("\(inbox)/\(name)") == Array("Sat Nov 21\n".utf8))
            }
        }

        @Test(
            arguments: [
                ("public.text", "net.daringfireball.markdown", "# note"),
                // Markdown is plain text, but no RTF.
                ("public.rtf", "public.rtf", "{\\rtf1 note}"),
            ])
        func firstVisibleImportableFormIsTaken(
            accepted: String, type: String, content: String
        ) async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                let receiver = try await b.receive(
                    into: inbox, ["--yes", "--once", "--json", "--accept", "public.image", "--accept", accepted])
                for (name, text) in [("n.html", "<h1>note</h1>"), ("n.md", "# note"), ("n.rtf", "{\\rtf1 note}")] {
                    try Files.write(text, to: "\(a.files)/\(name)")
                }
                let sending = try await a.send(
                    [
                        "--as", "public.html@team=\(a.files)/n.html",
                        "--as", "net.daringfireball.markdown=\(a.files)/n.md", "--as", "public.rtf=\(a.files)/n.rtf",
                    ], to: "ben")
                expect(sending, endsWith: ExitCode.done)
                let received = try await receiver.finish()
                #expect(received.text.contains(type), "\(received)")
                #expect(!received.text.contains("html"), "a stranger learned of a form for the team\n\(received)")
                let names = try Files.names(in: inbox)
                #expect(names.count == 1)
                #expect(try Files.read(inbox + "/" + names[0]) == Array(content.utf8))
            }
        }

        @Test func aPeerIsReachedByAddressAndByTheBeginningOfItsFingerprint() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let inbox = b.files + "/inbox"
                _ = try await b.receive(into: inbox)
                let address = "\(b.address):\(TestHost.defaultPort)"
                expect(try await a.send(["--text", "1"], to: address), endsWith: ExitCode.done)
                let fingerprint = try await b.fingerprint()
                expect(try await a.send(["--text", "2"], to: String(fingerprint.prefix(9))), endsWith: ExitCode.done)
                expect(try await a.send(["--text", "3"], to: fingerprint), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: inbox).count == 3)
            }
        }

        @Test func receiverWithATakenPortIsFoundAtAnother() async throws {
            try await HostPair.with(.none) { a, b, _ in
                _ = try await b.receive(into: b.files + "/one", ["--yes", "--home", b.directory + "/one"])
                try Files.makeFolder(b.files + "/two")
                let second = try await b.start(
                    b.portolan(["receive", "--into", b.files + "/two", "--yes", "--name", "bea"]))
                try await eventually("a second port is open") { b.listeningPorts.count == 2 }
                let fingerprint = try await b.fingerprint()
                expect(try await a.send(["--text", "x"], to: fingerprint), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: b.files + "/two").count == 1)
                #expect(second.isRunning)
            }
        }
    }
}
