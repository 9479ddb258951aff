// A source that imports this module also has the node that its declarations extend, and pictures, as with SwiftUI.
@_exported import HeadlessGraphics
@_exported import Portolan
