import TestSupport
import Testing

/// The schemas of Amplify's guide to relationships, served by the real program from TypeScript, with the changes that the
/// guide describes: create, read from either side, assign to another record, take away, delete.
@Suite("Relationships of Gen 2")
struct RelationshipTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The entries of the schema.
        let models: String
        /// Operations in their order, with what each answers.
        let steps: [(operation: String, answer: String)]
        var testDescription: String { name }
    }

    static let cases = [
        oneToMany, oneToOne, manyToMany, twoRelations, compositeKey, requiredAndOptional,
    ]

    @Test("a relationship is made, read from both sides, changed and taken away", arguments: cases)
    func relationship(_ testCase: Case) throws {
        let folder = TemporaryFolder()
        try folder.write(
            """
            import { type ClientSchema, a, defineData } from '@aws-amplify/backend';

            const schema = a
              .schema({
            \(testCase.models)
              })
              .authorization((allow) => allow.publicApiKey());

            export type Schema = ClientSchema<typeof schema>;
            export const data = defineData({
              schema,
              authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: { expiresInDays: 30 } },
            });
            """, to: "amplify/data/resource.ts")
        let server = try HomeportProcess(["--database", ":memory:"], in: folder)
        let client = try OperationClient(port: server.port)
        for step in testCase.steps {
            #expect(try client.answer(to: step.operation) == step.answer, "\(step.operation)")
        }
    }

    static let oneToMany = Case(
        name: "one to many",
        models: """
                Member: a.model({
                  name: a.string().required(),
                  teamId: a.id(),
                  team: a.belongsTo('Team', 'teamId'),
                }),
                Team: a.model({
                  mantra: a.string().required(),
                  members: a.hasMany('Member', 'teamId'),
                }),
            """,
        steps: [
            (
                #"mutation { one: createTeam(input: {id: "t1", mantra: "Go"}) { mantra } two: createTeam(input: {id: "t2", mantra: "Stay"}) { members { items { id } } } }"#,
                #"{"data":{"one":{"mantra":"Go"},"two":{"members":{"items":[]}}}}"#
            ),
            (
                #"mutation { one: createMember(input: {id: "m1", name: "Tim", teamId: "t1"}) { teamId team { mantra members { items { name } } } } two: createMember(input: {id: "m2", name: "Ann"}) { teamId team { id } } }"#,
                #"{"data":{"one":{"teamId":"t1","team":{"mantra":"Go","members":{"items":[{"name":"Tim"}]}}},"two":{"teamId":null,"team":null}}}"#
            ),
            (
                #"{ getTeam(id: "t1") { members { items { id team { id } } nextToken } } getMember(id: "m1") { team { id mantra } } }"#,
                #"{"data":{"getTeam":{"members":{"items":[{"id":"m1","team":{"id":"t1"}}],"nextToken":null}},"getMember":{"team":{"id":"t1","mantra":"Go"}}}}"#
            ),
            (
                #"mutation { updateMember(input: {id: "m1", teamId: "t2"}) { team { id } } }"#,
                #"{"data":{"updateMember":{"team":{"id":"t2"}}}}"#
            ),
            (
                #"{ listTeams { items { id members { items { id } } } } }"#,
                #"{"data":{"listTeams":{"items":[{"id":"t1","members":{"items":[]}},{"id":"t2","members":{"items":[{"id":"m1"}]}}]}}}"#
            ),
            (
                #"mutation { updateMember(input: {id: "m1", teamId: null}) { teamId team { id } } }"#,
                #"{"data":{"updateMember":{"teamId":null,"team":null}}}"#
            ),
            (
                #"{ getTeam(id: "t2") { members { items { id } } } listMembers(filter: {teamId: {attributeExists: false}}) { items { id } } }"#,
                #"{"data":{"getTeam":{"members":{"items":[]}},"listMembers":{"items":[{"id":"m1"},{"id":"m2"}]}}}"#
            ),
            (
                #"mutation { updateMember(input: {id: "m2", teamId: "t1"}) { id } deleteTeam(input: {id: "t1"}) { mantra members { items { id } } } }"#,
                #"{"data":{"updateMember":{"id":"m2"},"deleteTeam":{"mantra":"Go","members":{"items":[{"id":"m2"}]}}}}"#
            ),
            (
                #"{ getTeam(id: "t1") { id } getMember(id: "m2") { teamId team { id } } }"#,
                #"{"data":{"getTeam":null,"getMember":{"teamId":"t1","team":null}}}"#
            ),
            (
                #"mutation { deleteMember(input: {id: "m2"}) { name } }"#, #"{"data":{"deleteMember":{"name":"Ann"}}}"#
            ),
        ])

    static let oneToOne = Case(
        name: "one to one",
        models: """
                Cart: a.model({
                  items: a.string().required().array(),
                  customerId: a.id(),
                  customer: a.belongsTo('Customer', 'customerId'),
                }),
                Customer: a.model({
                  name: a.string(),
                  activeCart: a.hasOne('Cart', 'customerId'),
                }),
            """,
        steps: [
            (
                #"mutation { one: createCustomer(input: {id: "c1", name: "Rene"}) { activeCart { id } } two: createCustomer(input: {id: "c2"}) { name } createCart(input: {id: "k1", items: ["Tomato", "Ice"], customerId: "c1"}) { items customer { name } } }"#,
                #"{"data":{"one":{"activeCart":null},"two":{"name":null},"createCart":{"items":["Tomato","Ice"],"customer":{"name":"Rene"}}}}"#
            ),
            (
                #"{ getCustomer(id: "c1") { activeCart { id items } } getCart(id: "k1") { customer { id activeCart { id } } } }"#,
                #"{"data":{"getCustomer":{"activeCart":{"id":"k1","items":["Tomato","Ice"]}},"getCart":{"customer":{"id":"c1","activeCart":{"id":"k1"}}}}}"#
            ),
            (
                #"mutation { updateCart(input: {id: "k1", customerId: "c2"}) { customer { id } } }"#,
                #"{"data":{"updateCart":{"customer":{"id":"c2"}}}}"#
            ),
            (
                #"{ listCustomers { items { id activeCart { id } } } }"#,
                #"{"data":{"listCustomers":{"items":[{"id":"c1","activeCart":null},{"id":"c2","activeCart":{"id":"k1"}}]}}}"#
            ),
            (
                #"mutation { updateCart(input: {id: "k1", customerId: null}) { customerId customer { id } } }"#,
                #"{"data":{"updateCart":{"customerId":null,"customer":null}}}"#
            ),
            (
                #"{ getCustomer(id: "c2") { activeCart { id } } getCart(id: "k1") { items } }"#,
                #"{"data":{"getCustomer":{"activeCart":null},"getCart":{"items":["Tomato","Ice"]}}}"#
            ),
            (
                #"mutation { updateCart(input: {id: "k1", customerId: "c1"}) { id } deleteCart(input: {id: "k1"}) { customer { id } } }"#,
                #"{"data":{"updateCart":{"id":"k1"},"deleteCart":{"customer":{"id":"c1"}}}}"#
            ),
            (
                #"{ getCustomer(id: "c1") { activeCart { id } } getCart(id: "k1") { id } }"#,
                #"{"data":{"getCustomer":{"activeCart":null},"getCart":null}}"#
            ),
        ])

    static let manyToMany = Case(
        name: "many to many through a join model",
        models: """
                PostTag: a.model({
                  // 1. Two reference fields, one for each side.
                  postId: a.id().required(),
                  tagId: a.id().required(),
                  post: a.belongsTo('Post', 'postId'),
                  tag: a.belongsTo('Tag', 'tagId'),
                }),
                Post: a.model({ title: a.string(), content: a.string(), tags: a.hasMany('PostTag', 'postId') }),
                Tag: a.model({ name: a.string(), posts: a.hasMany('PostTag', 'tagId') }),
            """,
        steps: [
            (
                #"mutation { createPost(input: {id: "p1", title: "P"}) { id } other: createPost(input: {id: "p2"}) { id } createTag(input: {id: "a", name: "A"}) { id } second: createTag(input: {id: "b", name: "B"}) { id } }"#,
                #"{"data":{"createPost":{"id":"p1"},"other":{"id":"p2"},"createTag":{"id":"a"},"second":{"id":"b"}}}"#
            ),
            (
                #"mutation { one: createPostTag(input: {id: "x", postId: "p1", tagId: "a"}) { post { title } tag { name } } two: createPostTag(input: {id: "y", postId: "p1", tagId: "b"}) { id } three: createPostTag(input: {id: "z", postId: "p2", tagId: "a"}) { id } }"#,
                #"{"data":{"one":{"post":{"title":"P"},"tag":{"name":"A"}},"two":{"id":"y"},"three":{"id":"z"}}}"#
            ),
            (
                #"{ getPost(id: "p1") { tags { items { tag { name } } } } getTag(id: "a") { posts { items { post { id } } } } }"#,
                #"{"data":{"getPost":{"tags":{"items":[{"tag":{"name":"A"}},{"tag":{"name":"B"}}]}},"getTag":{"posts":{"items":[{"post":{"id":"p1"}},{"post":{"id":"p2"}}]}}}}"#
            ),
            (
                #"mutation { updatePostTag(input: {id: "z", tagId: "b"}) { tag { name } } deletePostTag(input: {id: "x"}) { postId tagId } }"#,
                #"{"data":{"updatePostTag":{"tag":{"name":"B"}},"deletePostTag":{"postId":"p1","tagId":"a"}}}"#
            ),
            (
                #"{ a: getTag(id: "a") { posts { items { id } } } b: getTag(id: "b") { posts { items { post { id } } } } }"#,
                #"{"data":{"a":{"posts":{"items":[]}},"b":{"posts":{"items":[{"post":{"id":"p1"}},{"post":{"id":"p2"}}]}}}}"#
            ),
            (
                #"mutation { deleteTag(input: {id: "b"}) { name } }"#, #"{"data":{"deleteTag":{"name":"B"}}}"#
            ),
            (
                #"{ getPost(id: "p1") { tags { items { id tagId tag { id } } } } }"#,
                #"{"data":{"getPost":{"tags":{"items":[{"id":"y","tagId":"b","tag":null}]}}}}"#
            ),
        ])

    static let twoRelations = Case(
        name: "two relations to the same model",
        models: """
                Post: a.model({
                  title: a.string().required(),
                  content: a.string().required(),
                  authorId: a.id(),
                  author: a.belongsTo('Person', 'authorId'),
                  editorId: a.id(),
                  editor: a.belongsTo('Person', 'editorId'),
                }),
                Person: a.model({
                  name: a.string(),
                  editedPosts: a.hasMany('Post', 'editorId'),
                  authoredPosts: a.hasMany('Post', 'authorId'),
                }),
            """,
        steps: [
            (
                #"mutation { one: createPerson(input: {id: "ann", name: "Ann"}) { id } two: createPerson(input: {id: "bob", name: "Bob"}) { id } createPost(input: {id: "p", title: "T", content: "C", authorId: "ann", editorId: "bob"}) { author { name } editor { name } } }"#,
                #"{"data":{"one":{"id":"ann"},"two":{"id":"bob"},"createPost":{"author":{"name":"Ann"},"editor":{"name":"Bob"}}}}"#
            ),
            (
                #"{ getPerson(id: "ann") { authoredPosts { items { id } } editedPosts { items { id } } } }"#,
                #"{"data":{"getPerson":{"authoredPosts":{"items":[{"id":"p"}]},"editedPosts":{"items":[]}}}}"#
            ),
            (
                #"mutation { updatePost(input: {id: "p", editorId: "ann"}) { author { id } editor { id } } }"#,
                #"{"data":{"updatePost":{"author":{"id":"ann"},"editor":{"id":"ann"}}}}"#
            ),
            (
                #"{ listPeople { items { id authoredPosts { items { id } } editedPosts { items { id } } } } }"#,
                #"{"data":{"listPeople":{"items":[{"id":"ann","authoredPosts":{"items":[{"id":"p"}]},"editedPosts":{"items":[{"id":"p"}]}},{"id":"bob","authoredPosts":{"items":[]},"editedPosts":{"items":[]}}]}}}"#
            ),
            (
                #"mutation { updatePost(input: {id: "p", authorId: null}) { author { id } editor { id } } }"#,
                #"{"data":{"updatePost":{"author":null,"editor":{"id":"ann"}}}}"#
            ),
            (
                #"mutation { deletePerson(input: {id: "ann"}) { name } }"#,
                #"{"data":{"deletePerson":{"name":"Ann"}}}"#
            ),
            (
                #"{ getPost(id: "p") { editorId editor { id } } }"#,
                #"{"data":{"getPost":{"editorId":"ann","editor":null}}}"#
            ),
        ])

    static let compositeKey = Case(
        name: "an identifier of several fields",
        models: """
                Post: a.model({
                  title: a.string().required(),
                  authorName: a.string(),
                  authorDoB: a.date(),
                  // Both parts of the identifier, in its order.
                  author: a.belongsTo('Person', ['authorName', 'authorDoB']),
                }),
                Person: a.model({
                  name: a.string().required(),
                  dateOfBirth: a.date().required(),
                  authoredPosts: a.hasMany('Post', ['authorName', 'authorDoB']),
                }).identifier(['name', 'dateOfBirth']),
            """,
        steps: [
            (
                #"mutation { one: createPerson(input: {name: "Ann", dateOfBirth: "2000-01-31"}) { name } two: createPerson(input: {name: "Ann", dateOfBirth: "1990-05-01"}) { dateOfBirth } createPost(input: {id: "p", title: "T", authorName: "Ann", authorDoB: "2000-01-31"}) { author { name dateOfBirth } } }"#,
                #"{"data":{"one":{"name":"Ann"},"two":{"dateOfBirth":"1990-05-01"},"createPost":{"author":{"name":"Ann","dateOfBirth":"2000-01-31"}}}}"#
            ),
            (
                #"{ getPerson(name: "Ann", dateOfBirth: "2000-01-31") { authoredPosts { items { title author { dateOfBirth } } } } other: getPerson(name: "Ann", dateOfBirth: "1990-05-01") { authoredPosts { items { id } } } }"#,
                #"{"data":{"getPerson":{"authoredPosts":{"items":[{"title":"T","author":{"dateOfBirth":"2000-01-31"}}]}},"other":{"authoredPosts":{"items":[]}}}}"#
            ),
            (
                #"mutation { updatePost(input: {id: "p", authorName: "Ann", authorDoB: "1990-05-01"}) { author { dateOfBirth } } }"#,
                #"{"data":{"updatePost":{"author":{"dateOfBirth":"1990-05-01"}}}}"#
            ),
            (
                #"{ listPeople(name: "Ann", sortDirection: DESC) { items { dateOfBirth authoredPosts { items { id } } } } }"#,
                #"{"data":{"listPeople":{"items":[{"dateOfBirth":"2000-01-31","authoredPosts":{"items":[]}},{"dateOfBirth":"1990-05-01","authoredPosts":{"items":[{"id":"p"}]}}]}}}"#
            ),
            (
                #"mutation { updatePost(input: {id: "p", authorName: null, authorDoB: null}) { authorName author { name } } }"#,
                #"{"data":{"updatePost":{"authorName":null,"author":null}}}"#
            ),
            (
                #"mutation { deletePerson(input: {name: "Ann", dateOfBirth: "1990-05-01"}) { authoredPosts { items { id } } } deletePost(input: {id: "p"}) { title } }"#,
                #"{"data":{"deletePerson":{"authoredPosts":{"items":[]}},"deletePost":{"title":"T"}}}"#
            ),
            (
                #"{ listPeople { items { dateOfBirth } } }"#,
                #"{"data":{"listPeople":{"items":[{"dateOfBirth":"2000-01-31"}]}}}"#
            ),
        ])

    static let requiredAndOptional = Case(
        name: "a required and an optional reference",
        models: """
                Post: a.model({
                  title: a.string().required(),
                  authorId: a.id().required(),
                  author: a.belongsTo('Person', 'authorId'),
                  editorId: a.id(),
                  editor: a.belongsTo('Person', 'editorId'),
                }),
                Person: a.model({
                  name: a.string(),
                  editedPosts: a.hasMany('Post', 'editorId'),
                  authoredPosts: a.hasMany('Post', 'authorId'),
                }),
            """,
        steps: [
            (
                #"mutation { createPost(input: {title: "T"}) { id } }"#,
                #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":23,"sourceName":null}],"message":"Validation error of type WrongType: argument 'input' with value 'ObjectValue{objectFields=[ObjectField{name='title', value=StringValue{value='T'}}]}' is missing required fields '[authorId]' @ 'createPost'"}]}"#
            ),
            (
                #"mutation { createPerson(input: {id: "ann"}) { id } other: createPerson(input: {id: "bob"}) { id } createPost(input: {id: "p", title: "T", authorId: "ann"}) { author { id } editor { id } } }"#,
                #"{"data":{"createPerson":{"id":"ann"},"other":{"id":"bob"},"createPost":{"author":{"id":"ann"},"editor":null}}}"#
            ),
            (
                #"mutation { updatePost(input: {id: "p", authorId: "bob", editorId: "ann"}) { author { id } editor { id } } }"#,
                #"{"data":{"updatePost":{"author":{"id":"bob"},"editor":{"id":"ann"}}}}"#
            ),
            (
                #"{ getPerson(id: "bob") { authoredPosts { items { id } } editedPosts { items { id } } } }"#,
                #"{"data":{"getPerson":{"authoredPosts":{"items":[{"id":"p"}]},"editedPosts":{"items":[]}}}}"#
            ),
            (
                #"mutation { updatePost(input: {id: "p", editorId: null}) { authorId editor { id } } }"#,
                #"{"data":{"updatePost":{"authorId":"bob","editor":null}}}"#
            ),
            (
                #"mutation { deletePerson(input: {id: "bob"}) { id } }"#, #"{"data":{"deletePerson":{"id":"bob"}}}"#
            ),
            (
                #"{ getPost(id: "p") { authorId author { id } } }"#,
                #"{"data":{"getPost":{"authorId":"bob","author":null}}}"#
            ),
        ])
}
