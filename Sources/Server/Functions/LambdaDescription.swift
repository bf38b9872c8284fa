import Access
import Cloud
import Functions
import JSON

/// The descriptions of functions in Lambda's API, from the project. Their variables are not in it: some are secrets.
struct LambdaDescription: Sendable {
    let functions: RunningFunctions?
    let region: String

    private static let listMax = 50
    static let listUpper: Int64 = 10_000

    /// Of one that is elsewhere, nothing but its name is known.
    func configuration(of name: String) -> JSONObject {
        let settings = functions?.settings.first { ByteText($0.name) == ByteText(name) }
        return Self.configuration(settings ?? FunctionSettings(name: name, .words([])), region)
    }

    /// A page of the functions that run here, by their names.
    func list(marker: String?, max: Int64?) -> JSONObject {
        let count = Swift.min(max.map { Int(clamping: $0) } ?? Self.listMax, Self.listMax)
        let after = marker.map { ByteText($0) }
        let all = (functions?.settings ?? []).filter { settings in after.map { $0 < ByteText(settings.name) } ?? true }
            .sorted { ByteText($0.name) < ByteText($1.name) }
        let page = all.prefix(count)
        var answer = JSONObject([
            ("Functions", .array(page.map { .object(Self.configuration($0, region)) })), ("NextMarker", .null),
        ])
        if all.count > page.count, let last = page.last { answer.set("NextMarker", to: .string(last.name)) }
        return answer
    }

    private static func configuration(_ settings: FunctionSettings, _ region: String) -> JSONObject {
        let account = IAMPrincipal.exampleAccountID
        var members: [(String, JSONValue)] = [
            ("FunctionName", .string(settings.name)),
            (
                "FunctionArn",
                .string(ARN("lambda", region: region, account: account, "function:\(settings.name)").description)
            ),
            ("Role", .string(ARN("iam", region: "", account: account, "role/\(settings.name)").description)),
            ("Handler", .string(settings.handler)), ("CodeSize", 0), ("Description", ""),
            ("Timeout", .integer(Int64(settings.timeoutSeconds))),
            ("MemorySize", .integer(Int64(settings.memoryMegabytes))),
            ("LastModified", "1970-01-01T00:00:00.000+0000"), ("CodeSha256", ""), ("Version", "$LATEST"),
            ("TracingConfig", ["Mode": "PassThrough"]), ("State", "Active"), ("LastUpdateStatus", "Successful"),
            ("PackageType", "Zip"), ("Architectures", ["x86_64"]), ("EphemeralStorage", ["Size": 512]),
        ]
        members.insert(("Runtime", .string(runtime(of: settings))), at: 2)
        return JSONObject(members)
    }

    /// Whatever is here to run it: Lambda knows by no other names what loads a handler.
    private static func runtime(of settings: FunctionSettings) -> String {
        guard case .handler(let place) = settings.program else { return "provided.al2023" }
        return switch place.language {
        case .node: "nodejs22.x"
        case .python: "python3.13"
        }
    }
}
