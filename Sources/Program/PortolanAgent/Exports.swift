// Rows and identifiers of the outbox are those of the whole state.
@_exported import PortolanOutbox
