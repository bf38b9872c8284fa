/// What to do about messages that only say what is wrong. The words of Amplify's transformer stay as they are.
enum Hints {
    /// The first entry whose words are all in a message gives its hint.
    private static let hints: [(words: [String], hint: String)] = [
        (["must also be annotated with @model"], "Add @model to the type, or remove the directive."),
        (["annotated with @model."], "Add @model to the type, or remove the directive."),
        (["within @model types"], "Add @model to the type, or remove the directive."),
        (["There can be only one type named"], "Rename one of them, or add to the other with extend type."),
        (["can only be used once at this location"], "Remove all but one."),
        (["can only be defined once"], "Rename one of them, or remove it."),
        (["\"AuthRule.allow\""], "Say whom the rule admits: allow: owner, groups, private, public or custom."),
        (["@auth rules on fields within", "operations"], "Remove operations from the rule."),
        (["groupsField and groups"], "Write two rules, one with groups and one with groupsField."),
        (["@auth directive with", "strategy only supports"], "Name one of those providers, or none."),
        (["can only be used for 'allow: owner'"], "Remove it, or write the rule with allow: owner."),
        (["cannot be used as an owner @auth field too"], "Name another field in ownerField of the rule."),
        (["operations are specified in addition to 'read'"], "Keep one of the two."),
        (
            ["may only be added to scalar or enum field types"],
            "Remove the directive: lists and objects have no default."
        ),
        (["is not a valid AWSDateTime."], "Times are written as 2020-01-31T12:30:00Z."),
        (["is not a valid AWSDate."], "Days are written as 2020-01-31."),
        (["is not a valid AWSTime."], "Times of day are written as 12:30:00Z."),
        (["is not a valid AWSTimestamp."], "Write the seconds since 1970, as in 1580472000."),
        (["is not a valid AWSEmail."], "Write an address such as somebody@example.com."),
        (["is not a valid AWSURL."], "Write it with its scheme, as in https://example.com/."),
        (["is not a valid AWSPhone."], "Write the digits with the country's code, as in +1 555 123 4567."),
        (["is not a valid AWSIPAddress."], "Write an address such as 192.0.2.1 or 2001:db8::1."),
        (["is not a valid AWSJSON."], "Write JSON in a string, as in \"{\\\"a\\\": 1}\"."),
        (["is not a valid Boolean."], "Write \"true\" or \"false\"."),
        (["is not a valid Int."], "Write a whole number in quotes, as in \"10\"."),
        (["is not a valid Float."], "Write a number in quotes, as in \"1.5\"."),
        (["requires a value property"], "Write @default(value: \"…\")."),
        (["cannot be a non-scalar"], "Keys are made of single values: scalars and enums."),
        (["must reference non-null fields"], "Mark the fields of the key as required, with !."),
        (["cannot reference itself"], "Remove the field from sortKeyFields."),
        (["The number of references provided"], "Name one field for each field of the key, in its order."),
        (["have inconsistent nullability"], "Require all of these fields, or none."),
        (["field is not of type"], "Give it the type of the field that it refers to."),
        (["must be used in exactly two locations"], "Put it on one list field of each of two models."),
        (["@manyToMany relation", "expects"], "The two fields must be lists of each other's models."),
        (["No fields passed"], "Remove fields, or name the fields that hold the key."),
        (["Explicit null value not allowed"], "Remove the argument, or give the index a name."),
        (["You may only supply one @index"], "Give one of them another name."),
        (["You may only supply one primary"], "Keep one of them, and make the other an index."),
        (["requires at least one action"], "Name actions, as in actions: [identifyText]."),
        (
            ["is not supported in this context!"],
            "Only texts can be translated, and only texts can be spoken: name identify… first, convertTextToSpeech last."
        ),
        (["@predictions directive only works under"], "Move the field to type Query."),
        (["Duplicate @validate directive"], "Keep one of them."),
        (["@validate directive cannot be used on list field"], "Remove the directive: lists are not validated."),
        (["can only be used with numeric fields"], "Use minLength, maxLength, startsWith, endsWith or matches."),
        (["can only be used with 'String' fields"], "Use gt, lt, gte or lte."),
        (["fields and references cannot be defined"], "Remove fields."),
    ]

    static func hint(for message: String) -> String? {
        // On bytes: messages can be long, and looking for text in text character by character takes its time.
        let bytes = Array(message.utf8)
        return hints.first { entry in entry.words.allSatisfy { contains(bytes, $0) } }?.hint
    }

    private static func contains(_ message: [UInt8], _ words: String) -> Bool {
        let wanted = Array(words.utf8)
        guard let first = wanted.first else { return true }
        var start = 0
        while start + wanted.count <= message.count {
            guard let found = message[start...].firstIndex(of: first), found + wanted.count <= message.count else {
                return false
            }
            if message[found..<found + wanted.count].elementsEqual(wanted) { return true }
            start = found + 1
        }
        return false
    }
}
