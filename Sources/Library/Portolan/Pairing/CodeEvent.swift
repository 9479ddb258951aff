/// Event while a device waits for a code to be entered elsewhere, or looks for the device that made it.
public enum CodeEvent: Sendable {
    /// Other devices can find this one from now on.
    case waiting(port: UInt16, discovery: String)
    /// The device where the code was made has been found.
    case found(address: String)
    /// Connection that failed, such as with a wrong code.
    case refused(address: String, reason: String)
    /// Warning for the user, such as a reason why others cannot find this device.
    case warning(String)
}
