import Blueprint
import Engine
import GraphQL
import JSON
import Testing

@testable import Realtime

/// An API to subscribe to.
enum TestAPI {
    static let source = """
        type Message @model @auth(rules: [{ allow: public }]) {
          id: ID! room: String text: String! level: Int score: Float isNew: Boolean mood: Mood tags: [String] must: [Int!]
          part: Part parts: [Part!]
        }
        enum Mood { GOOD BAD }
        type Part { name: String! size: Int }
        type Dog { name: String! bark: Int }
        type Cat { name: String! meow: Int }
        union Pet = Dog | Cat
        type Owner { pet: Pet pets: [Pet!]! }
        type Query { owner: Owner }
        type Mutation {
            adopt: Owner say(text: String): Message! count: Int moods: [Mood!] parts: [[Part]] meet: Pet walk: [Pet!]
          }
        type Subscription {
          onMessageInRoom(room: String, level: Int, tags: [String]): Message @aws_subscribe(mutations: ["createMessage"])
          onAny: Message @aws_subscribe(mutations: ["createMessage", "updateMessage"])
          onAdopt: Owner @aws_subscribe(mutations: ["adopt"])
          onSay: Message! @aws_subscribe(mutations: ["say"])
          onCount(level: Int): Int @aws_subscribe(mutations: ["count"])
          onMoods: [Mood!] @aws_subscribe(mutations: ["moods"])
          onParts: [[Part]] @aws_subscribe(mutations: ["parts"])
          onMeet: Pet @aws_subscribe(mutations: ["meet"])
          onWalk: [Pet!] @aws_subscribe(mutations: ["walk"])
          onNothing: Message
        }
        """

    static let schema: Schema = {
        let reading = SDLReader.read(source)
        guard let blueprint = reading.blueprint else { fatalError("\(reading.diagnostics)") }
        do {
            return try Schema(APISchema.generate(from: blueprint).schema.documentWithRoots)
        } catch {
            fatalError("\(error)")
        }
    }()

    static func prepared(
        _ query: String, _ variables: String = "{}", operation: String? = nil, limits: RealtimeLimits = RealtimeLimits()
    ) throws -> PreparedSubscription {
        var documents = SubscriptionDocuments(schema: schema, limits: limits)
        let values = try JSONReader.value(of: variables).object ?? JSONObject()
        let request = OperationRequest(query: query, operationName: operation, variables: values)
        let (definition, document, _) = try #require(try documents.operation(of: request))
        return try PreparedSubscription(definition, of: document, values, limits: limits)
    }

    static func event(_ mutation: String, _ value: String, type: String = "Message", sequence: UInt64 = 0)
        -> MutationEvent
    {
        do {
            return MutationEvent(
                mutationField: mutation, typeName: type, value: try JSONReader.value(of: value), sequence: sequence)
        } catch {
            fatalError("\(error)")
        }
    }
}
