import Blueprint
import Cloud
import GraphQL
import JSON
import PostgresSupport
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
        store = try Store(TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
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
            #"{"SecretId": "a", "RecoveryWindowInDays": 0}"#, #"{"SecretId": "GIVEN"}"#,
            #"{"SecretId": "GIVEN", "ForceDeleteWithoutRecovery": true}"#, #"{"SecretId": "none"}"#,
        ] { #expect(await refusal("DeleteSecret", body) != nil, "\(body)") }
        #expect(try await call("GetSecretValue", #"{"SecretId": "a"}"#)["SecretString"] == "two")
    }

    @Test("a secret that is not there is gone already for who wants it gone at once")
    func nothingToRemove() async throws {
        let answer = try await call("DeleteSecret", #"{"SecretId": "none", "ForceDeleteWithoutRecovery": true}"#)
        #expect(answer["Name"] == "none" && answer["DeletionDate"] != nil)
        #expect(await refusal("DescribeSecret", #"{"SecretId": "none"}"#) == "ResourceNotFoundException")
    }

    @Test("lists are in the order of making, and have what is to be deleted where that is wanted")
    func order() async throws {
        for name in ["z", "y", "x"] {
            // Times are in milliseconds: the order of names counts within one.
            _ = try await call("CreateSecret", #"{"Name": "\#(name)", "SecretString": "1", "KmsKeyId": "k"}"#)
            try await services.kept.change(.secret) { entries in
                entries[name]?.set("created", to: .double(name == "z" ? 1.001 : name == "y" ? 1.002 : 10))
            }
        }
        func listed(_ body: String) async throws -> [String] {
            var (names, token): ([String], String?) = ([], nil)
            repeat {
                let next = token.map { #", "NextToken": "\#($0)""# } ?? ""
                let page = try await call("ListSecrets", #"{"MaxResults": 1\#(body)\#(next)}"#)
                names += (page["SecretList"]?.array ?? []).compactMap { $0["Name"]?.string }
                token = page["NextToken"]?.string
            } while token != nil
            return names
        }
        #expect(try await listed("") == ["z", "y", "x"])
        #expect(try await listed(#", "SortOrder": "desc""#) == ["x", "y", "z"])
        _ = try await call("DeleteSecret", #"{"SecretId": "y"}"#)
        #expect(try await listed("") == ["z", "x"])
        #expect(try await listed(#", "IncludePlannedDeletion": true"#) == ["z", "y", "x"])
        #expect(try await call("DescribeSecret", #"{"SecretId": "x"}"#)["KmsKeyId"] == "k")
        _ = try await call("UpdateSecret", #"{"SecretId": "x", "KmsKeyId": "other"}"#)
        #expect(try await call("DescribeSecret", #"{"SecretId": "x"}"#)["KmsKeyId"] == "other")
    }

    @Test("values of several secrets come at once, and those that are not there have a reason")
    func batches() async throws {
        for name in ["a", "b", "c"] {
            _ = try await call("CreateSecret", #"{"Name": "\#(name)", "SecretString": "of \#(name)"}"#)
        }
        _ = try await call("DeleteSecret", #"{"SecretId": "c"}"#)
        let answer = try await call("BatchGetSecretValue", #"{"SecretIdList": ["a", "none", "c", "GIVEN", "a"]}"#)
        #expect(answer["SecretValues"]?.array?.map { $0["SecretString"] } == ["of a", "g"])
        #expect(answer["Errors"]?.array?.map { $0["SecretId"] } == ["none", "c"])
        #expect(
            answer["Errors"]?.array?.map { $0["ErrorCode"] } == [
                "ResourceNotFoundException", "InvalidRequestException",
            ])
        let filters = #""Filters": [{"Key": "name", "Values": ["a", "b"]}]"#
        let first = try await call("BatchGetSecretValue", #"{\#(filters), "MaxResults": 1}"#)
        let token = try #require(first["NextToken"]?.string)
        let rest = try await call("BatchGetSecretValue", #"{\#(filters), "MaxResults": 1, "NextToken": "\#(token)"}"#)
        #expect([first, rest].map { $0["SecretValues"]?[0]?["SecretString"] } == ["of a", "of b"])
        #expect(rest["NextToken"] == nil)
        for body in [#"{"SecretIdList": ["a"], \#(filters)}"#, #"{"SecretIdList": ["a"], "MaxResults": 2}"#, "{}"] {
            #expect(await refusal("BatchGetSecretValue", body) == "InvalidParameterException", "\(body)")
        }
        let many = (0...ParameterLimits.batchMax).map { "\"\($0)\"" }.joined(separator: ",")
        #expect(await refusal("BatchGetSecretValue", #"{"SecretIdList": [\#(many)]}"#) == "ValidationException")
    }

    @Test("a token is one version's: another value under it names the version")
    func tokens() async throws {
        let token = "00000000-0000-4000-8000-000000000001"
        let rest = #""SecretString": "two", "ClientRequestToken": "\#(token)""#
        let made = try await call(
            "CreateSecret", #"{"Name": "a", "SecretString": "one", "ClientRequestToken": "\#(token)"}"#)
        let arn = try #require(made["ARN"]?.string)
        for (operation, name) in [
            ("CreateSecret", "Name"), ("PutSecretValue", "SecretId"), ("UpdateSecret", "SecretId"),
        ] {
            await #expect(
                throws: CloudError(
                    "ResourceExistsException",
                    "You can't use ClientRequestToken \(token) because that value is already in use for a version of secret \(arn)."
                )
            ) { try await call(operation, #"{"\#(name)": "a", \#(rest)}"#) }
        }
    }

    /// What AWS has answered to these filters.
    @Test(
        "words of descriptions and of everything are found as their letters begin",
        arguments: [
            ("all", "SecretOne", ["SecretOne1"]), ("all", "secret", ["SecretFTag", "SecretOne1", "SecretTwo"]),
            ("all", "ret", []), ("all", "d t", ["SecretTwo"]), ("all", "foo", ["SecretFTag"]),
            ("all", "t", ["SecretFTag", "SecretTwo", "Thirdsecret", "one-two", "two-one"]),
            ("all", "Beta", ["prod/AppBeta/7", "prod_AppBeta_7"]),
            ("all", "+", []), ("all", "company", ["uat/COMPANY/7"]), ("all", "Ythings", ["uat/COMPANYthings/7"]),
            ("all", "things", []), ("all", "N", []), ("all", "App/Beta", ["prod/AppBeta/7", "prod_AppBeta_7"]),
            ("description", "one two", ["one-two", "two-one"]), ("description", "o t", ["one-two", "two-one"]),
            ("description", "t", ["one-two", "SecretTwo", "two-one"]),
        ] as [(String, String, [String])])
    func words(key: String, value: String, found: [String]) async throws {
        for (name, more) in [
            ("SecretOne1", ""), ("SecretTwo", #", "Description": "DescTwo""#), ("Thirdsecret", ""),
            ("SecretFTag", #", "Tags": [{"Key": "1", "Value": "foo"}]"#), ("prod/AppBeta/7", ""),
            ("prod_AppBeta_7", ""),
            ("prod-App/Beta.7", ""), ("uat/COMPANY/7", ""), ("uat/COMPANYthings/7", ""),
            ("one-two", #", "Description": "one two""#), ("two-one", #", "Description": "one and two""#),
        ] { _ = try await call("CreateSecret", #"{"Name": "\#(name)", "SecretString": "s"\#(more)}"#) }
        let answer = try await call("ListSecrets", #"{"Filters": [{"Key": "\#(key)", "Values": ["\#(value)"]}]}"#)
        let names = (answer["SecretList"]?.array ?? []).compactMap { $0["Name"]?.string }
        #expect(Set(names) == Set(found))
    }

    @Test("the first version of a secret is the current one, whatever labels it gets")
    func firstVersion() async throws {
        _ = try await call("CreateSecret", #"{"Name": "a"}"#)
        #expect(try await call("DescribeSecret", #"{"SecretId": "a"}"#)["VersionIdsToStages"] == nil)
        for stages in [["AWSPENDING", "AWSCURRENT"], ["AWSPENDING"]] as [[JSONValue]] {
            let put = try await call(
                "PutSecretValue", #"{"SecretId": "a", "SecretString": "x", "VersionStages": ["AWSPENDING"]}"#)
            #expect(put["VersionStages"] == .array(stages))
        }
    }

    @Test("the current version has no label of a rotation when another one becomes current")
    func pendingVersion() async throws {
        _ = try await call("CreateSecret", #"{"Name": "a", "SecretString": "one", "Description": ""}"#)
        #expect(try await call("DescribeSecret", #"{"SecretId": "a"}"#)["Description"] == nil)
        let next = #"{"SecretId": "a", "SecretString": "two", "VersionStages": ["AWSPENDING", "AWSCURRENT", "mine"]}"#
        let version = try #require(try await call("PutSecretValue", next)["VersionId"]?.string)
        _ = try await call("PutSecretValue", #"{"SecretId": "a", "SecretString": "three"}"#)
        let stages = try await call("DescribeSecret", #"{"SecretId": "a"}"#)["VersionIdsToStages"]
        #expect(stages?[version] == ["mine", "AWSPREVIOUS"])
        let list = try await call("ListSecretVersionIds", #"{"SecretId": "a", "IncludeDeprecated": true}"#)["Versions"]
        #expect(list?.array?.count { $0["VersionStages"] == nil } == 1)
        for stage in ["AWSCURRENT", "other"] {
            let body = #"{"SecretId": "a", "VersionId": "\#(version)", "VersionStage": "\#(stage)"}"#
            #expect(await refusal("GetSecretValue", body) == "InvalidRequestException")
        }
    }

    @Test(
        "a name that no secret can have is refused by every call",
        arguments: ["DescribeSecret", "GetSecretValue", "DeleteSecret", "ListSecretVersionIds", "RestoreSecret"])
    func wrongName(operation: String) async {
        let rest = operation == "DeleteSecret" ? #", "ForceDeleteWithoutRecovery": true"# : ""
        #expect(await refusal(operation, #"{"SecretId": " a b"\#(rest)}"#) == "ValidationException")
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
            // A space may be in it, and need not.
            #expect(try await password(#"{"PasswordLength": 4, "IncludeSpace": true}"#).count == 4)
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

    @Test("a name without a path is one parameter, with a slash before it and without one", arguments: ["par", "/par"])
    func spellings(name: String) async throws {
        _ = try await parameter("PutParameter", #"{"Name": "\#(name)", "Value": "x", "Type": "String"}"#)
        // The answer has the name as the call has it, but for an ARN.
        let arn = "arn:aws:ssm:us-east-1:123456789012:parameter/par"
        for (said, shown) in [("par", "par"), ("/par", "/par"), ("/par:1", "/par"), (arn, name)] {
            let found = try await parameter("GetParameter", #"{"Name": "\#(said)"}"#)["Parameter"]
            #expect(found?["Name"] == .string(shown), "\(said)")
            #expect(try await parameter("GetParameters", #"{"Names": ["\#(said)"]}"#)["Parameters"]?.array?.count == 1)
        }
        for said in ["par", "/par"] {
            await #expect(throws: CloudError.self) {
                try await parameter("PutParameter", #"{"Name": "\#(said)", "Value": "y", "Type": "String"}"#)
            }
            _ = try await parameter("PutParameter", #"{"Name": "\#(said)", "Value": "y", "Overwrite": true}"#)
            _ = try await parameter(
                "AddTagsToResource",
                #"{"ResourceType": "Parameter", "ResourceId": "\#(said)", "Tags": [{"Key": "\#(said)", "Value": ""}]}"#)
        }
        #expect(try await parameter("DescribeParameters", "{}")["Parameters"]?.array?.map { $0["Version"] } == [3])
        for said in ["par", "/par"] {
            let tags = try await parameter(
                "ListTagsForResource", #"{"ResourceType": "Parameter", "ResourceId": "\#(said)"}"#)
            #expect(tags["TagList"]?.array?.count == 2)
        }
        let below = try await parameter("GetParametersByPath", #"{"Path": "/"}"#)
        #expect(below["Parameters"]?.array?.map { $0["Name"] } == [.string(name)])
        let other = name.utf8.count == 3 ? "/par" : "par"
        if name.utf8.count == 3 {
            _ = try await parameter("DeleteParameter", #"{"Name": "\#(other)"}"#)
        } else {
            #expect(
                try await parameter("DeleteParameters", #"{"Names": ["\#(other)"]}"#)["DeletedParameters"]
                    == [.string(other)])
        }
        #expect(try await parameter("DescribeParameters", "{}")["Parameters"]?.array?.isEmpty == true)
    }

    @Test("a reference to a secret is a parameter, for who may have it decrypted")
    func references() async throws {
        let made = try await call("CreateSecret", #"{"Name": "app/s", "SecretString": "one"}"#)
        _ = try await call("PutSecretValue", #"{"SecretId": "app/s", "SecretString": "two"}"#)
        let start = "/aws/reference/secretsmanager/"
        let version = try #require(made["VersionId"]?.string)
        for (said, value) in [
            ("app/s", "two"), ("app/s:AWSPREVIOUS", "one"), ("app/s:\(version)", "one"), ("GIVEN", "g"),
        ] {
            let found = try await parameter("GetParameter", #"{"Name": "\#(start)\#(said)", "WithDecryption": true}"#)
            let shown = try #require(found["Parameter"])
            #expect(shown["Value"] == .string(value) && shown["Type"] == "SecureString" && shown["Version"] == 0)
            let source = try JSONReader.value(of: try #require(shown["SourceResult"]?.string))
            #expect(source["ARN"] == shown["ARN"] && source["secretString"] == .string(value), "\(said)")
            #expect(shown["Name"] == .string("\(start)\(source["name"]?.string ?? "")"), "\(said)")
        }
        let several = try await parameter(
            "GetParameters", #"{"Names": ["\#(start)app/s", "\#(start)none", "/none"], "WithDecryption": true}"#)
        #expect(several["Parameters"]?.array?.map { $0["Value"] } == ["two"])
        #expect(several["InvalidParameters"] == [.string("\(start)none"), "/none"])
        for (operation, body, type) in [
            ("GetParameter", #"{"Name": "\#(start)app/s"}"#, "ValidationException"),
            ("GetParameters", #"{"Names": ["\#(start)app/s"]}"#, "ValidationException"),
            ("GetParameter", #"{"Name": "\#(start)none", "WithDecryption": true}"#, "ParameterNotFound"),
            ("GetParameter", #"{"Name": "\#(start)app/s:OTHER", "WithDecryption": true}"#, "ParameterVersionNotFound"),
        ] {
            let error = await #expect(throws: CloudError.self) { try await parameter(operation, body) }
            #expect(error?.type == type, "\(body)")
        }
    }

    @Test("a reference to a secret needs the rights to the parameter and to the secret")
    func rightsToReferences() {
        let input = CallInput(JSONObject([("Names", ["/aws/reference/secretsmanager/app/s:AWSPREVIOUS", "/a"])]))
        let demands = ParameterRights.names("ssm:GetParameters", input)
        #expect(demands.map(\.action) == ["ssm:GetParameters", "secretsmanager:GetSecretValue", "ssm:GetParameters"])
    }

    @Test("a new value keeps what is said of a parameter, and its pattern holds for it")
    func overwriting() async throws {
        func refusal(_ rest: String) async -> String? {
            do {
                _ = try await parameter("PutParameter", #"{"Name": "/a", "Overwrite": true, \#(rest)}"#)
                return nil
            } catch { return (error as? CloudError)?.type ?? "\(error)" }
        }
        _ = try await parameter(
            "PutParameter",
            #"{"Name": "/a", "Value": "12", "Type": "SecureString", "KeyId": "k", "AllowedPattern": "[0-9]+", "Description": "d", "Tags": [{"Key": "t", "Value": "v"}]}"#
        )
        #expect(await refusal(#""Value": "x""#) == "ParameterPatternMismatchException")
        #expect(await refusal(#""Value": "1", "AllowedPattern": "[""#) == "InvalidAllowedPatternException")
        // A match that costs too much is none.
        let long = String(repeating: "a", count: 4_000)
        #expect(
            await refusal(#""Value": "\#(long)b", "AllowedPattern": "(a|aa)*\\1c""#)
                == "ParameterPatternMismatchException")
        #expect(await refusal(#""Value": "1", "Tags": [{"Key": "t", "Value": "v"}]"#) == "ValidationException")
        #expect(await refusal(#""Value": "1", "DataType": "number""#) == "ValidationException")
        #expect(await refusal(#""Value": "34""#) == nil)
        let shown = try #require(try await parameter("DescribeParameters", "{}")["Parameters"]?[0])
        #expect(shown["Description"] == "d" && shown["AllowedPattern"] == "[0-9]+" && shown["KeyId"] == "k")
        #expect(shown["LastModifiedUser"]?.string != nil && shown["Version"] == 2)
        let named = #""ResourceType": "Parameter", "ResourceId": "/a""#
        #expect(
            try await parameter("ListTagsForResource", #"{\#(named)}"#)["TagList"] == [["Key": "t", "Value": "v"]])
        _ = try await parameter("RemoveTagsFromResource", #"{\#(named), "TagKeys": ["t"]}"#)
        #expect(try await parameter("ListTagsForResource", #"{\#(named)}"#)["TagList"] == [])
    }

    @Test(
        "tags belong to parameters that are there",
        arguments: [
            (#""ResourceType": "Parameter", "ResourceId": "/none""#, "InvalidResourceId"),
            (#""ResourceType": "Document", "ResourceId": "/a""#, "InvalidResourceId"),
            (#""ResourceType": "Thing", "ResourceId": "/a""#, "InvalidResourceType"),
            (#""ResourceType": "Parameter", "ResourceId": "GIVEN""#, "InvalidResourceId"),
        ])
    func strayTags(named: String, type: String) async throws {
        _ = try await parameter("PutParameter", #"{"Name": "/a", "Value": "x", "Type": "String"}"#)
        for (operation, rest) in [
            ("ListTagsForResource", ""), ("AddTagsToResource", #", "Tags": [{"Key": "k", "Value": "v"}]"#),
            ("RemoveTagsFromResource", #", "TagKeys": ["k"]"#),
        ] {
            let error = await #expect(throws: CloudError.self) { try await parameter(operation, "{\(named)\(rest)}") }
            #expect(error?.type == type)
        }
        let many = (0...ParameterLimits.tagsMax).map { #"{"Key": "\#($0)", "Value": ""}"# }.joined(separator: ",")
        let error = await #expect(throws: CloudError.self) {
            try await parameter(
                "AddTagsToResource", #"{"ResourceType": "Parameter", "ResourceId": "/a", "Tags": [\#(many)]}"#)
        }
        #expect(error?.type == "TooManyTagsError")
    }

    @Test(
        "filters of descriptions find parameters",
        arguments: [
            (#"[{"Key": "Name", "Values": ["/par"]}]"#, ["par"]), (#"[{"Key": "Name", "Values": ["two"]}]"#, ["/two"]),
            (#"[{"Key": "Name", "Option": "Contains", "Values": ["/t"]}]"#, ["/foo/two", "/two"]),
            (#"[{"Key": "Path", "Values": ["/"]}]"#, ["/two", "par"]),
            (#"[{"Key": "Path", "Values": ["/foo/"]}]"#, ["/foo/two"]), (#"[{"Key": "Path", "Values": ["/fo"]}]"#, []),
            (#"[{"Key": "Path", "Option": "Recursive", "Values": ["/foo"]}]"#, ["/foo/deep/er", "/foo/two"]),
            (#"[{"Key": "tag:kind", "Values": ["a", "b"]}]"#, ["/foo/two", "par"]),
            (#"[{"Key": "tag:kind", "Option": "BeginsWith", "Values": ["a"]}]"#, ["par"]),
            (#"[{"Key": "tag:kind"}]"#, ["/foo/two", "par"]), (#"[{"Key": "tag:none"}]"#, []),
            (#"[{"Key": "tag:none", "Values": ["a"]}]"#, []), (#"[{"Key": "Tier", "Values": ["Advanced"]}]"#, ["/two"]),
            (#"[{"Key": "KeyId", "Values": ["mine"]}]"#, ["/foo/deep/er"]),
            (
                #"[{"Key": "DataType", "Values": ["text"]}, {"Key": "Type", "Values": ["SecureString"]}]"#,
                ["/foo/deep/er"]
            ),
        ] as [(String, [String])])
    func filters(filters: String, found: [String]) async throws {
        for (name, more) in [
            ("par", #", "Tags": [{"Key": "kind", "Value": "a"}]"#), ("/two", #", "Tier": "Advanced""#),
            ("/foo/two", #", "Tags": [{"Key": "kind", "Value": "b"}]"#), ("/foo/deep/er", #", "KeyId": "mine""#),
        ] {
            let type = name == "/foo/deep/er" ? "SecureString" : "String"
            _ = try await parameter("PutParameter", #"{"Name": "\#(name)", "Value": "x", "Type": "\#(type)"\#(more)}"#)
        }
        let answer = try await parameter("DescribeParameters", #"{"ParameterFilters": \#(filters)}"#)
        #expect(answer["Parameters"]?.array?.compactMap { $0["Name"]?.string } == found)
    }

    @Test(
        "filters that mean nothing are refused",
        arguments: [
            (#""ParameterFilters": [{"Key": "key", "Values": ["a"]}]"#, "ValidationException"),
            (#""ParameterFilters": [{"Key": "Label", "Values": ["a"]}]"#, "InvalidFilterKey"),
            (#""ParameterFilters": [{"Key": "Name"}]"#, "InvalidFilterValue"),
            (#""ParameterFilters": [{"Key": "Name", "Option": "Recursive", "Values": ["a"]}]"#, "InvalidFilterOption"),
            (#""ParameterFilters": [{"Key": "Path", "Option": "Equals", "Values": ["/a"]}]"#, "InvalidFilterOption"),
            (#""ParameterFilters": [{"Key": "Type", "Values": ["Text"]}]"#, "InvalidFilterValue"),
            (#""ParameterFilters": [{"Key": "Path", "Values": ["a"]}]"#, "ValidationException"),
            (#""ParameterFilters": [{"Key": "Path", "Values": ["/aws/x"]}]"#, "ValidationException"),
            (
                #""ParameterFilters": [{"Key": "Name", "Values": ["a"]}, {"Key": "Name", "Values": ["b"]}]"#,
                "ValidationException"
            ),
            (
                #""Filters": [{"Key": "Name", "Values": ["a"]}], "ParameterFilters": [{"Key": "Name", "Values": ["a"]}]"#,
                "ValidationException"
            ),
        ])
    func refusedFilters(filters: String, type: String) async throws {
        let error = await #expect(throws: CloudError.self) { try await parameter("DescribeParameters", "{\(filters)}") }
        #expect(error?.type == type)
    }

    @Test("descriptions take the older form of filters, and come in pages of ten")
    func formerFilters() async throws {
        for number in 0..<11 {
            _ = try await parameter("PutParameter", #"{"Name": "p\#(number)", "Value": "x", "Type": "String"}"#)
        }
        #expect(try await parameter("DescribeParameters", "{}")["Parameters"]?.array?.count == 10)
        let found = try await parameter("DescribeParameters", #"{"Filters": [{"Key": "Name", "Values": ["p10"]}]}"#)
        #expect(found["Parameters"]?.array?.map { $0["Name"] } == ["p10"])
    }
}
