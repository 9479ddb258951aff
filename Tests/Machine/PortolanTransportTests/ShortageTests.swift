import Glibc
import Testing

@testable import PortolanTransport

struct ShortageTests {
    @Test("only a lack of descriptors of this process is helped by closing connections")
    func shortageIsAttributedToProcessOrSystem() {
        #expect(Shortage(EMFILE) == .ofProcess)
        for number in [ENFILE, ENOBUFS, ENOMEM] { #expect(Shortage(number) == .ofSystem) }
        for number in [ECONNABORTED, EAGAIN, EINTR] { #expect(Shortage(number) == nil) }
    }
}
