import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Permission bits that a receiver does not give.
@Suite struct PermittedModeTests {
    let temporary = TemporaryFolder()

    private func store(_ permitted: UInt16, keeping required: Fidelity = []) throws -> (mode: mode_t?, isReported: Bool)
    {
        let partial = try temporary.inbox().receive(
            nil, called: name("run"), keeping: required, permitted: permitted, asking: false)
        try partial.add(0, "run", .file(size: 1), permissions: 0o755)
        try partial.write(0, at: 0, "x")
        try partial.finish(0, size: 1)
        let stored = try partial.publish(as: name("run"))
        var status = stat()
        guard stat(temporary("inbox/\(stored.name)"), &status) == 0 else { return (nil, false) }
        return (status.st_mode & 0o777, stored.report.omissions.contains { $0.reason == .mode })
    }

    @Test func unpermittedExecuteBitIsRemoved() throws {
        let stored = try store(0o666)
        #expect(stored.mode.map { $0 & 0o711 } == 0o600 && stored.isReported)
        #expect(try store(0o777).mode.map { $0 & 0o700 } == 0o700)
    }

    @Test func itemWithRequiredPermissionsFailsIfTheyAreNotPermitted() throws {
        #expect(kind { _ = try store(0o666, keeping: .mode) } == .fidelity)
    }
}
