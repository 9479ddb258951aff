import Foundation
import PortolanValues

extension TeamID {
    init(wire: Data) throws(InvalidValue) {
        guard let team = TeamID(bytes: Array(wire)) else {
            throw InvalidValue("A team's id of \(wire.count) bytes.")
        }
        self = team
    }

    var wire: Data { Data(bytes) }
}
