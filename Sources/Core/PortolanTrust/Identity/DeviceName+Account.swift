import Foundation
import Glibc
import PortolanValues

extension DeviceName {
    /// Name of a device at its first start, from the account and the host that this process runs on. May block.
    package static var ofThisAccount: DeviceName {
        DeviceName(account: accountName(of: geteuid()), hostName: ProcessInfo.processInfo.hostName)
    }

    /// Name of the account with this number; `uid1000` for a number without an account.
    static func accountName(of user: uid_t) -> String {
        let unnamed = "uid\(user)"
        var size = 1 << 10
        while size <= 1 << 20 {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            var buffer = [CChar](repeating: 0, count: size)
            let status = buffer.withUnsafeMutableBufferPointer { buffer -> (code: CInt, name: String) in
                guard let base = buffer.baseAddress else { return (ERANGE, "") }
                let code = getpwuid_r(user, &entry, base, buffer.count, &found)
                guard code == 0, found != nil, let name = entry.pw_name else { return (code, "") }
                return (code, String(cString: name))
            }
            guard status.code == ERANGE else { return status.name.isEmpty ? unnamed : status.name }
            size *= 4
        }
        return unnamed
    }
}
