import Blueprint
import JSON

/// A function of a Gen 1 project, as the files of `amplify/backend/function/NAME` say it.
package struct Version1Function: Sendable, Equatable {
    /// The name of its folder.
    package let name: String
    /// What it is called when it is deployed, without the name of the environment behind it.
    package let deployedName: String
    /// As Lambda writes it: `index.handler`.
    package let handler: String
    /// As Lambda writes it: `nodejs22.x`.
    package let runtime: String
    package let timeoutSeconds: Int
    package let memoryMegabytes: Int
    package let environment: [FunctionVariable]
    package let schedules: [FunctionSchedule]
    /// The folders of its layers, beside its own.
    package let layers: [String]
    /// The tables of whose changes it is told.
    package let tables: [TableEvents]
    /// What its role is given.
    package var grants: FunctionGrants
    /// The modules of Amplify's own that it consists of (`MODULES`).
    package let modules: [String]

    private static let usualHandler = "index.handler"
    private static let usualRuntime = "nodejs"
    /// What holds in Lambda where a template says nothing.
    private static let usualSeconds = 3
    private static let usualMegabytes = 128
    private static let neverExpression = "NONE"

    /// - Parameters:
    ///   - template: `NAME-cloudformation-template.json`.
    ///   - parameters: `parameters.json`, with what `team-provider-info.json` says over it.
    ///   - settings: `function-parameters.json`.
    ///   - policies: `custom-policies.json`.
    ///   - environment: what Amplify puts behind the names of what it makes.
    package init(
        name: String, template: JSONValue, parameters: JSONObject, settings: JSONValue, policies: JSONValue = .null,
        environment: String
    ) {
        let isThere = !template.isNull
        let template = StackTemplate(template, parameters: parameters, environment: environment)
        let function = template.resources("AWS::Lambda::Function").first?.properties ?? .null
        self.name = name
        let suffix = "-\(environment)"
        let deployed = template.text(function["FunctionName"]) ?? name
        deployedName =
            deployed.hasSuffix(suffix) && deployed != suffix ? String(deployed.dropLast(suffix.count)) : deployed
        handler = template.text(function["Handler"]) ?? Self.usualHandler
        runtime = template.text(function["Runtime"]) ?? Self.usualRuntime
        timeoutSeconds = template.integer(function["Timeout"]) ?? Self.usualSeconds
        memoryMegabytes = template.integer(function["MemorySize"]) ?? Self.usualMegabytes
        self.environment = (function["Environment"]?["Variables"]?.object?.members ?? []).map { variable in
            FunctionVariable(name: variable.key, value: template.value(variable.value))
        }
        grants = Self.grants(template, isThere: isThere, function: function, custom: policies)
        modules = (parameters["modules"]?.string ?? "").split(separator: ",").map(String.init)
        schedules = template.resources("AWS::Events::Rule").compactMap { _, rule in
            template.text(rule["ScheduleExpression"]).flatMap {
                $0 == Self.neverExpression ? nil : FunctionSchedule($0, isOfRule: true)
            }
        }
        layers = (settings["lambdaLayers"]?.array ?? []).compactMap { layer in
            layer["type"]?.string == "ProjectLayer" ? layer["resourceName"]?.string : nil
        }
        tables = template.resources("AWS::Lambda::EventSourceMapping").compactMap { _, source in
            guard case .deployed(let stream) = template.value(source["EventSourceArn"]),
                var events = Self.events(of: stream)
            else { return nil }
            events.batchSize = template.integer(source["BatchSize"])
            events.beginsWithOldest = template.text(source["StartingPosition"]) == "TRIM_HORIZON"
            let filters = source["FilterCriteria"]?["Filters"]?.array ?? []
            events.filters = filters.compactMap { template.text($0["Pattern"]) }
            events.hasUnreadFilters = events.filters.count < filters.count
            events.retryAttempts = template.integer(source["MaximumRetryAttempts"])
            events.bisects = source["BisectBatchOnFunctionError"]?.bool
            let answers = source["FunctionResponseTypes"]?.array ?? []
            events.reportsItemFailures = answers.contains { $0 == "ReportBatchItemFailures" }
            return events
        }
    }

    /// The events of a model's table (`TodoTable.tableStreamArn`), or of a table by the name of its resource (`storagelogStreamArn`).
    private static func events(of stream: String) -> TableEvents? {
        let (modelEnding, category, ending) = ("Table.tableStreamArn", "storage", "StreamArn")
        if stream.hasSuffix(modelEnding) { return TableEvents(String(stream.dropLast(modelEnding.count))) }
        guard stream.hasPrefix(category), stream.hasSuffix(ending) else { return nil }
        return TableEvents(String(stream.dropFirst(category.count).dropLast(ending.count)), isOwn: true)
    }
}
