import Foundation
import Network
import Server
import TestSupport
import Testing

/// Parameters and secrets over real sockets, signed as SDKs sign.
@Suite("Parameters and secrets")
struct ParameterTests {
    /// What a call answers.
    private struct Answer {
        let status: Int
        let json: [String: Any]
        var type: String? { json["__type"] as? String }
        var message: String { json["message"] as? String ?? "" }
        var parameter: [String: Any] { json["Parameter"] as? [String: Any] ?? [:] }
        var names: [String] { (json["Parameters"] as? [[String: Any]] ?? []).compactMap { $0["Name"] as? String } }
    }

    private struct Client {
        let server: HomeportProcess

        func call(
            _ target: String, _ body: String, change: (inout SignedCall) -> Void = { _ in },
            sent: (inout SignedCall) -> Void = { _ in }
        ) throws -> Answer {
            var call = SignedCall(target, body, to: server)
            call.target = target
            call.service = target.hasPrefix("AmazonSSM") ? "ssm" : "secretsmanager"
            change(&call)
            let (status, _, text) = try call.answer(from: server, sent: sent)
            let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return Answer(status: status, json: json ?? [:])
        }

        func ssm(_ operation: String, _ body: String) throws -> Answer { try call("AmazonSSM.\(operation)", body) }

        func secret(_ operation: String, _ body: String) throws -> Answer {
            try call("secretsmanager.\(operation)", body)
        }
    }

    private static func server(in folder: TemporaryFolder = TemporaryFolder()) throws -> HomeportProcess {
        try folder.write(
            "# of this app\nSTRIPE_KEY=sk_file\n/app/db/url=postgres\nQUOTED=\"a b\"\n", to: ".homeport/secrets")
        return try HomeportProcess(
            environment: [
                "FROM_ENVIRONMENT": "env", "STRIPE_TEST": "env2", "AWS_HIDDEN": "no", "HOMEPORT_LOG_LEVEL": "info",
            ],
            in: folder)
    }

    @Test("parameters are those of the file, of the environment, and those that were put, which stay over a restart")
    func parameters() throws {
        let folder = TemporaryFolder()
        let client = Client(server: try Self.server(in: folder))
        let rows: [(String, String?)] = [
            ("STRIPE_KEY", "sk_file"), ("/amplify/app/main-branch-1/STRIPE_KEY", "sk_file"),
            ("/amplify/shared/app/STRIPE_KEY", "sk_file"), ("/app/db/url", "postgres"), ("QUOTED", "a b"),
            ("FROM_ENVIRONMENT", "env"), ("/amplify/x/FROM_ENVIRONMENT", "env"), ("AWS_HIDDEN", nil),
            ("/a/AWS_HIDDEN", nil), ("/mine/STRIPE_KEY", nil), ("/mine/FROM_ENVIRONMENT", nil),
            ("mine/STRIPE_KEY", nil),
            ("/amplifyx/STRIPE_KEY", nil), ("/STRIPE_KEY", nil), ("/mine/amplify/STRIPE_KEY", nil),
            ("HOMEPORT_LOG_LEVEL", nil), ("/app/db", nil), ("none", nil), ("/", nil), ("STRIPE_KEY/", nil),
        ]
        for (name, value) in rows {
            let answer = try client.ssm("GetParameter", "{\"Name\": \"\(name)\", \"WithDecryption\": true}")
            #expect(answer.parameter["Value"] as? String == value, "\(name): \(answer)")
            if value == nil { #expect(answer.status == 400 && answer.type == "ParameterNotFound") }
        }
        let sealed = try client.ssm("GetParameter", #"{"Name": "STRIPE_KEY"}"#)
        #expect(
            sealed.parameter["Type"] as? String == "SecureString" && sealed.parameter["Value"] as? String != "sk_file")
        // Put.
        let put = try client.ssm("PutParameter", #"{"Name": "/app/limits/max", "Value": "10", "Type": "String"}"#)
        #expect(put.status == 200 && put.json["Version"] as? Int == 1 && put.json["Tier"] as? String == "Standard")
        let twice = try client.ssm("PutParameter", #"{"Name": "/app/limits/max", "Value": "11", "Type": "String"}"#)
        #expect(twice.type == "ParameterAlreadyExists" && twice.message.hasPrefix("The parameter already exists."))
        let over = try client.ssm("PutParameter", #"{"Name": "/app/limits/max", "Value": "12", "Overwrite": true}"#)
        #expect(over.json["Version"] as? Int == 2)
        #expect(
            try client.ssm("PutParameter", #"{"Name": "STRIPE_KEY", "Value": "x", "Type": "String"}"#).type
                == "ParameterAlreadyExists")
        _ = try client.ssm("PutParameter", #"{"Name": "QUOTED", "Value": "put", "Overwrite": true}"#)
        _ = try client.ssm("PutParameter", #"{"Name": "/app/gone", "Value": "1", "Type": "StringList"}"#)
        #expect(try client.ssm("DeleteParameter", #"{"Name": "/app/gone"}"#).status == 200)
        #expect(try client.ssm("DeleteParameter", #"{"Name": "/app/gone"}"#).type == "ParameterNotFound")
        #expect(try client.ssm("DeleteParameter", #"{"Name": "STRIPE_KEY"}"#).message.contains("take its line out"))
        let several = try client.ssm(
            "GetParameters", #"{"Names": ["/app/limits/max", "no", "STRIPE_KEY", "no"], "WithDecryption": true}"#)
        #expect(several.names == ["/app/limits/max", "STRIPE_KEY"])
        #expect(several.json["InvalidParameters"] as? [String] == ["no"])
        client.server.signal(SIGTERM)
        #expect(client.server.exitStatus() == ExitCode.success.rawValue)
        #expect(!FileManager.default.fileExists(atPath: folder.file(".homeport/parameters.json")))
        // Again.
        let again = Client(server: try HomeportProcess(in: folder))
        let kept = try again.ssm("GetParameter", #"{"Name": "/app/limits/max"}"#)
        #expect(kept.parameter["Value"] as? String == "12" && kept.parameter["Version"] as? Int == 2)
        #expect(kept.parameter["ARN"] as? String == "arn:aws:ssm:us-east-1:123456789012:parameter/app/limits/max")
        for name in ["arn:aws:ssm:us-east-1:123456789012:parameter/app/limits/max", "/app/limits/max:2"] {
            #expect(
                try again.ssm("GetParameter", "{\"Name\": \"\(name)\"}").parameter["Value"] as? String == "12",
                "\(name)")
        }
        #expect(kept.parameter["Selector"] == nil)
        let versioned = try again.ssm("GetParameter", #"{"Name": "/app/limits/max:2"}"#)
        #expect(versioned.parameter["Selector"] as? String == ":2")
        let former = try again.ssm("GetParameter", #"{"Name": "/app/limits/max:1"}"#)
        #expect(former.parameter["Value"] as? String == "10", "\(former)")
        #expect(try again.ssm("GetParameter", #"{"Name": "/app/limits/max:3"}"#).type == "ParameterVersionNotFound")
        let quoted = try again.ssm("GetParameter", #"{"Name": "QUOTED", "WithDecryption": true}"#)
        #expect(quoted.parameter["Value"] as? String == "put" && quoted.parameter["Version"] as? Int == 2)
    }

    @Test("parameters below a path come page by page")
    func paths() throws {
        let client = Client(server: try Self.server())
        for number in 10..<23 {
            _ = try client.ssm("PutParameter", "{\"Name\": \"/app/\(number)\", \"Value\": \"v\", \"Type\": \"String\"}")
        }
        _ = try client.ssm("PutParameter", #"{"Name": "/apple", "Value": "v", "Type": "String"}"#)
        let first = try client.ssm("GetParametersByPath", #"{"Path": "/app"}"#)
        #expect(first.names == (10..<20).map { "/app/\($0)" })
        let token = try #require(first.json["NextToken"] as? String)
        let second = try client.ssm("GetParametersByPath", "{\"Path\": \"/app/\", \"NextToken\": \"\(token)\"}")
        #expect(second.names == (20..<23).map { "/app/\($0)" } && second.json["NextToken"] == nil)
        let deep = try client.ssm(
            "GetParametersByPath", #"{"Path": "/app", "Recursive": true, "MaxResults": 3, "NextToken": "L2FwcC8yMg=="}"#
        )
        #expect(deep.names == ["/app/db/url"])
        #expect(try client.ssm("GetParametersByPath", #"{"Path": "/none"}"#).names.isEmpty)
    }

    @Test("parameters below a path are those that pass all filters")
    func filters() throws {
        let client = Client(server: try Self.server())
        _ = try client.ssm("PutParameter", #"{"Name": "/f/text", "Value": "v", "Type": "String"}"#)
        _ = try client.ssm("PutParameter", #"{"Name": "/f/list", "Value": "v", "Type": "StringList"}"#)
        _ = try client.ssm("PutParameter", #"{"Name": "/f/secret", "Value": "v", "Type": "SecureString"}"#)
        let rows: [(filters: String, names: [String])] = [
            ("[]", ["/f/list", "/f/secret", "/f/text"]),
            (#"[{"Key": "Type", "Values": ["String"]}]"#, ["/f/text"]),
            (
                #"[{"Key": "Type", "Option": "Equals", "Values": ["String", "SecureString"]}]"#,
                ["/f/secret", "/f/text"]
            ),
            (#"[{"Key": "Type", "Option": "BeginsWith", "Values": ["String"]}]"#, ["/f/list", "/f/text"]),
            (#"[{"Key": "KeyId", "Values": ["alias/aws/ssm"]}]"#, ["/f/secret"]),
            (#"[{"Key": "KeyId", "Values": ["alias/other"]}]"#, []),
            (#"[{"Key": "Label", "Values": ["first"]}]"#, []),
            (
                #"[{"Key": "Type", "Values": ["String"]}, {"Key": "Type", "Option": "BeginsWith", "Values": ["Secure"]}]"#,
                []
            ),
        ]
        for (filters, names) in rows {
            let answer = try client.ssm("GetParametersByPath", "{\"Path\": \"/f\", \"ParameterFilters\": \(filters)}")
            #expect(answer.status == 200 && answer.names == names, "\(filters): \(answer)")
        }
        // Pages are of what passes.
        let page = try client.ssm(
            "GetParametersByPath",
            #"{"Path": "/f", "MaxResults": 1, "ParameterFilters": [{"Key": "Type", "Values": ["String"]}]}"#)
        #expect(page.names == ["/f/text"] && page.json["NextToken"] == nil)
        func refusal(_ filters: String) throws -> String? {
            try client.ssm("GetParametersByPath", "{\"Path\": \"/f\", \"ParameterFilters\": \(filters)}").type
        }
        #expect(try refusal(#"[{"Key": "Name", "Values": ["x"]}]"#) == "InvalidFilterKey")
        #expect(try refusal(#"[{"Key": "Type", "Option": "Contains", "Values": ["x"]}]"#) == "InvalidFilterOption")
        #expect(try refusal(#"[{"Key": "Label", "Option": "BeginsWith", "Values": ["x"]}]"#) == "InvalidFilterOption")
        #expect(try refusal(#"[{"Key": "Type", "Values": []}]"#) == "InvalidFilterValue")
        let many = Array(repeating: #""x""#, count: 51).joined(separator: ",")
        #expect(try refusal("[{\"Key\": \"Type\", \"Values\": [\(many)]}]") == "ValidationException")
        let filters = Array(repeating: #"{"Key": "Type", "Values": ["x"]}"#, count: 11).joined(separator: ",")
        #expect(try refusal("[\(filters)]") == "ValidationException")
        #expect(try refusal(#""x""#) == "SerializationException")
    }

    /// Refused calls. They change nothing, so one server gets all of them.
    private static let refused: [(target: String, body: String, type: String)] = [
        ("AmazonSSM.GetParameter", "{}", "ValidationException"),
        ("AmazonSSM.GetParameter", "[]", "SerializationException"),
        ("AmazonSSM.GetParameter", #"{"Name": 1}"#, "SerializationException"),
        ("AmazonSSM.GetParameters", #"{"Names": []}"#, "ValidationException"),
        (
            "AmazonSSM.GetParameters", #"{"Names": ["1","2","3","4","5","6","7","8","9","10","11"]}"#,
            "ValidationException"
        ),
        ("AmazonSSM.GetParametersByPath", #"{"Path": "a"}"#, "ValidationException"),
        ("AmazonSSM.GetParametersByPath", #"{"Path": "/a", "MaxResults": 11}"#, "ValidationException"),
        ("AmazonSSM.GetParametersByPath", #"{"Path": "/a", "NextToken": "!"}"#, "InvalidNextToken"),
        ("AmazonSSM.PutParameter", #"{"Name": "a", "Value": "v"}"#, "ValidationException"),
        ("AmazonSSM.PutParameter", #"{"Name": "a", "Value": "v", "Type": "x"}"#, "ValidationException"),
        ("AmazonSSM.PutParameter", #"{"Name": "a b", "Value": "v", "Type": "String"}"#, "ValidationException"),
        ("AmazonSSM.PutParameter", #"{"Name": "/aws/a", "Value": "v", "Type": "String"}"#, "AccessDeniedException"),
        ("AmazonSSM.PutParameter", #"{"Name": "a/b", "Value": "v", "Type": "String"}"#, "ValidationException"),
        (
            "AmazonSSM.PutParameter",
            #"{"Name": "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16", "Value": "v", "Type": "String"}"#,
            "HierarchyLevelLimitExceededException"
        ),
        ("AmazonSSM.StartSession", "{}", "UnknownOperationException"),
        ("secretsmanager.GetSecretValue", #"{"SecretId": "none"}"#, "ResourceNotFoundException"),
        ("secretsmanager.GetSecretValue", "{}", "ValidationException"),
        (
            "secretsmanager.PutSecretValue", #"{"SecretId": "none", "SecretString": "x"}"#,
            "ResourceNotFoundException"
        ),
        ("secretsmanager.PutSecretValue", #"{"SecretId": "STRIPE_KEY"}"#, "InvalidParameterException"),
        ("secretsmanager.CreateSecret", #"{"Name": "STRIPE_KEY", "SecretString": "x"}"#, "ResourceExistsException"),
        ("secretsmanager.CreateSecret", #"{"Name": "a b"}"#, "ValidationException"),
        (
            "secretsmanager.CreateSecret", #"{"Name": "a", "SecretString": "x", "SecretBinary": "eA=="}"#,
            "InvalidParameterException"
        ),
        (
            "secretsmanager.CreateSecret", #"{"Name": "a", "SecretString": "x", "ClientRequestToken": "short"}"#,
            "InvalidParameterException"
        ),
        ("secretsmanager.ListSecrets", #"{"MaxResults": 0}"#, "ValidationException"),
        ("secretsmanager.DeleteSecret", #"{"SecretId": "none"}"#, "ResourceNotFoundException"),
        ("secretsmanager.RotateSecret", #"{"SecretId": "a"}"#, "UnknownOperationException"),
    ]

    @Test("what cannot be is refused as AWS words it")
    func refusals() throws {
        let client = Client(server: try Self.server())
        for (target, body, type) in Self.refused {
            let answer = try client.call(target, body)
            #expect(answer.status == 400 && answer.type == type, "\(target) \(body): \(answer)")
        }
    }

    @Test("values have their lengths")
    func lengths() throws {
        let client = Client(server: try Self.server())
        func put(_ count: Int, _ tier: String) throws -> Answer {
            let value = String(repeating: "v", count: count)
            return try client.ssm(
                "PutParameter",
                "{\"Name\": \"n\(count)\", \"Value\": \"\(value)\", \"Type\": \"String\", \"Tier\": \"\(tier)\"}")
        }
        #expect(try put(4_096, "Standard").status == 200)
        #expect(try put(4_097, "Standard").message.hasPrefix("Standard tier parameters support a maximum"))
        #expect(try put(8_192, "Advanced").status == 200)
        #expect(try put(8_193, "Advanced").type == "ValidationException")
        func create(_ count: Int) throws -> Answer {
            let value = String(repeating: "v", count: count)
            return try client.secret("CreateSecret", "{\"Name\": \"s\(count)\", \"SecretString\": \"\(value)\"}")
        }
        #expect(try create(65_536).status == 200)
        #expect(try create(65_537).type == "ValidationException")
        let long = String(repeating: " ", count: (256 << 10) + 1)
        #expect(try client.secret("ListSecrets", "{}" + long).status == 413)
    }

    @Test("secrets have versions, labels and names of their own, and stay over a restart")
    func secrets() throws {
        let folder = TemporaryFolder()
        let client = Client(server: try Self.server(in: folder))
        let given = try client.secret("GetSecretValue", #"{"SecretId": "STRIPE_KEY"}"#)
        #expect(
            given.json["SecretString"] as? String == "sk_file"
                && given.json["VersionStages"] as? [String] == ["AWSCURRENT"])
        let made = try client.secret(
            "CreateSecret", #"{"Name": "app/db", "SecretString": "{\"user\":\"a\"}", "Description": "of the app"}"#)
        let arn = try #require(made.json["ARN"] as? String)
        let first = try #require(made.json["VersionId"] as? String)
        #expect(arn.hasPrefix("arn:aws:secretsmanager:us-east-1:123456789012:secret:app/db-"))
        #expect(
            try client.secret("CreateSecret", #"{"Name": "app/db", "SecretString": "x"}"#).type
                == "ResourceExistsException")
        let token = "11111111-2222-3333-4444-555555555555"
        for _ in 0..<2 {
            let put = try client.secret(
                "PutSecretValue",
                "{\"SecretId\": \"\(arn)\", \"SecretString\": \"second\", \"ClientRequestToken\": \"\(token)\"}")
            #expect(put.status == 200 && put.json["VersionId"] as? String == token)
        }
        let other = try client.secret(
            "PutSecretValue",
            "{\"SecretId\": \"app/db\", \"SecretString\": \"third\", \"ClientRequestToken\": \"\(token)\"}")
        #expect(other.type == "ResourceExistsException")
        client.server.signal(SIGTERM)
        #expect(client.server.exitStatus() == ExitCode.success.rawValue)
        let again = Client(server: try HomeportProcess(in: folder))
        let rows: [(String, String)] = [
            ("\"SecretId\": \"app/db\"", "second"), ("\"SecretId\": \"\(arn)\"", "second"),
            ("\"SecretId\": \"\(arn.dropLast(7))\"", "second"),
            ("\"SecretId\": \"app/db\", \"VersionStage\": \"AWSPREVIOUS\"", #"{"user":"a"}"#),
            ("\"SecretId\": \"app/db\", \"VersionId\": \"\(first)\"", #"{"user":"a"}"#),
        ]
        for (members, value) in rows {
            let answer = try again.secret("GetSecretValue", "{\(members)}")
            #expect(answer.json["SecretString"] as? String == value, "\(members): \(answer)")
        }
        let missing = try again.secret("GetSecretValue", #"{"SecretId": "app/db", "VersionStage": "X"}"#)
        #expect(missing.message == "Secrets Manager can't find the specified secret value for staging label: X")
        #expect(
            try again.secret("GetSecretValue", "{\"SecretId\": \"\(arn.dropLast())x\"}").type
                == "ResourceNotFoundException")
        let described = try again.secret("DescribeSecret", #"{"SecretId": "app/db"}"#)
        #expect(described.json["Description"] as? String == "of the app" && described.json["SecretString"] == nil)
        let stages = described.json["VersionIdsToStages"] as? [String: [String]]
        #expect(stages == [first: ["AWSPREVIOUS"], token: ["AWSCURRENT"]])
        // A secret of the file becomes one that was put.
        _ = try again.secret("PutSecretValue", #"{"SecretId": "STRIPE_KEY", "SecretBinary": "eA=="}"#)
        let binary = try again.secret("GetSecretValue", #"{"SecretId": "STRIPE_KEY"}"#)
        #expect(binary.json["SecretBinary"] as? String == "eA==" && binary.json["SecretString"] == nil)
        let page = try again.secret("ListSecrets", #"{"MaxResults": 2}"#)
        let names = { (answer: Answer) in
            (answer.json["SecretList"] as? [[String: Any]] ?? []).compactMap { $0["Name"] as? String }
        }
        #expect(names(page) == ["/app/db/url", "QUOTED"])
        let next = try #require(page.json["NextToken"] as? String)
        #expect(names(try again.secret("ListSecrets", "{\"NextToken\": \"\(next)\"}")) == ["STRIPE_KEY", "app/db"])
    }

    @Test("nobody gets anything without an administrator's signature for that service")
    func signatures() throws {
        let client = Client(server: try Self.server())
        let get = "AmazonSSM.GetParameter"
        let body = #"{"Name": "STRIPE_KEY", "WithDecryption": true}"#
        #expect(try client.call(get, body).status == 200)
        let changes: [(inout SignedCall) -> Void] = [
            { $0.secret = "other" }, { $0.accessKeyID = "nobody" }, { $0.service = "secretsmanager" },
            { $0.service = "cognito-idp" }, { $0.isSigned = false }, { $0.date = "20200101T000000Z" },
            { $0.signed = ["content-type", "host", "x-amz-date"] },
        ]
        for (number, change) in changes.enumerated() {
            let answer = try client.call(get, body, change: change)
            #expect(answer.status == 400 && answer.parameter.isEmpty && answer.type != nil, "\(number): \(answer)")
        }
        let sent: [(inout SignedCall) -> Void] = [
            { $0.body = #"{"Name": "QUOTED", "WithDecryption": true}"# }, { $0.target = "AmazonSSM.DeleteParameter" },
            { $0.host = "localhost" },
        ]
        for (number, change) in sent.enumerated() {
            let answer = try client.call(get, body, sent: change)
            #expect(answer.status >= 400 && answer.parameter.isEmpty, "\(number): \(answer)")
        }
        let raw = try RawClient(port: client.server.port)
        try raw.send("GET / HTTP/1.1\r\nHost: localhost\r\nx-amz-target: AmazonSSM.GetParameter\r\n\r\n")
        #expect(try raw.readAnswer().head.hasPrefix("HTTP/1.1 405 "))
    }

    @Test("a server that keeps nothing keeps none of them")
    func memory() throws {
        let folder = TemporaryFolder()
        let client = Client(server: try HomeportProcess(["--database", ":memory:"], in: folder))
        #expect(try client.ssm("PutParameter", #"{"Name": "a", "Value": "v", "Type": "String"}"#).status == 200)
        #expect(try client.ssm("GetParameter", #"{"Name": "a"}"#).parameter["Value"] as? String == "v")
        #expect(!FileManager.default.fileExists(atPath: folder.file(".homeport/parameters.json")))
    }
}
