import JSON
import Testing

@testable import Server

@Suite("Secrets and parameters as they are called")
struct SecretCallTests {
    private let secrets: SecretCalls
    private let parameters: ParameterCalls

    init() {
        let store = ParameterStore(in: nil)
        let given = GivenSecrets(in: "/nowhere", environment: ["GIVEN": "g"], functions: [])
        secrets = SecretCalls(store: store, given: given, region: "us-east-1", accountID: "123456789012")
        parameters = ParameterCalls(store: store, given: given, region: "us-east-1", accountID: "123456789012")
    }

    private func call(_ operation: String, _ body: String) throws(ParameterFault) -> JSONObject {
        try secrets.answer(operation, try ParameterInput(Array(body.utf8))) ?? JSONObject()
    }

    private func refusal(_ operation: String, _ body: String) -> String? {
        do throws(ParameterFault) {
            _ = try call(operation, body)
            return nil
        } catch { return error.type }
    }

    @Test("a secret has another value and description, and what was current is the previous one")
    func updates() throws {
        _ = try call("CreateSecret", #"{"Name": "a", "SecretString": "one"}"#)
        let answer = try call("UpdateSecret", #"{"SecretId": "a", "SecretString": "two", "Description": "d"}"#)
        #expect(answer["VersionId"] != nil && answer["Name"] == "a")
        #expect(try call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "two")
        #expect(
            try call("GetSecretValue", #"{"SecretId": "a", "VersionStage": "AWSPREVIOUS"}"#)["SecretString"] == "one")
        #expect(try call("DescribeSecret", #"{"SecretId": "a"}"#)["Description"] == "d")
        #expect(try call("UpdateSecret", #"{"SecretId": "a", "Description": "e"}"#)["VersionId"] == nil)
        #expect(refusal("UpdateSecret", #"{"SecretId": "b", "SecretString": "x"}"#) == "ResourceNotFoundException")
    }

    @Test("a secret that is deleted can be restored, and is gone at once where that is wanted")
    func removals() throws {
        _ = try call("CreateSecret", #"{"Name": "a", "SecretString": "one"}"#)
        #expect(try call("DeleteSecret", #"{"SecretId": "a", "RecoveryWindowInDays": 7}"#)["DeletionDate"] != nil)
        for (operation, body) in [
            ("GetSecretValue", #"{"SecretId": "a"}"#), ("PutSecretValue", #"{"SecretId": "a", "SecretString": "x"}"#),
            ("UpdateSecret", #"{"SecretId": "a", "Description": "x"}"#), ("DeleteSecret", #"{"SecretId": "a"}"#),
            ("CreateSecret", #"{"Name": "a", "SecretString": "x"}"#),
        ] { #expect(refusal(operation, body) == "InvalidRequestException", "\(operation)") }
        #expect(try call("DescribeSecret", #"{"SecretId": "a"}"#)["DeletedDate"] != nil)
        #expect(try call("ListSecrets", "{}")["SecretList"]?.array?.isEmpty == true)
        _ = try call("RestoreSecret", #"{"SecretId": "a"}"#)
        #expect(try call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "one")
        _ = try call("DeleteSecret", #"{"SecretId": "a", "ForceDeleteWithoutRecovery": true}"#)
        #expect(refusal("GetSecretValue", #"{"SecretId": "a"}"#) == "ResourceNotFoundException")
        _ = try call("CreateSecret", #"{"Name": "a", "SecretString": "two"}"#)
        for body in [
            #"{"SecretId": "a", "RecoveryWindowInDays": 7, "ForceDeleteWithoutRecovery": true}"#,
            #"{"SecretId": "a", "RecoveryWindowInDays": 6}"#, #"{"SecretId": "a", "RecoveryWindowInDays": 31}"#,
            #"{"SecretId": "GIVEN"}"#,
        ] { #expect(refusal("DeleteSecret", body) != nil, "\(body)") }
        #expect(try call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "two")
    }

    @Test("labels are moved between versions, and versions are listed with theirs")
    func versions() throws {
        let first = try #require(
            try call("CreateSecret", #"{"Name": "a", "SecretString": "one"}"#)["VersionId"]?.string)
        let second = try #require(
            try call("PutSecretValue", #"{"SecretId": "a", "SecretString": "two"}"#)["VersionId"]?.string)
        func stages(_ version: String) throws -> [String] {
            let list = try call("ListSecretVersionIds", #"{"SecretId": "a", "IncludeDeprecated": true}"#)["Versions"]
            let found = list?.array?.first { $0["VersionId"]?.string == version }
            return (found?["VersionStages"]?.array ?? []).compactMap(\.string).sorted()
        }
        func move(_ stage: String, _ rest: String) -> String? {
            refusal("UpdateSecretVersionStage", #"{"SecretId": "a", "VersionStage": "\#(stage)"\#(rest)}"#)
        }
        #expect(try stages(first) == ["AWSPREVIOUS"] && stages(second) == ["AWSCURRENT"])
        #expect(move("AWSCURRENT", #", "MoveToVersionId": "\#(first)""#) == "InvalidParameterException")
        #expect(move("AWSCURRENT", #", "RemoveFromVersionId": "\#(second)""#) == "InvalidParameterException")
        #expect(move("mine", #", "MoveToVersionId": "nowhere""#) == "ResourceNotFoundException")
        #expect(move("AWSCURRENT", #", "RemoveFromVersionId": "\#(second)", "MoveToVersionId": "\#(first)""#) == nil)
        #expect(try stages(first) == ["AWSCURRENT"] && stages(second) == ["AWSPREVIOUS"])
        #expect(try call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "one")
        #expect(move("mine", #", "MoveToVersionId": "\#(second)""#) == nil)
        #expect(try stages(second) == ["AWSPREVIOUS", "mine"])
        #expect(move("mine", #", "RemoveFromVersionId": "\#(second)""#) == nil)
        #expect(try stages(second) == ["AWSPREVIOUS"])
        #expect(refusal("UpdateSecretVersionStage", #"{"SecretId": "GIVEN", "VersionStage": "x"}"#) != nil)
    }

    @Test("secrets have tags, by which and by whose names they are listed")
    func tags() throws {
        for name in ["app/one", "app/two", "other"] {
            _ = try call("CreateSecret", #"{"Name": "\#(name)", "SecretString": "x", "Description": "d \#(name)"}"#)
        }
        _ = try call(
            "TagResource", #"{"SecretId": "other", "Tags": [{"Key": "team", "Value": "a"}, {"Key": "b", "Value": ""}]}"#
        )
        _ = try call("TagResource", #"{"SecretId": "other", "Tags": [{"Key": "team", "Value": "z"}]}"#)
        #expect(
            try call("DescribeSecret", #"{"SecretId": "other"}"#)["Tags"]
                == [["Key": "b", "Value": ""], ["Key": "team", "Value": "z"]])
        #expect(refusal("TagResource", #"{"SecretId": "other", "Tags": [{"Key": "aws:x", "Value": "a"}]}"#) != nil)
        #expect(refusal("TagResource", #"{"SecretId": "GIVEN", "Tags": []}"#) == "InvalidRequestException")
        func listed(_ key: String, _ value: String) throws -> [String] {
            let answer = try call("ListSecrets", #"{"Filters": [{"Key": "\#(key)", "Values": ["\#(value)"]}]}"#)
            return (answer["SecretList"]?.array ?? []).compactMap { $0["Name"]?.string }.sorted()
        }
        #expect(try listed("name", "app/") == ["app/one", "app/two"])
        #expect(try listed("name", "!app/") == ["other"])
        #expect(try listed("tag-key", "tea") == ["other"] && listed("tag-value", "z") == ["other"])
        #expect(try listed("description", "d app") == ["app/one", "app/two"])
        #expect(try listed("all", "oth") == ["other"])
        #expect(refusal("ListSecrets", #"{"Filters": [{"Key": "colour", "Values": ["x"]}]}"#) != nil)
        _ = try call("UntagResource", #"{"SecretId": "other", "TagKeys": ["team"]}"#)
        #expect(try listed("tag-key", "team") == [])
    }

    @Test("passwords have what they are to have, and nothing else")
    func passwords() throws {
        func password(_ body: String) throws -> [UInt8] {
            Array((try call("GetRandomPassword", body)["RandomPassword"]?.string ?? "").utf8)
        }
        func has(_ password: [UInt8], _ range: ClosedRange<UInt8>) -> Bool { password.contains { range.contains($0) } }
        for _ in 0..<50 {
            let usual = try password("{}")
            #expect(usual.count == 32 && !usual.contains(0x20))
            #expect(has(usual, 0x61...0x7A) && has(usual, 0x41...0x5A) && has(usual, 0x30...0x39))
            let plain = try password(
                #"{"PasswordLength": 4, "ExcludePunctuation": true, "ExcludeUppercase": true, "ExcludeCharacters": "abc0"}"#
            )
            #expect(plain.count == 4 && plain.allSatisfy { ($0 > 0x63 && $0 <= 0x7A) || (0x31...0x39).contains($0) })
        }
        for body in [
            #"{"PasswordLength": 0}"#, #"{"PasswordLength": 5000}"#, #"{"PasswordLength": 2}"#,
            #"{"ExcludeLowercase": true, "ExcludeUppercase": true, "ExcludeNumbers": true, "ExcludePunctuation": true}"#,
            #"{"ExcludeCharacters": "0123456789"}"#,
        ] { #expect(refusal("GetRandomPassword", body) != nil, "\(body)") }
    }

    @Test("several parameters are deleted at once, and names have no empty parts")
    func severalParameters() throws {
        func call(_ operation: String, _ body: String) throws -> JSONObject {
            try #require(try parameters.answer(operation, try ParameterInput(Array(body.utf8))))
        }
        for name in ["/a/b", "c"] {
            _ = try call("PutParameter", #"{"Name": "\#(name)", "Value": "x", "Type": "String"}"#)
        }
        let answer = try call("DeleteParameters", #"{"Names": ["/a/b", "c", "d"]}"#)
        #expect(answer["DeletedParameters"] == ["/a/b", "c"] && answer["InvalidParameters"] == ["d"])
        for name in ["/a//b", "/a/", "//"] {
            #expect(throws: ParameterFault.self) {
                try call("PutParameter", #"{"Name": "\#(name)", "Value": "x", "Type": "String"}"#)
            }
        }
    }

    @Test("parameters are described page by page, without their values")
    func descriptions() throws {
        func call(_ operation: String, _ body: String) throws -> JSONObject {
            try #require(try parameters.answer(operation, try ParameterInput(Array(body.utf8))))
        }
        for name in ["/a/x", "/a/y", "/b"] {
            _ = try call("PutParameter", #"{"Name": "\#(name)", "Value": "v", "Type": "String", "Description": "d"}"#)
        }
        let first = try call("DescribeParameters", #"{"MaxResults": 2}"#)
        #expect(first["Parameters"]?.array?.map { $0["Name"] } == ["/a/x", "/a/y"])
        #expect(first["Parameters"]?[0]?["Value"] == nil && first["Parameters"]?[0]?["Description"] == "d")
        let token = try #require(first["NextToken"]?.string)
        let rest = try call("DescribeParameters", #"{"MaxResults": 2, "NextToken": "\#(token)"}"#)
        #expect(rest["Parameters"]?.array?.map { $0["Name"] } == ["/b"] && rest["NextToken"] == nil)
        let named = try call(
            "DescribeParameters",
            #"{"ParameterFilters": [{"Key": "Name", "Option": "BeginsWith", "Values": ["/a/"]}, {"Key": "Type", "Values": ["String"]}]}"#
        )
        #expect(named["Parameters"]?.array?.count == 2)
    }
}
