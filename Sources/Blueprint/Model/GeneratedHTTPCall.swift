/// The step that Amplify makes of `@http`: a function of a pipeline, whose data source is the service that is called.
///
///     the field Query.thing ─▶ Query.thing.DataResolver.req.vtl    what the service is asked
///                              Query.thing.DataResolver.res.vtl    what comes of its answer
struct GeneratedHTTPCall {
    private let call: HTTPCall
    /// The arguments that the schema asks for, and that may stand in the query or in the body.
    private let required: [String]

    /// What the names of its files have behind the field's.
    static let mark = "DataResolver"

    init(_ call: HTTPCall, required: [String]) {
        self.call = call
        self.required = call.method.hasBody ? required : []
    }

    /// The step with a file of the project in its place; a half that is missing there stays Amplify's.
    func step(with file: CustomHandler) -> CustomHandler {
        var handler = file.on("\(call.origin)HttpDataSource").being(.function)
        handler.directiveSource = .http(call)
        if case .velocity(let ownRequest, let ownResponse) = file.code {
            handler.code = .velocity(request: ownRequest ?? request, response: ownResponse ?? response)
        }
        return handler
    }

    private var request: String {
        var lines = required.map { name in
            """
            #if( $util.isNull($ctx.args.body.\(name)) && $util.isNull($ctx.args.query.\(name)) )
              $util.error("An argument you marked as Non-Null is not present in the query nor the body of your request.")
            #end
            """
        }
        lines.append("#set( $headers = $util.http.copyHeaders($ctx.request.headers) )")
        var headers = [HTTPCall.Header(name: "accept-encoding", value: "application/json")]
        if call.method.hasBody { headers.append(HTTPCall.Header(name: "Content-Type", value: "application/json")) }
        lines += (headers + call.headers).map { "$util.qr($headers.put(\"\($0.name)\", \"\($0.value)\"))" }
        var parameters = ["\"headers\": $util.toJson($headers)"]
        func member(_ name: String) -> String {
            "\"\(name)\": $util.toJson($util.defaultIfNull($ctx.args.\(name), {}))"
        }
        if call.method != .delete { parameters.append(member("query")) }
        if call.method.hasBody { parameters.append(member("body")) }
        lines.append(
            """
            {
              "version": "2018-05-29",
              "method": "\(call.method.rawValue)",
              "resourcePath": "\(path)",
              "params": { \(parameters.joined(separator: ", ")) }
            }
            """)
        return lines.joined(separator: "\n")
    }

    /// The path with what the caller gives in the place of its parameters.
    private var path: String {
        // The longest first: one may begin with another.
        call.pathParameters.sorted { $0.utf8.count > $1.utf8.count }.reduce(call.path) { path, name in
            path.replacing(bytesOf: ":\(name)", with: "${ctx.args.params.\(name)}")
        }
    }

    private var response: String {
        let isGood = "$ctx.result.statusCode == 200" + (call.method.hasBody ? " || $ctx.result.statusCode == 201" : "")
        return """
            #if( $ctx.error )
              $util.error($ctx.error.message, $ctx.error.type)
            #end
            #if( \(isGood) )
              #if( $ctx.result.headers.get("Content-Type").toLowerCase().contains("xml") )
                $util.xml.toJsonString($ctx.result.body)
              #else
                $ctx.result.body
              #end
            #else
              $util.qr($util.appendError($ctx.result.body, "$ctx.result.statusCode"))
              null
            #end
            """
    }
}
