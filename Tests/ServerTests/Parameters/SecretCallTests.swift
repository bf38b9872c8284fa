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
