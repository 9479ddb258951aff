import Glibc
import PortolanConcurrency
import Testing

@testable import PortolanDiscovery

/// Discovery in a thread that may open no netlink socket, as under `RestrictAddressFamilies=` of systemd.
@Suite struct ConfinedTests {
    /// Makes `socket(AF_NETLINK, …)` fail in this thread with `EAFNOSUPPORT`. False if the kernel has no such filter.
    private static func confine() -> Bool {
        guard let address = dlsym(nil, "prctl") else { return false }
        typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let prctl = unsafeBitCast(address, to: Prctl.self)
        #if arch(x86_64)
            let socketCall: UInt64 = 41
        #else
            let socketCall: UInt64 = 198
        #endif
        func step(_ code: UInt64, _ whenTrue: UInt64, _ whenFalse: UInt64, _ value: UInt64) -> UInt64 {
            code | whenTrue << 16 | whenFalse << 24 | value << 32
        }
        // struct sock_filter of linux/filter.h: load the call, compare it and its first argument, and return.
        let filter = [
            step(0x20, 0, 0, 0), step(0x15, 0, 3, socketCall), step(0x20, 0, 0, 16),
            step(0x15, 0, 1, UInt64(AF_NETLINK)), step(0x06, 0, 0, 0x5_0000 | UInt64(EAFNOSUPPORT)),
            step(0x06, 0, 0, 0x7FFF_0000),
        ]
        return filter.withUnsafeBufferPointer { steps in
            let program = [UInt(steps.count), UInt(bitPattern: steps.baseAddress)]
            return program.withUnsafeBufferPointer { program in
                prctl(38, 1, 0, 0, 0) == 0 && prctl(22, 2, UInt(bitPattern: program.baseAddress), 0, 0) == 0
            }
        }
    }

    @Test("without netlink sockets mDNS in the process is refused in words, where the library would abort")
    func noNetlink() async throws {
        let outcome = try await WorkerThread(named: "confined") { () -> (failure: AvahiFailure?, isAlone: Bool)? in
            guard Self.confine() else { return nil }
            let loop = try AvahiLoop()
            let stack = LibraryStack(.embedded(try AvahiLibraries.core(), loop: loop, interfaces: nil))
            do throws(AvahiFailure) {
                try stack.open(isPatient: false) { _ in }
                stack.close()
                return (nil, LinkAddresses.areOwnAlone)
            } catch {
                return (error, LinkAddresses.areOwnAlone)
            }
        }.value
        guard let outcome else { return print("LEFT OUT: the kernel has no filters of system calls.") }
        #expect(outcome.failure == .noNetlink && !outcome.isAlone)
        #expect(outcome.failure.map { "\($0)" }?.contains("AF_NETLINK") == true)
    }
}
