import Blueprint
import JSON

extension Version1Function {
    /// What the templates of a Gen 1 project give the role of a function: the policies in its own, and `custom-policies.json`.
    static func grants(
        _ template: StackTemplate, isThere: Bool, function: JSONValue, custom: JSONValue
    ) -> FunctionGrants {
        var grants = FunctionGrants()
        guard isThere else {
            grants.add(unread: "its template, which is not there as JSON")
            return grants
        }
        for (name, policy) in template.resources("AWS::IAM::Policy") + template.resources("AWS::IAM::ManagedPolicy") {
            grants.add(statements(policy["PolicyDocument"], template, name))
        }
        let roles = template.resources("AWS::IAM::Role")
        for (name, role) in roles { grants.add(self.role(role, template, name)) }
        // `{"Fn::GetAtt": ["LambdaExecutionRole", "Arn"]}`
        if case .deployed(let origin) = template.value(function["Role"]),
            !roles.contains(where: { "\($0.name).Arn" == origin })
        {
            grants.add(unread: "the role \(origin), which is made elsewhere")
        }
        for entry in custom.array ?? [] {
            grants.add(statements(["Statement": [withPlaces(entry)]], template, "custom-policies.json"))
        }
        return grants
    }

    /// The policies inside a role.
    static func role(_ role: JSONValue, _ template: StackTemplate, _ name: String) -> FunctionGrants {
        var grants = FunctionGrants()
        for policy in role["Policies"]?.array ?? [] {
            grants.add(statements(policy["PolicyDocument"], template, name))
        }
        for managed in role["ManagedPolicyArns"]?.array ?? [] {
            guard let arn = template.text(managed) else {
                grants.add(unread: "a managed policy of \(name)")
                continue
            }
            grants.add(managed: arn)
        }
        return grants
    }

    /// What a policy says.
    static func statements(
        _ document: JSONValue?, _ template: StackTemplate, _ name: String
    ) -> FunctionGrants {
        var grants = FunctionGrants()
        let written = document?["Statement"]
        for statement in written?.array ?? [written ?? .null] {
            guard let statement = self.statement(statement, template) else {
                grants.add(unread: "a statement of \(name)")
                continue
            }
            grants.add(statement)
        }
        return grants
    }

    private static func statement(_ written: JSONValue, _ template: StackTemplate) -> FunctionGrants.Statement? {
        func given(_ name: String) -> JSONValue? {
            guard let value = written[name], !value.isNull else { return nil }
            return value
        }
        let (actions, others) = (given("Action"), given("NotAction"))
        guard actions != nil || others != nil else { return nil }
        var statement = FunctionGrants.Statement()
        statement.isAllowing = written["Effect"].map { template.text($0) == "Allow" } ?? true
        statement.isForOtherActions = actions == nil
        for action in elements(actions ?? others ?? .null) {
            if let text = template.text(action) {
                statement.actions.append(text)
            } else {
                statement.hasUnreadActions = true
            }
        }
        let (resources, otherResources) = (given("Resource"), given("NotResource"))
        statement.isForOtherResources = resources == nil && otherResources != nil
        // A member that is null gives nothing.
        for resource in elements(resources ?? otherResources ?? written["Resource"] ?? written["NotResource"] ?? "*") {
            let value = template.value(resource)
            if value == .missing { statement.hasUnreadResources = true } else { statement.resources.append(value) }
        }
        statement.isConditional = written["Condition"].map { $0.object?.isEmpty == false } ?? false
        return statement
    }

    private static func elements(_ value: JSONValue) -> [JSONValue] { value.array ?? [value] }

    /// What stands in `custom-policies.json` for what is known only when it is deployed: `${env}`.
    private static func withPlaces(_ entry: JSONValue) -> JSONValue {
        guard var object = entry.object else { return entry }
        for name in ["Resource", "NotResource"] {
            guard let value = object[name] else { continue }
            let substituted = elements(value).map { element -> JSONValue in
                guard let text = element.string, text.contains(bytesOf: "${") else { return element }
                return ["Fn::Sub": .string(text)]
            }
            object.set(name, to: .array(substituted))
        }
        return .object(object)
    }
}
