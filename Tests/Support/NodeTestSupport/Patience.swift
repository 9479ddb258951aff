import Foundation
import Portolan
import PortolanTrust
import PortolanValues

extension Node.Configuration {
    /// Returns a configuration with waits for a machine that is busy with other tests.
    package static func patient(home: URL) throws -> Self {
        var configuration = Self(home: try HomeDirectory(override: home.path, environment: [:]))
        configuration.offerDeadline = .seconds(300)
        configuration.silence = .seconds(300)
        configuration.stallWait = .seconds(300)
        return configuration
    }

    /// Returns ``patient(home:)`` with a name, on the loopback interface, reachable by its address only.
    package static func onLoopback(_ name: String, home: URL) throws -> Self {
        var configuration = try patient(home: home)
        configuration.name = try DeviceName(name)
        configuration.discovery = .off
        configuration.interfaces = ["lo"]
        return configuration
    }
}
