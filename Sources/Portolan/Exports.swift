// Modules whose types a program that imports Portolan names in its own code.
@_exported import CoreTransferable
@_exported import PortolanCrypto
@_exported import PortolanTrust
@_exported import PortolanValues
@_exported import UniformTypeIdentifiers
