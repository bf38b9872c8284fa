import Cloud
import Crypto
import Foundation
import JSON
import TestSupport
import Testing

@testable import KeyManagement

@Suite("Encryption as KMS offers it")
struct KeyCallTests {
    private let table = KeyCalls(KeyRing(in: nil), region: "us-east-1", accountID: "123456789012").table

    private static let start = "arn:aws:kms:us-east-1:123456789012:"
    private static let id = "1234abcd-12ab-34cd-56ef-1234567890ab"

    private func call(_ operation: String, _ input: JSONValue) async throws -> JSONObject {
        try await table.answer(operation, input)
    }

    private func refusal(_ operation: String, _ input: JSONValue) async -> String? {
        do throws(CloudError) {
            _ = try await table.answer(operation, input)
            return nil
        } catch { return error.type }
    }

    @Test(
        "the secret that servers have in common keeps its time and its keys, whether it was one server's before or is new",
        arguments: [false, true])
    func shared(isOld: Bool) async throws {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        func table(_ folder: TemporaryFolder) -> ServiceTable {
            KeyCalls(KeyRing(in: folder.path), region: "us-east-1", accountID: "123456789012").table
        }
        var before: JSONObject?
        var described: JSONObject?
        if isOld {
            before = try await table(folders[0]).answer("Encrypt", Self.encryption("alias/mine"))
            described = try await table(folders[0]).answer("DescribeKey", ["KeyId": "alias/mine"])
        }
        try KeyRing.share(in: folders[0].path)
        let path = folders[0].file(KeyRing.fileName)
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.count == 40)
        try KeyRing.share(in: folders[0].path)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        // A copy has another time, and says the same.
        try bytes.write(to: URL(filePath: folders[1].file(KeyRing.fileName)))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folders[1].file(KeyRing.fileName))
        let said = try await table(folders[0]).answer("DescribeKey", ["KeyId": "alias/mine"])
        #expect(try await table(folders[1]).answer("DescribeKey", ["KeyId": "alias/mine"]) == said)
        if let described { #expect(said == described) }
        let sealed = try await table(folders[0]).answer("Encrypt", Self.encryption("alias/mine"))
        for one in [before, sealed] {
            guard let blob = one?["CiphertextBlob"] else { continue }
            let plain = try await table(folders[1]).answer("Decrypt", ["CiphertextBlob": blob])
            #expect(plain["Plaintext"] == "aGVsbG8=")
        }
        // What is no secret stays, and is told of.
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        #expect(throws: (any Error).self) { try KeyRing.share(in: folders[0].path) }
    }

    private static func encryption(_ key: String, _ context: JSONValue = .null) -> JSONValue {
        ["KeyId": .string(key), "Plaintext": "aGVsbG8=", "EncryptionContext": context]
    }

    @Test(
        "a text that was encrypted by any name of a key is decrypted without its name",
        arguments: [
            id, "mrk-1234abcd12ab34cd56ef1234567890ab", "alias/mine", "alias/aws/s3", "\(start)key/\(id)",
            "\(start)alias/mine",
        ])
    func names(key: String) async throws {
        let sealed = try await call("Encrypt", Self.encryption(key))
        let blob = try #require(sealed["CiphertextBlob"])
        #expect(sealed["EncryptionAlgorithm"] == "SYMMETRIC_DEFAULT")
        let plain = try await call("Decrypt", ["CiphertextBlob": blob])
        #expect(plain["Plaintext"] == "aGVsbG8=" && plain["KeyId"] == sealed["KeyId"])
        #expect(try await call("Decrypt", ["CiphertextBlob": blob, "KeyId": .string(key)])["Plaintext"] == "aGVsbG8=")
        let described = try await call("DescribeKey", ["KeyId": .string(key)])["KeyMetadata"]
        #expect(described?["Arn"] == sealed["KeyId"] && described?["KeyState"] == "Enabled")
        #expect(sealed["KeyId"]?.string?.hasPrefix("\(Self.start)key/") == true)
        // The same text is never encrypted to the same bytes.
        #expect(try await call("Encrypt", Self.encryption(key))["CiphertextBlob"] != blob)
    }

    @Test("a ciphertext opens with its own context alone, in any order of its names")
    func contexts() async throws {
        let blob = try #require(
            try await call("Encrypt", Self.encryption("alias/a", ["x": "1", "y": "2"]))["CiphertextBlob"])
        #expect(
            try await call("Decrypt", ["CiphertextBlob": blob, "EncryptionContext": ["y": "2", "x": "1"]])["Plaintext"]
                == "aGVsbG8=")
        for context: JSONValue in [
            .null, [:], ["x": "1"], ["x": "1", "y": "3"], ["x": "12", "y": ""], ["X": "1", "y": "2"],
        ] {
            #expect(
                await refusal("Decrypt", ["CiphertextBlob": blob, "EncryptionContext": context])
                    == "InvalidCiphertextException")
        }
        #expect(
            await refusal("Decrypt", ["CiphertextBlob": blob, "KeyId": "alias/b"]) == "IncorrectKeyException")
    }

    @Test("a ciphertext that was changed in any byte opens no more")
    func changes() async throws {
        let text = try #require(try await call("Encrypt", Self.encryption("alias/a"))["CiphertextBlob"]?.string)
        let bytes = try #require(Base64.bytes(of: text.utf8, .standard))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            let blob = JSONValue.string(Base64.text(of: changed, .standard))
            #expect(await refusal("Decrypt", ["CiphertextBlob": blob]) == "InvalidCiphertextException", "\(place)")
        }
        for count in [1, 3, 20, bytes.count - 1] {
            let blob = JSONValue.string(Base64.text(of: Array(bytes.prefix(count)), .standard))
            #expect(await refusal("Decrypt", ["CiphertextBlob": blob]) == "InvalidCiphertextException", "\(count)")
        }
    }

    @Test("a data key comes in the clear and encrypted, or encrypted alone")
    func dataKeys() async throws {
        for (spec, count) in [("AES_256", 32), ("AES_128", 16)] {
            let key = try await call("GenerateDataKey", ["KeyId": "alias/a", "KeySpec": .string(spec)])
            let plain = try #require(key["Plaintext"])
            #expect(Base64.bytes(of: (plain.string ?? "").utf8, .standard)?.count == count)
            let blob = try #require(key["CiphertextBlob"])
            #expect(try await call("Decrypt", ["CiphertextBlob": blob])["Plaintext"] == plain)
        }
        let hidden = try await call("GenerateDataKeyWithoutPlaintext", ["KeyId": "alias/a", "NumberOfBytes": 64])
        #expect(hidden["Plaintext"] == nil && hidden["CiphertextBlob"] != nil)
    }

    @Test(
        "a call that cannot be done is refused in the service's words",
        arguments: [
            ("Encrypt", #"{"KeyId": "mine", "Plaintext": "eA=="}"#, "NotFoundException"),
            ("Encrypt", #"{"KeyId": "alias/", "Plaintext": "eA=="}"#, "NotFoundException"),
            ("Encrypt", #"{"KeyId": "alias/a b", "Plaintext": "eA=="}"#, "NotFoundException"),
            (
                "Encrypt", #"{"KeyId": "arn:aws:kms:us-east-1:999999999999:alias/a", "Plaintext": "eA=="}"#,
                "NotFoundException"
            ),
            ("Encrypt", #"{"KeyId": "alias/a", "Plaintext": ""}"#, "ValidationException"),
            ("Encrypt", #"{"KeyId": "alias/a"}"#, "ValidationException"),
            ("Encrypt", #"{"KeyId": "alias/a", "Plaintext": "?"}"#, "SerializationException"),
            (
                "Encrypt", #"{"KeyId": "alias/a", "Plaintext": "eA==", "EncryptionAlgorithm": "RSAES_OAEP_SHA_1"}"#,
                "InvalidKeyUsageException"
            ),
            ("Encrypt", #"{"KeyId": "alias/a", "Plaintext": "eA==", "DryRun": true}"#, "DryRunOperationException"),
            ("GenerateDataKey", #"{"KeyId": "alias/a"}"#, "ValidationException"),
            (
                "GenerateDataKey", #"{"KeyId": "alias/a", "KeySpec": "AES_128", "NumberOfBytes": 1}"#,
                "ValidationException"
            ),
            ("GenerateDataKey", #"{"KeyId": "alias/a", "NumberOfBytes": 1025}"#, "ValidationException"),
            ("Decrypt", #"{"CiphertextBlob": "eA=="}"#, "InvalidCiphertextException"),
            ("CreateKey", "{}", "UnknownOperationException"),
        ])
    func refusals(operation: String, body: String, type: String) async throws {
        #expect(await refusal(operation, try JSONReader.value(of: body)) == type)
    }

    @Test("an encryption context has its limit")
    func longContext() async throws {
        let context = JSONObject([("a", .string(String(repeating: "x", count: KeyLimits.contextBytesMax)))])
        #expect(await refusal("Encrypt", Self.encryption("alias/a", .object(context))) == "ValidationException")
    }

    @Test("the secret is a file of its owner's, which opens ciphertexts after a restart, and is never replaced")
    func file() async throws {
        let folder = TemporaryFolder()
        func service() -> ServiceTable {
            KeyCalls(KeyRing(in: folder.path), region: "us-east-1", accountID: "123456789012").table
        }
        let blob = try #require(try await service().answer("Encrypt", Self.encryption("alias/a"))["CiphertextBlob"])
        #expect(try await service().answer("Decrypt", ["CiphertextBlob": blob])["Plaintext"] == "aGVsbG8=")
        let path = folder.file(KeyRing.fileName)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try folder.write("short", to: KeyRing.fileName)
        do throws(CloudError) {
            _ = try await service().answer("Encrypt", Self.encryption("alias/a"))
            Issue.record("a damaged secret encrypts")
        } catch {
            #expect(error.status == 500)
        }
        #expect(folder.read(KeyRing.fileName) == "short")
    }
}
