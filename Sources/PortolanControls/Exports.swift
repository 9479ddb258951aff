// A source that imports this module also has the node that its declarations extend.
@_exported import Portolan
