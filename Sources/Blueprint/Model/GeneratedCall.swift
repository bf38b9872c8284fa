/// The step that Amplify makes of one `@function`: a function of a pipeline, whose data source is the function of the app.
///
///     @function(name: "echo-${env}") ─▶ InvokeEchoLambdaDataSource.req.vtl    what the function is told
///                                       InvokeEchoLambdaDataSource.res.vtl    what comes of its answer
///     the field Query.echo           ─▶ Query.echo.req.vtl                    before all functions of the field
///                                       Query.echo.res.vtl                    behind them
package struct GeneratedCall {
    private let call: FunctionCall

    init(_ call: FunctionCall) { self.call = call }

    /// Amplify's name for its source of data.
    private var source: String {
        "\(Self.simplified(call.name))\(Self.simplified(call.region ?? ""))\(call.accountID ?? "")\(Self.sourceEnding)"
    }

    /// Amplify's name for the step.
    var name: String { Self.start + source }

    private static let start = "Invoke"
    private static let sourceEnding = "LambdaDataSource"

    /// Returns whether a file may be named like such a step.
    package static func isName(_ text: String) -> Bool { text.hasPrefix(start) && text.hasSuffix(sourceEnding) }

    /// `echo-fn-${env}` is `EchoFn`.
    private static func simplified(_ name: String) -> String {
        var words = [""]
        var isInVariable = false
        let letters = Array(name.unicodeScalars)
        for (place, letter) in letters.enumerated() {
            if isInVariable {
                isInVariable = letter != "}"
                continue
            }
            if letter == "$", place + 1 < letters.count, letters[place + 1] == "{" {
                isInVariable = true
                continue
            }
            let isDigit = ("0"..."9").contains(letter)
            let isLetter = ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) || letter == "_"
            let isFirst = words.count == 1 && words[0].isEmpty
            if isLetter || isDigit && !isFirst {
                words[words.count - 1].unicodeScalars.append(letter)
            } else {
                words.append("")
            }
        }
        return words.map { word in
            guard let first = word.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
                return word
            }
            return String(decoding: [first - 32] + word.utf8.dropFirst(), as: UTF8.self)
        }.joined()
    }

    // MARK: Steps

    /// The step as Amplify makes it.
    func step(of typeName: String, _ fieldName: String) -> CustomHandler {
        var handler = CustomHandler(
            typeName: typeName, fieldName: fieldName, dataSource: source, entry: name,
            code: .velocity(request: request, response: call.isEvent ? Self.eventResponse : Self.response))
        handler.directiveSource = .function(call.name)
        handler.isAmplifys = true
        return handler
    }

    /// The same with a file of the project in its place; a half that is missing there stays Amplify's.
    static func step(_ step: CustomHandler, with file: CustomHandler) -> CustomHandler {
        var code = file.code
        if case .velocity(let request, let response) = file.code,
            case .velocity(let ownRequest, let ownResponse) = step.code
        {
            code = .velocity(request: request ?? ownRequest, response: response ?? ownResponse)
        }
        var handler = CustomHandler(
            typeName: step.typeName, fieldName: step.fieldName, dataSource: step.dataSource, entry: file.entry,
            code: code)
        handler.directiveSource = step.directiveSource
        return handler
    }

    /// What stands around the steps of a field, with a file of the project in its place; a half that is missing there stays Amplify's.
    static func around(_ file: CustomHandler) -> CustomHandler {
        var handler = file.on(CustomHandler.noSource).being(.around)
        if case .velocity(let request, let response) = file.code {
            handler.code = .velocity(request: request ?? "{}", response: response ?? "$util.toJson($ctx.prev.result)")
        }
        return handler
    }

    private var request: String {
        """
        {
          "version": "2018-05-29",
          "operation": "Invoke",
          "payload": {
            "typeName": $util.toJson($ctx.stash.get("typeName")),
            "fieldName": $util.toJson($ctx.stash.get("fieldName")),
            "arguments": $util.toJson($ctx.arguments),
            "identity": $util.toJson($ctx.identity),
            "source": $util.toJson($ctx.source),
            "request": $util.toJson($ctx.request),
            "prev": $util.toJson($ctx.prev)
          },
          "invocationType": "\(call.isEvent ? "Event" : "RequestResponse")"
        }
        """
    }

    private static let response = """
        #if( $ctx.error )
          $util.error($ctx.error.message, $ctx.error.type)
        #end
        $util.toJson($ctx.result)
        """

    private static let eventResponse = """
        #set( $success = true )
        #if( $ctx.error )
          $util.qr($util.appendError($ctx.error.message, $ctx.error.type))
          #set( $success = false )
        #end
        { "success": $success }
        """
}
