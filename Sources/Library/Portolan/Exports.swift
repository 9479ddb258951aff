// Modules whose types are part of Portolan's interface, so that a program need not import them itself.
@_exported import CoreTransferable
@_exported import PortolanCrypto
@_exported import PortolanTrust
@_exported import PortolanValues
@_exported import UniformTypeIdentifiers
