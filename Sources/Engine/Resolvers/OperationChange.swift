import JSON

/// What the app's own steps have made of an operation of a model before it runs.
struct OperationChange: Sendable {
    var arguments = JSONObject()
    /// The input that rights are asked of; nil: the one of the arguments.
    var checkedInput: JSONObject?
    /// Values of the record where the input has none: `stash.defaultValues`.
    var defaults = JSONObject()
    /// What the record must meet beside the caller's condition: `stash.conditions`.
    var conditions: [JSONValue] = []
    /// What records must meet to be shown: `stash.authFilter`.
    var filters: [JSONValue] = []
}
