import Glibc
import PortolanDiscovery
import Testing

@Suite struct AddressReactionTests {
    @Test func theSystemsAnswerIsNamed() {
        #expect(AddressReaction(errno: ECONNREFUSED) == .refused)
        #expect(AddressReaction(errno: ETIMEDOUT) == .silent)
        #expect(AddressReaction(errno: EHOSTUNREACH) == .hostUnreachable(reason: "No route to host"))
        #expect(AddressReaction(errno: ENETUNREACH) == .networkUnreachable(reason: "Network is unreachable"))
        // There is no address of the family to connect from.
        for code in [EADDRNOTAVAIL, EAFNOSUPPORT] {
            guard case .networkUnreachable = AddressReaction(errno: code) else {
                Issue.record("\(code)")
                continue
            }
        }
        #expect(AddressReaction(errno: EMFILE) == .failed(reason: "Too many open files"))
    }
}
