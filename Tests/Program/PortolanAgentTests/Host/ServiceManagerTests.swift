import PortolanConcurrency
import Synchronization
import TestSupport
import Testing

@testable import PortolanAgent

@Suite("Notifications to a service manager")
struct ServiceManagerTests {
    @Test("state goes to the socket that is named, by path or in the abstract namespace", arguments: [false, true])
    func stateIsSentToTheNamedSocket(isAbstract: Bool) async throws {
        let folder = TemporaryFolder()
        let inbox = try NotifySocket(at: isAbstract ? nil : folder.path + "/notify")
        let manager = try #require(ServiceManager(socket: inbox.name))

        await manager.tell(.ready("Receiving\nMAINPID=1"))
        #expect(inbox.next() == ["READY=1", "STATUS=Receiving MAINPID=1"])
        await manager.tell(.status("Full"))
        #expect(inbox.next() == ["STATUS=Full"])
        await manager.tell(.reloading)
        let reloading = try #require(inbox.next())
        #expect(reloading.first == "RELOADING=1")
        #expect(reloading.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0 > 0, "\(reloading)")
        await manager.tell(.stopping)
        #expect(inbox.next()?.first == "STOPPING=1")
        await manager.tell(.alive)
        #expect(inbox.next() == ["WATCHDOG=1"])
    }

    @Test("a manager that has gone, or never was, changes nothing")
    func missingManagerChangesNothing() async throws {
        let folder = TemporaryFolder()
        let manager = try #require(ServiceManager(socket: folder.path + "/nobody"))
        await manager.tell(.alive)
        #expect(ServiceManager(socket: "relative") == nil)
        #expect(ServiceManager(socket: "") == nil)
        #expect(ServiceManager(socket: "@") == nil)
        #expect(ServiceManager(socket: "/" + String(repeating: "x", count: 107)) == nil)
        #expect(ServiceManager(socket: "/" + String(repeating: "x", count: 106)) != nil)
    }

    @Test("the watchdog is for the process that it names")
    func watchdogTime() {
        #expect(ServiceManager.watchdog(microseconds: "3000000", process: nil, own: 7) == .seconds(3))
        #expect(ServiceManager.watchdog(microseconds: "3000000", process: "7", own: 7) == .seconds(3))
        #expect(ServiceManager.watchdog(microseconds: "3000000", process: "8", own: 7) == nil)
        #expect(ServiceManager.watchdog(microseconds: "3000000", process: "x", own: 7) == nil)
        #expect(ServiceManager.watchdog(microseconds: "0", process: nil, own: 7) == nil)
        #expect(ServiceManager.watchdog(microseconds: nil, process: nil, own: 7) == nil)
    }

    @Test("each sign of life follows a proof, and none is sent without one")
    func signOfLifeFollowsAProof() async throws {
        let folder = TemporaryFolder()
        let inbox = try NotifySocket(at: folder.path + "/notify")
        let manager = try #require(ServiceManager(socket: inbox.name, watchdog: .seconds(1)))
        let proofs = Mutex(0)
        let stuck = OneShot<Void, Never>()
        let end = OneShot<Void, Never>()
        let watchdog = try #require(
            Watchdog(manager) {
                let count = proofs.withLock { count in
                    count += 1
                    return count
                }
                guard count == 3 else { return }
                stuck.settle(.success(()))
                await end.value()
            })
        let running = Task { await watchdog.run() }
        await stuck.value()
        // On a machine that is busy a proof may have taken too long, but no sign came without one.
        let signs = inbox.drain()
        #expect(signs.count <= 2)
        #expect(signs.allSatisfy { $0 == ["WATCHDOG=1"] })
        running.cancel()
        end.settle(.success(()))
        await running.value
        #expect(inbox.drain().isEmpty)
        #expect(Watchdog(try #require(ServiceManager(socket: inbox.name))) {} == nil)
    }
}
