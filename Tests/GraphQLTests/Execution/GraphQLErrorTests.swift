import GraphQL
import JSON
import Testing

@Suite("Errors in a response")
struct GraphQLErrorTests {
    private func text(_ error: GraphQLError) -> String {
        var buffer: [UInt8] = []
        error.write(to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    @Test("have the keys of a resolver's error in AppSync's order")
    func resolver() {
        let error = GraphQLError(
            "Not Authorized to access getEvent on type Query", type: "Unauthorized",
            at: ResponsePath([.name("getEvent")]),
            locations: [SourceLocation(line: 2, column: 3)])
        #expect(
            text(error)
                == "{\"path\":[\"getEvent\"],\"data\":null,\"errorType\":\"Unauthorized\",\"errorInfo\":null,\"locations\":[{\"line\":2,\"column\":3,\"sourceName\":null}],\"message\":\"Not Authorized to access getEvent on type Query\"}"
        )
    }

    @Test("have fewer keys when the engine makes them")
    func engine() {
        let path = ResponsePath([.name("syncEnquiries"), .name("items"), .index(0), .name("noBedrooms")])
        let message =
            "Cannot return null for non-nullable type: 'String' within parent 'Enquiry' (\(path))"
        #expect(
            text(GraphQLError(message, path: path))
                == "{\"path\":[\"syncEnquiries\",\"items\",0,\"noBedrooms\"],\"locations\":null,\"message\":\"Cannot return null for non-nullable type: 'String' within parent 'Enquiry' (/syncEnquiries/items[0]/noBedrooms)\"}"
        )
    }

    @Test("stand behind data when a request is refused")
    func refusal() {
        #expect(
            String(decoding: GraphQLError.refusal([GraphQLError("no \"way\"")]), as: UTF8.self)
                == "{\"data\":null,\"errors\":[{\"path\":null,\"locations\":null,\"message\":\"no \\\"way\\\"\"}]}")
    }
}
