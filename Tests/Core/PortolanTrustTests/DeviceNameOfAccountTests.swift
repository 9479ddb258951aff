import Glibc
import PortolanValues
import Testing

@testable import PortolanTrust

@Suite struct DeviceNameOfAccountTests {
    @Test func theFirstNameIsOfTheEffectiveUser() {
        #expect(DeviceName.accountName(of: 0) == "root")
        #expect(DeviceName.accountName(of: 4_000_000_007) == "uid4000000007")
        let name = DeviceName.ofThisAccount.text
        #expect(name.hasPrefix(DeviceName.accountName(of: geteuid()) + "@"))
    }
}
