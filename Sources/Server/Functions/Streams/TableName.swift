import Access
import Items
import JSON

/// The name of a model's table, in AWS's form.
enum TableName {
    /// The parts of tables' names that mean the API and the environment.
    private static let ending = "\(apiID)-NONE"

    static let apiID = AuthorizerSettings(url: "").apiID

    static func of(_ model: String) -> String { "\(model)-\(ending)" }

    static func arn(of model: String, region: String) -> String {
        ARN("dynamodb", region: region, account: IAMPrincipal.exampleAccountID, "table/\(of(model))").description
    }

    /// A table has one stream, of which this is the moment when it began.
    static func streamARN(of model: String, region: String) -> String {
        "\(arn(of: model, region: region))/stream/\(ItemService.steadyLabel)"
    }
}
