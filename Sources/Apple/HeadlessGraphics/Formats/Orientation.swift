/// Orientation of stored pixels: the values of the Orientation tag of EXIF.
enum Orientation: Int, Sendable {
    case upright = 1
    case mirrored
    case upsideDown
    case mirroredUpsideDown
    /// Mirrored at the diagonal from the top left corner.
    case transposed
    /// Shown after a quarter turn clockwise.
    case turnedRight
    case mirroredAtOtherDiagonal
    /// Shown after a quarter turn counter-clockwise.
    case turnedLeft

    /// True if width and height are exchanged.
    var isTransposed: Bool { rawValue >= 5 }

    /// Steps to show the pixels: mirroring (left with right) first, then this many quarter turns counter-clockwise.
    var steps: (isMirrored: Bool, quarterTurns: Int) {
        switch self {
        case .upright: (false, 0)
        case .mirrored: (true, 0)
        case .upsideDown: (false, 2)
        case .mirroredUpsideDown: (true, 2)
        case .transposed: (true, 1)
        case .turnedRight: (false, 3)
        case .mirroredAtOtherDiagonal: (true, 3)
        case .turnedLeft: (false, 1)
        }
    }
}
