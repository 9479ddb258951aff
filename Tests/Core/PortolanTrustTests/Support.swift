import Foundation
import Glibc
import PortolanTrust
import TestSupport

/// A home for one test, removed afterwards.
final class TemporaryHome: Sendable {
    let path: String
    let home: HomeDirectory

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/portolan-trust-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        home = try HomeDirectory(override: path, environment: [:])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var keyFile: String { home.deviceKeyFile }
    var nameFile: String { home.state + "/name" }
    var peersFile: String { home.data + "/known-peers.json" }

    func bytes(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// Entries of the home's data directory, with hidden files.
    func dataEntries() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: home.data))
    }
}

extension [UInt8] {
    /// Random edits, one to four: a bit inverted, a byte replaced, removed or doubled, or the rest cut off.
    func mutated(using random: inout SeededGenerator) -> [UInt8] {
        var bytes = self
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[index] = .random(in: .min ... .max, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(bytes[index], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
