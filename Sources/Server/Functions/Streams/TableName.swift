import Access
import Items

/// What the table of a model is called where AWS's names are asked for.
enum TableName {
    /// What stands for the API and for the environment in the names of its tables.
    private static let ending = "\(apiID)-NONE"

    static let apiID = AuthorizerSettings(url: "").apiID

    static func of(_ model: String) -> String { "\(model)-\(ending)" }

    static func arn(of model: String, region: String) -> String {
        "arn:aws:dynamodb:\(region):\(IAMPrincipal.exampleAccountID):table/\(of(model))"
    }

    /// A table has one stream, of which this is the moment when it began.
    static func streamARN(of model: String, region: String) -> String {
        "\(arn(of: model, region: region))/stream/\(ItemService.steadyLabel)"
    }
}
