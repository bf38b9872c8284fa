import Blueprint
import JSON

/// The resolvers that templates of CloudFormation attach to fields of an API, with their data sources: what Gen 1 projects keep in
/// `stacks/CustomResources.json` and beside it.
package struct StackResolvers: Sendable {
    /// A text of a template, or the name of the file that it is in.
    package enum Text: Sendable, Equatable {
        case written(String)
        case file(String)
    }

    /// One step: a resolver that stands alone, or a function of a pipeline.
    package struct Step: Sendable, Equatable {
        package let dataSource: String
        package let request: Text?
        package let response: Text?
        package let code: Text?
        /// How many invocations may go to its function as one; nil: what is usual.
        package let batchMax: Int?
    }

    /// What is attached to a field.
    package struct Attachment: Sendable, Equatable {
        package let typeName: String
        package let fieldName: String
        /// The resolver's own code.
        package let own: Step
        /// The functions of a pipeline; nil: it stands alone.
        package let functions: [Step]?
    }

    package private(set) var attachments: [Attachment] = []
    package private(set) var dataSources: [DataSourceResource] = []

    private static let countMax = 1_000

    /// - Parameter environment: what Amplify puts behind the names of what it makes.
    package init(_ templates: [JSONValue], environment: String) {
        for template in templates { read(StackTemplate(template, parameters: JSONObject(), environment: environment)) }
    }

    private mutating func read(_ template: StackTemplate) {
        let declared = template.resources("AWS::AppSync::DataSource")
        for (logical, properties) in declared.prefix(Self.countMax) {
            let name = template.text(properties["Name"]) ?? logical
            guard let kind = Self.kind(properties, template) else { continue }
            dataSources.removeAll { $0.name == name }
            let grants = Self.grants(ofRole: properties["ServiceRoleArn"], template)
            dataSources.append(DataSourceResource(name, kind, grants: grants))
        }
        let functions = template.resources("AWS::AppSync::FunctionConfiguration")
        func source(_ written: JSONValue?) -> String {
            if let text = template.text(written) { return text }
            // `{"Fn::GetAtt": ["EchoDataSource", "Name"]}`
            guard case .deployed(let origin) = template.value(written) else { return "" }
            let logical = origin.hasSuffix(".Name") ? String(origin.dropLast(".Name".utf8.count)) : origin
            let properties = declared.first { $0.name == logical }?.properties
            return properties.map { template.text($0["Name"]) ?? logical } ?? logical
        }
        func step(_ properties: JSONValue) -> Step {
            func text(_ name: String) -> Text? {
                if let written = template.text(properties[name]) { return .written(written) }
                let place = properties["\(name)S3Location"]
                let known = template.text(place) ?? Self.lastText(template.value(place))
                return known.map { .file($0.split(separator: "/").last.map(String.init) ?? $0) }
            }
            return Step(
                dataSource: source(properties["DataSourceName"]), request: text("RequestMappingTemplate"),
                response: text("ResponseMappingTemplate"), code: text("Code"),
                batchMax: (properties["MaxBatchSize"]?.integer).flatMap { Int(exactly: $0) })
        }
        for (_, properties) in template.resources("AWS::AppSync::Resolver").prefix(Self.countMax) {
            guard let type = template.text(properties["TypeName"]), let field = template.text(properties["FieldName"])
            else { continue }
            var steps: [Step]?
            if let list = properties["PipelineConfig"]?["Functions"]?.array {
                steps = list.compactMap { written in
                    guard case .deployed(let origin) = template.value(written),
                        let logical = origin.split(separator: ".").first.map(String.init),
                        let properties = functions.first(where: { $0.name == logical })?.properties
                    else { return nil }
                    return step(properties)
                }
            }
            attachments.append(Attachment(typeName: type, fieldName: field, own: step(properties), functions: steps))
        }
    }

    /// The rights of a data source's role: `{"Fn::GetAtt": ["Role", "Arn"]}`.
    private static func grants(ofRole written: JSONValue?, _ template: StackTemplate) -> FunctionGrants {
        var grants = FunctionGrants()
        guard let written, !written.isNull else { return grants }
        guard case .deployed(let origin) = template.value(written), origin.hasSuffix(".Arn"),
            let role = template.resources("AWS::IAM::Role").first(where: { "\($0.name).Arn" == origin })
        else {
            grants.add(unread: "its role, which is made elsewhere")
            return grants
        }
        grants.add(Version1Function.role(role.properties, template, role.name))
        for type in ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"] {
            for (name, policy) in template.resources(type) {
                let roles = policy["Roles"]?.array ?? []
                guard
                    roles.contains(where: { given in
                        if case .deployed(let given) = template.value(given) { given == role.name } else { false }
                    })
                else { continue }
                grants.add(Version1Function.statements(policy["PolicyDocument"], template, name))
            }
        }
        return grants
    }

    /// The end of a text whose beginning is known only when it is deployed.
    private static func lastText(_ value: FunctionVariable.Value) -> String? {
        switch value {
        case .text(let text): text
        case .joined(let parts): parts.last.flatMap(lastText)
        default: nil
        }
    }

    private static func kind(_ properties: JSONValue, _ template: StackTemplate) -> DataSourceResource.Kind? {
        switch template.text(properties["Type"]) {
        case "NONE": return DataSourceResource.Kind.none
        case "AMAZON_DYNAMODB":
            let value = template.value(properties["DynamoDBConfig"]?["TableName"])
            if case .text(let name) = value { return .table(TableResource(name)) }
            guard let model = model(value) else { return nil }
            return .model(model)
        case "AWS_LAMBDA":
            let arn = template.value(properties["LambdaConfig"]?["LambdaFunctionArn"])
            guard let text = lastText(arn), let name = text.split(separator: ":").last else { return nil }
            let ending = name.firstIndex(of: "-").map { String(name[..<$0]) }
            // The environment stands behind the name.
            return .function(ending ?? String(name))
        case "HTTP":
            let settings = properties["HttpConfig"]
            guard let endpoint = template.text(settings?["Endpoint"]) else { return nil }
            let signing = settings?["AuthorizationConfig"]?["AwsIamConfig"]
            return .http(
                endpoint: endpoint,
                signing: template.text(signing?["SigningServiceName"]).map {
                    DataSourceResource.Signing(
                        service: $0, region: template.text(signing?["SigningRegion"]) ?? "us-east-1")
                })
        case "AMAZON_EVENTBRIDGE":
            let bus = lastText(template.value(properties["EventBridgeConfig"]?["EventBusArn"])) ?? ""
            return .events(bus: bus.split(separator: "/").last.map(String.init) ?? "default")
        case "AMAZON_OPENSEARCH_SERVICE", "AMAZON_ELASTICSEARCH": return .search(endpoint: nil)
        case "RELATIONAL_DATABASE": return .database
        case "AMAZON_BEDROCK_RUNTIME": return .models
        default: return nil
        }
    }

    /// The model whose table a name stands for: `{"Ref": "TodoTable"}`, an import of `GetAtt:TodoTable:Name`, `Todo-API-ENV`.
    private static func model(_ value: FunctionVariable.Value) -> String? {
        switch value {
        case .deployed(let origin):
            let name = origin.split(separator: ".").first.map(String.init) ?? origin
            return name.hasSuffix("Table") ? String(name.dropLast("Table".utf8.count)) : nil
        case .joined(let parts):
            guard case .text(let text)? = parts.first, text.hasSuffix("-") else { return nil }
            return String(text.dropLast())
        default: return nil
        }
    }
}
