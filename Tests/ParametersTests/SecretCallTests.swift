import Blueprint
import Cloud
import GraphQL
import JSON
import Store
import Testing

@testable import Parameters

/// The services over a database of their own, with one secret that the server was started with.
struct TestParameters: Sendable {
    let store: Store
    let kept: ParameterStore
    let secrets: ServiceTable
    let parameters: ServiceTable

    private struct Given: GivenSecrets {
        func value(of name: String) -> String? { name == "GIVEN" ? "g" : nil }
        var listed: [(name: String, value: String)] { [] }
    }

    init() throws {
        let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
        store = try Store(.memory, for: try #require(reading.blueprint), nowMilliseconds: 0) { Issue.record("\($0)") }
        kept = ParameterStore(over: store)
        let (region, accountID) = ("us-east-1", "123456789012")
        secrets = SecretCalls(store: kept, given: Given(), region: region, accountID: accountID).table
        parameters = ParameterCalls(store: kept, given: Given(), region: region, accountID: accountID).table
    }

    static func call(_ table: ServiceTable, _ operation: String, _ body: String) async throws -> JSONObject {
        try await table.answer(operation, try JSONReader.value(of: body))
    }
}

@Suite("Secrets and parameters as they are called")
struct SecretCallTests {
    private let services: TestParameters

    init() throws { services = try TestParameters() }

    @discardableResult
    private func call(_ operation: String, _ body: String) async throws -> JSONObject {
        try await TestParameters.call(services.secrets, operation, body)
    }

    private func parameter(_ operation: String, _ body: String) async throws -> JSONObject {
        try await TestParameters.call(services.parameters, operation, body)
    }

    private func refusal(_ operation: String, _ body: String) async -> String? {
        do {
            try await call(operation, body)
            return nil
        } catch { return (error as? CloudError)?.type ?? "\(error)" }
    }

    @Test("a secret has another value and description, and what was current is the previous one")
    func updates() async throws {
        _ = try await call("CreateSecret", #"{"Name": "a", "SecretString": "one"}"#)
        let answer = try await call("UpdateSecret", #"{"SecretId": "a", "SecretString": "two", "Description": "d"}"#)
        #expect(answer["VersionId"] != nil && answer["Name"] == "a")
        #expect(try await call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "two")
        #expect(
            try await call("GetSecretValue", #"{"SecretId": "a", "VersionStage": "AWSPREVIOUS"}"#)["SecretString"]
                == "one")
        #expect(try await call("DescribeSecret", #"{"SecretId": "a"}"#)["Description"] == "d")
        #expect(try await call("UpdateSecret", #"{"SecretId": "a", "Description": "e"}"#)["VersionId"] == nil)
        #expect(
            await refusal("UpdateSecret", #"{"SecretId": "b", "SecretString": "x"}"#) == "ResourceNotFoundException")
    }

    @Test("a secret that is deleted can be restored, and is gone at once where that is wanted")
    func removals() async throws {
        _ = try await call("CreateSecret", #"{"Name": "a", "SecretString": "one"}"#)
        #expect(try await call("DeleteSecret", #"{"SecretId": "a", "RecoveryWindowInDays": 7}"#)["DeletionDate"] != nil)
        for (operation, body) in [
            ("GetSecretValue", #"{"SecretId": "a"}"#), ("PutSecretValue", #"{"SecretId": "a", "SecretString": "x"}"#),
            ("UpdateSecret", #"{"SecretId": "a", "Description": "x"}"#), ("DeleteSecret", #"{"SecretId": "a"}"#),
            ("CreateSecret", #"{"Name": "a", "SecretString": "x"}"#),
        ] { #expect(await refusal(operation, body) == "InvalidRequestException", "\(operation)") }
        #expect(try await call("DescribeSecret", #"{"SecretId": "a"}"#)["DeletedDate"] != nil)
        #expect(try await call("ListSecrets", "{}")["SecretList"]?.array?.isEmpty == true)
        _ = try await call("RestoreSecret", #"{"SecretId": "a"}"#)
        #expect(try await call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "one")
        _ = try await call("DeleteSecret", #"{"SecretId": "a", "ForceDeleteWithoutRecovery": true}"#)
        #expect(await refusal("GetSecretValue", #"{"SecretId": "a"}"#) == "ResourceNotFoundException")
        _ = try await call("CreateSecret", #"{"Name": "a", "SecretString": "two"}"#)
        for body in [
            #"{"SecretId": "a", "RecoveryWindowInDays": 7, "ForceDeleteWithoutRecovery": true}"#,
            #"{"SecretId": "a", "RecoveryWindowInDays": 6}"#, #"{"SecretId": "a", "RecoveryWindowInDays": 31}"#,
            #"{"SecretId": "GIVEN"}"#,
        ] { #expect(await refusal("DeleteSecret", body) != nil, "\(body)") }
        #expect(try await call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "two")
    }

    @Test("labels are moved between versions, and versions are listed with theirs")
    func versions() async throws {
        let first = try #require(
            try await call("CreateSecret", #"{"Name": "a", "SecretString": "one"}"#)["VersionId"]?.string)
        let second = try #require(
            try await call("PutSecretValue", #"{"SecretId": "a", "SecretString": "two"}"#)["VersionId"]?.string)
        func stages(_ version: String) async throws -> [String] {
            let list = try await call("ListSecretVersionIds", #"{"SecretId": "a", "IncludeDeprecated": true}"#)[
                "Versions"]
            let found = list?.array?.first { $0["VersionId"]?.string == version }
            return (found?["VersionStages"]?.array ?? []).compactMap(\.string).sorted()
        }
        func move(_ stage: String, _ rest: String) async -> String? {
            await refusal("UpdateSecretVersionStage", #"{"SecretId": "a", "VersionStage": "\#(stage)"\#(rest)}"#)
        }
        #expect(try await stages(first) == ["AWSPREVIOUS"])
        #expect(try await stages(second) == ["AWSCURRENT"])
        #expect(await move("AWSCURRENT", #", "MoveToVersionId": "\#(first)""#) == "InvalidParameterException")
        #expect(await move("AWSCURRENT", #", "RemoveFromVersionId": "\#(second)""#) == "InvalidParameterException")
        #expect(await move("mine", #", "MoveToVersionId": "nowhere""#) == "ResourceNotFoundException")
        #expect(
            await move("AWSCURRENT", #", "RemoveFromVersionId": "\#(second)", "MoveToVersionId": "\#(first)""#) == nil)
        #expect(try await stages(first) == ["AWSCURRENT"])
        #expect(try await stages(second) == ["AWSPREVIOUS"])
        #expect(try await call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "one")
        #expect(await move("mine", #", "MoveToVersionId": "\#(second)""#) == nil)
        #expect(try await stages(second) == ["AWSPREVIOUS", "mine"])
        #expect(await move("mine", #", "RemoveFromVersionId": "\#(second)""#) == nil)
        #expect(try await stages(second) == ["AWSPREVIOUS"])
        #expect(await refusal("UpdateSecretVersionStage", #"{"SecretId": "GIVEN", "VersionStage": "x"}"#) != nil)
    }

    @Test("secrets have tags, by which and by whose names they are listed")
    func tags() async throws {
        for name in ["app/one", "app/two", "other"] {
            _ = try await call(
                "CreateSecret", #"{"Name": "\#(name)", "SecretString": "x", "Description": "d \#(name)"}"#)
        }
        _ = try await call(
            "TagResource", #"{"SecretId": "other", "Tags": [{"Key": "team", "Value": "a"}, {"Key": "b", "Value": ""}]}"#
        )
        _ = try await call("TagResource", #"{"SecretId": "other", "Tags": [{"Key": "team", "Value": "z"}]}"#)
        #expect(
            try await call("DescribeSecret", #"{"SecretId": "other"}"#)["Tags"]
                == [["Key": "b", "Value": ""], ["Key": "team", "Value": "z"]])
        #expect(
            await refusal("TagResource", #"{"SecretId": "other", "Tags": [{"Key": "aws:x", "Value": "a"}]}"#) != nil)
        #expect(await refusal("TagResource", #"{"SecretId": "GIVEN", "Tags": []}"#) == "InvalidRequestException")
        func listed(_ key: String, _ value: String) async throws -> [String] {
            let answer = try await call("ListSecrets", #"{"Filters": [{"Key": "\#(key)", "Values": ["\#(value)"]}]}"#)
            return (answer["SecretList"]?.array ?? []).compactMap { $0["Name"]?.string }.sorted()
        }
        #expect(try await listed("name", "app/") == ["app/one", "app/two"])
        #expect(try await listed("name", "!app/") == ["other"])
        #expect(try await listed("tag-key", "tea") == ["other"])
        #expect(try await listed("tag-value", "z") == ["other"])
        #expect(try await listed("description", "d app") == ["app/one", "app/two"])
        #expect(try await listed("all", "oth") == ["other"])
        #expect(await refusal("ListSecrets", #"{"Filters": [{"Key": "colour", "Values": ["x"]}]}"#) != nil)
        _ = try await call("UntagResource", #"{"SecretId": "other", "TagKeys": ["team"]}"#)
        #expect(try await listed("tag-key", "team") == [])
    }

    @Test("passwords have what they are to have, and nothing else")
    func passwords() async throws {
        func password(_ body: String) async throws -> [UInt8] {
            Array((try await call("GetRandomPassword", body)["RandomPassword"]?.string ?? "").utf8)
        }
        func has(_ password: [UInt8], _ range: ClosedRange<UInt8>) -> Bool { password.contains { range.contains($0) } }
        for _ in 0..<50 {
            let usual = try await password("{}")
            #expect(usual.count == 32 && !usual.contains(0x20))
            #expect(has(usual, 0x61...0x7A) && has(usual, 0x41...0x5A) && has(usual, 0x30...0x39))
            let plain = try await password(
                #"{"PasswordLength": 4, "ExcludePunctuation": true, "ExcludeUppercase": true, "ExcludeCharacters": "abc0"}"#
            )
            #expect(plain.count == 4 && plain.allSatisfy { ($0 > 0x63 && $0 <= 0x7A) || (0x31...0x39).contains($0) })
        }
        for body in [
            #"{"PasswordLength": 0}"#, #"{"PasswordLength": 5000}"#, #"{"PasswordLength": 2}"#,
            #"{"ExcludeLowercase": true, "ExcludeUppercase": true, "ExcludeNumbers": true, "ExcludePunctuation": true}"#,
            #"{"ExcludeCharacters": "0123456789"}"#,
        ] { #expect(await refusal("GetRandomPassword", body) != nil, "\(body)") }
    }

    @Test("several parameters are deleted at once, and names have no empty parts")
    func severalParameters() async throws {
        for name in ["/a/b", "c"] {
            _ = try await parameter("PutParameter", #"{"Name": "\#(name)", "Value": "x", "Type": "String"}"#)
        }
        let answer = try await parameter("DeleteParameters", #"{"Names": ["/a/b", "c", "d"]}"#)
        #expect(answer["DeletedParameters"] == ["/a/b", "c"] && answer["InvalidParameters"] == ["d"])
        for name in ["/a//b", "/a/", "//"] {
            await #expect(throws: CloudError.self) {
                try await parameter("PutParameter", #"{"Name": "\#(name)", "Value": "x", "Type": "String"}"#)
            }
        }
    }

    @Test("parameters are described page by page, without their values")
    func descriptions() async throws {
        for name in ["/a/x", "/a/y", "/b"] {
            _ = try await parameter(
                "PutParameter", #"{"Name": "\#(name)", "Value": "v", "Type": "String", "Description": "d"}"#)
        }
        let first = try await parameter("DescribeParameters", #"{"MaxResults": 2}"#)
        #expect(first["Parameters"]?.array?.map { $0["Name"] } == ["/a/x", "/a/y"])
        #expect(first["Parameters"]?[0]?["Value"] == nil && first["Parameters"]?[0]?["Description"] == "d")
        let token = try #require(first["NextToken"]?.string)
        let rest = try await parameter("DescribeParameters", #"{"MaxResults": 2, "NextToken": "\#(token)"}"#)
        #expect(rest["Parameters"]?.array?.map { $0["Name"] } == ["/b"] && rest["NextToken"] == nil)
        let named = try await parameter(
            "DescribeParameters",
            #"{"ParameterFilters": [{"Key": "Name", "Option": "BeginsWith", "Values": ["/a/"]}, {"Key": "Type", "Values": ["String"]}]}"#
        )
        #expect(named["Parameters"]?.array?.count == 2)
    }
}
