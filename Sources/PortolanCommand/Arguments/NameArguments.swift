import Portolan
import PortolanValues

/// The name of a group.
enum GroupArgument {
    static func parse(_ text: String) throws(ValueError) -> GroupName {
        do throws(RosterNameError) {
            return try GroupName(text)
        } catch {
            throw ValueError(error.description)
        }
    }
}

/// The name of a device.
enum DeviceArgument {
    static func parse(_ text: String) throws(ValueError) -> DeviceName {
        do throws(DeviceNameError) {
            return try DeviceName(text)
        } catch {
            throw ValueError(error.description)
        }
    }
}
