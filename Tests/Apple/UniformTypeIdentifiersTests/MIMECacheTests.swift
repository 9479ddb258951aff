import Foundation
import TestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("mime.cache", .aside)
struct MIMECacheTests {
    private static let cache = MIMECacheBytes(
        globs: [
            ("*.zip", "application/zip", 50), ("*.tar.gz", "application/x-ctar", 50), ("*.gz", "application/gzip", 50),
            ("*.two", "text/x-light", 40), ("*.two", "text/x-heavy", 60), ("*.ZC", "text/x-capital", 256 + 50),
            ("*.cs", "text/x-small", 256 + 50), ("*~", "application/x-trash", 50), ("*.çä", "text/x-letters", 50),
            ("*.long", "image/x-zpaint", 50), ("*.zp", "image/x-zpaint", 50), ("*.best", "image/x-zpaint", 70),
            ("makefile", "text/x-zmake", 50), ("README", "text/x-readme", 256 + 50),
            ("__NOGLOBS__", "text/x-closed", 0), ("__NOGLOBS__", "text/x-closed2", 0), ("*.new", "text/x-closed", 50),
        ],
        aliases: [("application/x-zold", "application/zip"), ("application/x-zip", "application/zip")],
        parents: [("image/x-zpaint", ["application/zip", "text/plain"])]
    ).bytes

    @Test("Each question is answered from its part of the file")
    func answers() throws {
        let information = SharedMIMEInfo([try #require(MIMECache(Self.cache))])
        let extensions = [
            "zip": ["application/zip"], "TAR.gz": ["application/x-ctar"], "gz": ["application/gzip"],
            "two": ["text/x-heavy", "text/x-light"], "cs": ["text/x-small"], "çä": ["text/x-letters"],
        ]
        for (filenameExtension, types) in extensions {
            #expect(information.types(ofExtension: filenameExtension) == types, "\(filenameExtension)")
        }
        for unknown in ["", "z", "ip", "zc", "r.gz", "~", "zipp", "\u{0}"] {
            #expect(information.types(ofExtension: unknown).isEmpty, "\(unknown)")
        }
        #expect(information.types(ofFileNamed: "Makefile") == ["text/x-zmake"])
        for unknown in ["", "readme", "make", "makefiles", MIMEGlob.closing] {
            #expect(information.types(ofFileNamed: unknown).isEmpty, "\(unknown)")
        }
        #expect(information.extensions(of: "image/x-zpaint") == ["best", "zp", "long"])
        #expect(information.extensions(of: "text/x-capital").isEmpty)
        #expect(
            information.names(of: "application/X-Zold").sorted() == [
                "application/x-zip", "application/x-zold", "application/zip",
            ])
        #expect(information.ancestors(of: "image/x-zpaint") == ["application/zip", "text/plain"])
        #expect(information.knows("image/x-zpaint") && !information.knows("image/x-other"))
    }

    @Test("A name that a damaged cache lists twice, or lists as its own, is given once")
    func namesOnce() throws {
        let cache = MIMECacheBytes(
            globs: [],
            aliases: [("text/x-twice", "text/x-a"), ("text/x-twice", "text/x-a"), ("text/x-own", "text/x-own")])
        let information = SharedMIMEInfo([try #require(MIMECache(cache.bytes))])
        #expect(information.names(of: "text/x-a") == ["text/x-a", "text/x-twice"])
        #expect(information.names(of: "text/x-own") == ["text/x-own"])
    }

    @Test("Types that a folder closes are not opened by less important ones")
    func closing() throws {
        let less = MIMECacheBytes(globs: [
            ("*.old", "text/x-closed", 90), ("*.other", "text/x-other", 50), ("*.zip", "text/x-other", 60),
        ])
        let information = SharedMIMEInfo(try [Self.cache, less.bytes].map { try #require(MIMECache($0)) })
        #expect(information.types(ofExtension: "old").isEmpty)
        #expect(information.extensions(of: "text/x-closed") == ["new"])
        #expect(information.types(ofExtension: "zip") == ["text/x-other", "application/zip"])
    }

    @Test("This machine's cache answers as its text files do")
    func machine() throws {
        let folder = "/usr/share/mime"
        guard let cache = MIMECache(folder: folder) else { return }
        let (fast, slow) = (SharedMIMEInfo([cache]), SharedMIMEInfo([MIMETextFiles(folder: folder)]))
        let globs = try String(contentsOfFile: "\(folder)/globs2", encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: ":") }.filter { $0.count > 2 }
        #expect(globs.count > 100)
        for glob in globs {
            let (type, pattern) = (String(glob[1]), String(glob[2]))
            let filenameExtension = String(pattern.dropFirst(2))
            #expect(
                fast.types(ofExtension: filenameExtension) == slow.types(ofExtension: filenameExtension), "\(pattern)")
            #expect(fast.types(ofFileNamed: pattern) == slow.types(ofFileNamed: pattern), "\(pattern)")
            #expect(fast.extensions(of: type) == slow.extensions(of: type), "\(type)")
            #expect(Set(fast.names(of: type)) == Set(slow.names(of: type)), "\(type)")
            #expect(fast.ancestors(of: type) == slow.ancestors(of: type), "\(type)")
            #expect(fast.knows(type) == slow.knows(type), "\(type)")
        }
    }

    @Test("A cache with any damage counts as none")
    func damage() {
        #expect(MIMECache(Self.cache) != nil)
        for length in 0..<Self.cache.count - 24 {
            // Lists that no lookup reads may be cut off.
            guard let cut = MIMECache(Array(Self.cache.prefix(length))) else { continue }
            _ = Self.all(cut)
        }
        for place in [4, 8, 12, 16] {
            for offset in [0xFFFF_FFFF, 0x7FFF_FFFF, Self.cache.count - 3, Self.cache.count] {
                #expect(MIMECache(Self.cache.with(offset, at: place)) == nil, "\(offset) at \(place)")
            }
        }
        #expect(MIMECache(Self.cache.with(0x0002_0000, at: 0)) == nil)
        #expect(MIMECache([]) == nil)
    }

    @Test("Bytes that were changed neither trap nor take long")
    func changed() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<4000 {
            var bytes = Self.cache
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let cache = MIMECache(bytes) { _ = Self.all(cache) }
        }
    }

    @Test("Endings that lead back to themselves, and tables larger than the file, are noticed")
    func loops() throws {
        let tree = Self.cache.word(16)
        let roots = Self.cache.word(tree + 4)
        for node in 0..<Self.cache.word(tree) where Self.cache.word(roots + 12 * node) != 0 {
            let looped = Self.cache.with(Self.cache.word(tree), at: roots + 12 * node + 4)
                .with(roots, at: roots + 12 * node + 8)
            #expect(MIMECache(looped) == nil)
            #expect(MIMECache(Self.cache.with(0x1000_0000, at: roots + 12 * node + 4)) == nil)
        }
    }

    @Test("A folder is read by its cache, unless that is damaged or older than the patterns")
    func choice() throws {
        let laboratory = try Laboratory()
        try laboratory.write("50:text/x-slow:*.zx\n", to: "home/mime/globs2")
        let path = try laboratory.write(
            Data(MIMECacheBytes(globs: [("*.zx", "text/x-fast", 50)]).bytes), to: "home/mime/mime.cache")
        func answer() -> [String] { SharedMIMEInfo(folders: [laboratory.path("home/mime")]).types(ofExtension: "zx") }
        #expect(answer() == ["text/x-fast"])
        let before = Date(timeIntervalSinceNow: -60)
        try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: path)
        #expect(answer() == ["text/x-slow"])
        try laboratory.write(Data([0, 1, 0, 2]), to: "home/mime/mime.cache")
        #expect(answer() == ["text/x-slow"])
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(answer() == ["text/x-slow"])
    }

    /// Asks everything.
    private static func all(_ cache: MIMECache) -> [String] {
        let information = SharedMIMEInfo([cache])
        let extensions = ["zip", "tar.gz", "two", "zc", "new"].flatMap(information.types(ofExtension:))
        let names = ["makefile", "readme"].flatMap(information.types(ofFileNamed:))
        return extensions + names
            + ["application/zip", "image/x-zpaint"].flatMap {
                information.extensions(of: $0) + information.names(of: $0) + information.ancestors(of: $0)
            }
    }
}

extension [UInt8] {
    fileprivate func word(_ offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }

    fileprivate func with(_ word: Int, at place: Int) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(place..<place + 4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) })
        return bytes
    }
}
