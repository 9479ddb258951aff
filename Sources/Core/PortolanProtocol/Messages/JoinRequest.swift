import PortolanValues
import SwiftProtobuf

extension Message {
    /// First message of a device that joins a team with a code; an administrator answers with the team's heads.
    package struct JoinRequest: Hashable, Sendable {
        /// Proposed name of the device in the team.
        package let name: DeviceName

        package init(name: DeviceName) { self.name = name }
    }
}

// MARK: - Wire

extension Message.JoinRequest {
    init(_ wire: WireJoinRequest) throws(InvalidValue) {
        try InvalidValue.checkText(wire.name, "A device name", maximum: DeviceName.maximumBytes)
        let name = try translating(DeviceName(wire.name)) { (error: DeviceNameError) in
            InvalidValue("A peer asks for a name that is none: \(error)")
        }
        self.init(name: name)
    }

    var wire: WireJoinRequest { .with { $0.name = name.text } }
}
