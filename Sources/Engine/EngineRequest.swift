import GraphQL
import JSON

/// What a client asks for: the members of a request's body that are known. Others are ignored, as AppSync does.
struct EngineRequest: Sendable {
    let variables: JSONObject
    let operationName: String?
    private let body: [UInt8]
    private let queryPlace: Range<Int>

    init(parsing body: [UInt8]) throws(RequestError) {
        guard !body.isEmpty else { throw .emptyBody }
        let members: JSONObject
        let place: Range<Int>?
        do throws(JSONError) {
            (members, place) = try JSONReader.members(of: body, leaving: "query")
        } catch {
            throw .unparsable
        }
        guard let place else { throw .unparsable }
        self.body = body
        queryPlace = place
        switch members["variables"] {
        case nil, .null?: variables = JSONObject()
        case .object(let object)?: variables = object
        default: throw .unparsable
        }
        switch members["operationName"] {
        case nil, .null?: operationName = nil
        case .string(let name)?: operationName = name
        default: throw .unparsable
        }
    }

    /// Hands the operation's text to the closure as it stands in the body: as a string of JSON, not yet checked.
    func withWrittenQuery<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        self.body.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[queryPlace])) }
    }

    /// The operation's text.
    var query: [UInt8] {
        get throws(RequestError) {
            do throws(JSONError) {
                return Array(try JSONReader.string(of: body, at: queryPlace).utf8)
            } catch {
                throw .unparsable
            }
        }
    }
}
