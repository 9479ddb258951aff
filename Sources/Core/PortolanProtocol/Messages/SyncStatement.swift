import Foundation
import PortolanCrypto
import PortolanTrust
import SwiftProtobuf

// The SyncStatement message (SYNC.md, 8), judged by its lengths alone.

extension SignedFolderStatement {
    init(_ wire: WireSyncStatement) throws(InvalidValue) {
        self.init(
            own: try Self.signed(wire.statement, wire.signature),
            grant: wire.grant.isEmpty && wire.grantSignature.isEmpty
                ? nil : try Self.signed(wire.grant, wire.grantSignature))
    }

    private static func signed(_ bytes: Data, _ signature: Data) throws(InvalidValue) -> Signed {
        try InvalidValue.check(
            bytes.count <= FolderStatement.mostBytes, limit: "A statement about a folder has \(bytes.count) bytes.")
        try InvalidValue.check(
            !bytes.isEmpty && signature.count == DevicePublicKey.signatureLength,
            "A statement about a folder comes without bytes or signature.")
        return Signed(bytes: bytes, signature: signature)
    }

    var wire: WireSyncStatement {
        .with {
            $0.statement = own.bytes
            $0.signature = own.signature
            $0.grant = grant?.bytes ?? Data()
            $0.grantSignature = grant?.signature ?? Data()
        }
    }
}
