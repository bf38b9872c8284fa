import Access
import Cloud
import Crypto
import JSON

/// The operations of KMS that encrypt and decrypt (`TrentService.…`).
package struct KeyCalls: Sendable {
    private let ring: KeyRing
    private let accountID: String
    /// The beginning of the ARNs of keys.
    private let start: String

    private static let service = "kms"
    private static let algorithm = "SYMMETRIC_DEFAULT"

    package init(_ ring: KeyRing, region: String, accountID: String) {
        self.ring = ring
        self.accountID = accountID
        start = ARN(Self.service, region: region, account: accountID, "").description
    }

    // MARK: The table

    private typealias Member = MemberShape.Member

    private static let key = MemberShape.text(1...KeyLimits.keyNameMax)
    /// The members that every call to encrypt or decrypt has beside its own.
    private static let common = [
        Member(
            "EncryptionContext", .texts(keyMax: KeyLimits.contextBytesMax, valueMax: KeyLimits.contextBytesMax)),
        Member("GrantTokens", .list(.text(1...8_192), max: KeyLimits.grantTokensMax)), Member("DryRun", .boolean),
    ]
    private static let algorithms = Member(
        "EncryptionAlgorithm", .choice([algorithm, "RSAES_OAEP_SHA_1", "RSAES_OAEP_SHA_256", "SM2PKE"]))
    private static let dataKey =
        [
            Member("KeyId", key, isRequired: true), Member("KeySpec", .choice(["AES_256", "AES_128"])),
            Member("NumberOfBytes", .integer(1...KeyLimits.dataKeyBytesMax)),
        ] + common

    package var table: ServiceTable {
        ServiceTable(
            "KMS", service: Self.service, sdk: "Kms", target: "TrentService", json: "1.1",
            JSONLimits(bytesMax: KeyLimits.bodyBytesMax, nestingMax: KeyLimits.nestingMax),
            ServiceWords(missing: "Value null"),
            [
                CloudOperation(
                    "Encrypt",
                    [
                        Member("KeyId", Self.key, isRequired: true),
                        Member("Plaintext", .bytes(1...KeyLimits.plaintextBytesMax), isRequired: true), Self.algorithms,
                    ] + Self.common, rights: rights, of: encrypt),
                CloudOperation(
                    "Decrypt",
                    [
                        Member("KeyId", Self.key),
                        Member("CiphertextBlob", .bytes(1...KeyLimits.ciphertextBytesMax), isRequired: true),
                        Self.algorithms,
                    ] + Self.common, rights: rights, of: decrypt),
                CloudOperation("GenerateDataKey", Self.dataKey, rights: rights) {
                    (call: CloudCall) async throws(CloudError) in
                    try self.generate(call.input, isShown: true)
                },
                CloudOperation("GenerateDataKeyWithoutPlaintext", Self.dataKey, rights: rights) {
                    (call: CloudCall) async throws(CloudError) in try self.generate(call.input, isShown: false)
                },
                CloudOperation(
                    "DescribeKey",
                    [
                        Member("KeyId", Self.key, isRequired: true),
                        Member("GrantTokens", .list(.text(1...8_192), max: KeyLimits.grantTokensMax)),
                    ], rights: rights, of: describe),
            ])
    }

    /// The key that a call names; without a name the one that its ciphertext names.
    @Sendable private func rights(_ action: String, _ input: CallInput) -> [RightsDemand] {
        let said =
            (input.bytes("CiphertextBlob").flatMap { KeyRing.name(in: $0, arnsBegin: start)?.name })
            ?? input.text("KeyId").flatMap { try? KeyName($0, arnsBegin: start) }
        guard let name = said, let id = try? ring.id(of: name) else {
            return [RightsDemand(action, .all(of: Self.service))]
        }
        var names = [PolicyResource(Self.service, "key/", id)]
        if name.alias != nil { names.append(PolicyResource(Self.service, "", name.text)) }
        return [RightsDemand(action, oneOf: names)]
    }

    // MARK: Operations

    private func encrypt(_ input: CallInput) throws(CloudError) -> JSONObject {
        let name = try name(input)
        let context = try Self.context(input)
        try Self.demandAlgorithm(input)
        try Self.endIfDry(input)
        let sealed = try ring.encrypted(input.bytes("Plaintext") ?? [], by: name, context)
        return JSONObject([
            ("CiphertextBlob", Self.text(sealed)), ("KeyId", .string(try arn(of: name))),
            ("EncryptionAlgorithm", .string(Self.algorithm)),
        ])
    }

    private func decrypt(_ input: CallInput) throws(CloudError) -> JSONObject {
        let ciphertext = input.bytes("CiphertextBlob") ?? []
        let wanted = try input.text("KeyId").map { text throws(CloudError) in
            try ring.id(of: try KeyName(text, arnsBegin: start))
        }
        let context = try Self.context(input)
        try Self.demandAlgorithm(input)
        guard let (name, headBytes) = KeyRing.name(in: ciphertext, arnsBegin: start) else { throw Self.unreadable }
        if let wanted, try ring.id(of: name) != wanted {
            throw CloudError(
                "IncorrectKeyException",
                "The key ID in the request does not identify a CMK that can perform this operation.")
        }
        try Self.endIfDry(input)
        guard let plain = try ring.decrypted(ciphertext, by: name, headBytes: headBytes, context) else {
            throw Self.unreadable
        }
        return JSONObject([
            ("Plaintext", Self.text(plain)), ("KeyId", .string(try arn(of: name))),
            ("EncryptionAlgorithm", .string(Self.algorithm)),
        ])
    }

    /// KMS says nothing more, whatever is wrong.
    private static let unreadable = CloudError("InvalidCiphertextException", "")

    private func generate(_ input: CallInput, isShown: Bool) throws(CloudError) -> JSONObject {
        let name = try name(input)
        let (spec, count) = (input.text("KeySpec"), input.integer("NumberOfBytes"))
        guard (spec == nil) != (count == nil) else {
            throw CloudError("ValidationException", "Please specify either number of bytes or key spec.")
        }
        let context = try Self.context(input)
        try Self.endIfDry(input)
        let plain = RandomBytes.make(count: count.map { Int($0) } ?? (spec == "AES_128" ? 16 : 32))
        var answer = JSONObject([
            ("CiphertextBlob", Self.text(try ring.encrypted(plain, by: name, context))),
            ("KeyId", .string(try arn(of: name))),
        ])
        if isShown { answer.set("Plaintext", to: Self.text(plain)) }
        return answer
    }

    private func describe(_ input: CallInput) throws(CloudError) -> JSONObject {
        let name = try name(input)
        let isOfAWS = name.alias?.utf8.starts(with: "aws/".utf8) == true
        return JSONObject([
            (
                "KeyMetadata",
                [
                    "AWSAccountId": .string(accountID), "Arn": .string(try arn(of: name)),
                    "CreationDate": .integer(try ring.createdSeconds()),
                    "CustomerMasterKeySpec": .string(Self.algorithm),
                    "Description": "", "Enabled": true, "EncryptionAlgorithms": [.string(Self.algorithm)],
                    "KeyId": .string(try ring.id(of: name)), "KeyManager": isOfAWS ? "AWS" : "CUSTOMER",
                    "KeySpec": .string(Self.algorithm), "KeyState": "Enabled", "KeyUsage": "ENCRYPT_DECRYPT",
                    "MultiRegion": false, "Origin": "AWS_KMS",
                ]
            )
        ])
    }

    // MARK: Members

    private func name(_ input: CallInput) throws(CloudError) -> KeyName {
        try KeyName(input.demanded("KeyId"), arnsBegin: start)
    }

    private func arn(of name: KeyName) throws(CloudError) -> String { "\(start)key/\(try ring.id(of: name))" }

    private static func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64.text(of: bytes, .standard)) }

    private static func demandAlgorithm(_ input: CallInput) throws(CloudError) {
        let wanted = input.text("EncryptionAlgorithm") ?? algorithm
        guard wanted == algorithm else {
            throw CloudError(
                "InvalidKeyUsageException", "Algorithm \(wanted) and key spec \(algorithm) are incompatible.")
        }
    }

    private static func endIfDry(_ input: CallInput) throws(CloudError) {
        guard input.flag("DryRun") == true else { return }
        throw CloudError(
            "DryRunOperationException", "The request would have succeeded, but the DryRun option is set.")
    }

    /// The encryption context as bytes: each name and value behind its length, in the order of the names.
    private static func context(_ input: CallInput) throws(CloudError) -> [UInt8] {
        let members = (input.object("EncryptionContext") ?? JSONObject()).members
            .map { (name: ByteText($0.key), value: $0.value.string ?? "") }.sorted { $0.name < $1.name }
        var bytes: [UInt8] = []
        for member in members {
            for part in [member.name.string, member.value] {
                let count = UInt32(clamping: part.utf8.count)
                bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
                bytes += Array(part.utf8)
            }
        }
        guard bytes.count <= KeyLimits.contextBytesMax else {
            throw CloudError(
                "ValidationException", "The encryption context has \(KeyLimits.contextBytesMax) bytes at most.")
        }
        return bytes
    }
}
