import Crypto
import JSON

@testable import UserPool

/// An authenticator with one passkey, as browsers show it to pages: each part of what it says can be bent.
struct VirtualAuthenticator {
    enum Kind: Sendable, CaseIterable {
        case es256
        case rs256
    }

    /// What an answer is made with.
    struct Manner {
        var origin = "http://localhost:8090"
        var type: String?
        var challenge: String?
        var relyingPartyID: String?
        var flags: UInt8?
        var format = "none"
        var statement: [UInt8]?
        /// Bytes behind the authenticator's data.
        var tail: [UInt8] = []
        var isCrossOrigin = false
        var userHandle: String?
        var id: [UInt8]?
        var bend: @Sendable (inout JSONObject) -> Void = { _ in }
    }

    let kind: Kind
    private let key: PrivateKey
    let id: [UInt8]
    var counter: UInt32 = 0

    init(_ kind: Kind = .es256) {
        self.kind = kind
        key = kind == .es256 ? .makeP256() : .makeRSA()
        id = RandomBytes.make(count: 32)
    }

    var idText: String { Base64.text(of: id) }

    private var keyBytes: [UInt8] {
        switch kind {
        case .es256:
            // The point stands at the end of the key's PEM, which OpenSSL writes with it.
            let body = String(decoding: key.pem, as: UTF8.self).split(separator: "\n").dropFirst().dropLast().joined()
            let point = (Base64.bytes(of: body.utf8, .standard) ?? []).suffix(64)
            return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21] + Self.bytes(point.prefix(32)) + [0x22]
                + Self.bytes(point.suffix(32))
        case .rs256:
            let numbers = key.publicKey.rsaNumbers
            return [0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20] + Self.bytes(numbers?.modulus ?? []) + [0x21]
                + Self.bytes(numbers?.exponent ?? [])
        }
    }

    private func head(_ relyingParty: String, _ flags: UInt8) -> [UInt8] {
        Digest.sha256.of(Array(relyingParty.utf8)) + [flags] + withUnsafeBytes(of: counter.bigEndian) { Array($0) }
    }

    private static func clientData(_ kind: String, _ options: JSONValue, _ manner: Manner) -> [UInt8] {
        JSONWriter.bytes(
            of: [
                "type": .string(manner.type ?? kind),
                "challenge": .string(manner.challenge ?? options["challenge"]?.string ?? ""),
                "origin": .string(manner.origin), "crossOrigin": .bool(manner.isCrossOrigin),
            ])
    }

    /// The answer to `navigator.credentials.create`.
    mutating func create(_ options: JSONValue, _ manner: Manner = Manner()) -> JSONValue {
        counter += 1
        let relyingParty = manner.relyingPartyID ?? options["rp"]?["id"]?.string ?? ""
        let id = manner.id ?? id
        var data = head(relyingParty, manner.flags ?? 0x45) + [UInt8](repeating: 0, count: 16)
        data += [UInt8(id.count >> 8), UInt8(id.count & 255)] + id + keyBytes + manner.tail
        let clientData = Self.clientData("webauthn.create", options, manner)
        var statement: [UInt8] = [0xA0]
        if manner.format == "packed" {
            let signature = signature(of: data + Digest.sha256.of(clientData))
            let algorithm: [UInt8] = kind == .es256 ? [0x26] : [0x39, 0x01, 0x00]
            statement =
                [0xA2, 0x63] + Array("alg".utf8) + algorithm + [0x63] + Array("sig".utf8) + Self.bytes(signature)
        }
        let object =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x60 | UInt8(manner.format.utf8.count)] + Array(manner.format.utf8)
            + [0x67] + Array("attStmt".utf8) + (manner.statement ?? statement) + [0x68] + Array("authData".utf8)
            + Self.bytes(data)
        return answer(
            [
                ("clientDataJSON", .string(Base64.text(of: clientData))),
                ("attestationObject", .string(Base64.text(of: object))), ("transports", ["internal", "hybrid"]),
            ], manner)
    }

    /// The answer to `navigator.credentials.get`.
    mutating func get(_ options: JSONValue, _ manner: Manner = Manner()) -> JSONValue {
        counter += 1
        let data = head(manner.relyingPartyID ?? options["rpId"]?.string ?? "", manner.flags ?? 0x05) + manner.tail
        let clientData = Self.clientData("webauthn.get", options, manner)
        var members: [(String, JSONValue)] = [
            ("clientDataJSON", .string(Base64.text(of: clientData))),
            ("authenticatorData", .string(Base64.text(of: data))),
            ("signature", .string(Base64.text(of: signature(of: data + Digest.sha256.of(clientData))))),
        ]
        if let handle = manner.userHandle { members.append(("userHandle", .string(handle))) }
        return answer(members, manner)
    }

    private func answer(_ response: [(String, JSONValue)], _ manner: Manner) -> JSONValue {
        var response = JSONObject(response)
        manner.bend(&response)
        let id = JSONValue.string(Base64.text(of: manner.id ?? id))
        return [
            "id": id, "rawId": id, "type": "public-key", "clientExtensionResults": [:],
            "authenticatorAttachment": "platform", "response": .object(response),
        ]
    }

    private func signature(of message: [UInt8]) -> [UInt8] {
        guard kind == .es256 else { return key.signature(of: message, by: .rs256) ?? [] }
        let numbers = key.signature(of: message, by: .es256) ?? []
        let integers = [numbers.prefix(32), numbers.suffix(32)].map { half -> [UInt8] in
            let number = Array(half.drop { $0 == 0 })
            let padded = number.first.map { $0 >= 0x80 } ?? true ? [0] + number : number
            return [2, UInt8(padded.count)] + padded
        }
        let content = integers[0] + integers[1]
        return [0x30, UInt8(content.count)] + content
    }

    /// Bytes as CBOR has them.
    static func bytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
        switch bytes.count {
        case ..<24: [0x40 | UInt8(bytes.count)] + bytes
        case ..<256: [0x58, UInt8(bytes.count)] + bytes
        default: [0x59, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
        }
    }
}
