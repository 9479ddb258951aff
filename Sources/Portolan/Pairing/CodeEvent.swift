/// Event while a device waits for a code to be entered elsewhere, or looks for the device that made it.
public enum CodeEvent: Sendable {
    /// Start of the time in which others can find the device.
    case waiting(port: UInt16, discovery: String)
    /// The device where the code was made has been found.
    case found(address: String)
    /// A connection that came to nothing, such as a wrong code.
    case refused(address: String, reason: String)
    /// Warning for the owner, such as a reason for which others cannot find this device.
    case warning(String)
}
