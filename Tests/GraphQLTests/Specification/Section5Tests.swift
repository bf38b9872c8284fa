import GraphQL
import Testing

/// An example of section 5, and the kinds of the errors it has; none for a valid one.
struct ValidationExample: Sendable, CustomTestStringConvertible {
    let section: String
    let text: String
    let types: [ValidationErrorType]
    var testDescription: String { "\(section): \(text)" }

    init(_ section: String, _ text: String, _ types: ValidationErrorType...) {
        self.section = section
        self.text = text
        self.types = types
    }
}

/// Every example of section 5 of the October 2021 specification, over the schema that the section gives.
///
/// Where AppSync has no rule (names that are there twice, the one root field of a subscription), an example that the
/// specification calls invalid is valid here.
@Suite("Section 5 of the specification: validation")
struct Section5Tests {
    static let schema = testSchema(
        """
        type Query { dog: Dog findDog(complex: ComplexInput): Dog booleanList(booleanListArg: [Boolean!]): Boolean arguments: Arguments catOrDog: CatOrDog pet: Pet human: Human resource: Resource }
        type Mutation { mutateDog: Dog }
        type Subscription { newMessage: Message disallowedSecondRootField: Boolean }
        type Message { body: String sender: String }
        enum DogCommand { SIT DOWN HEEL }
        type Dog implements Pet { name: String! nickname: String barkVolume: Int doesKnowCommand(dogCommand: DogCommand!): Boolean! isHouseTrained(atOtherHomes: Boolean): Boolean! owner: Human }
        interface Sentient { name: String! }
        interface Pet { name: String! }
        type Alien implements Sentient { name: String! homePlanet: String }
        type Human implements Sentient { name: String! pets: [Pet!] }
        enum CatCommand { JUMP }
        type Cat implements Pet { name: String! nickname: String doesKnowCommand(catCommand: CatCommand!): Boolean! meowVolume: Int }
        union CatOrDog = Cat | Dog
        union DogOrHuman = Dog | Human
        union HumanOrAlien = Human | Alien
        interface Resource implements Node { id: ID! url: String }
        interface Node { id: ID! }
          type Image implements Resource & Node { id: ID! url: String }
        input ComplexInput { name: String owner: String }
        type Arguments {
          multipleRequirements(x: Int!, y: Int!): Int!
          booleanArgField(booleanArg: Boolean): Boolean
          floatArgField(floatArg: Float): Float
          intArgField(intArg: Int): Int
          nonNullBooleanArgField(nonNullBooleanArg: Boolean!): Boolean!
          booleanListArgField(booleanListArg: [Boolean]!): [Boolean]
          optionalNonNullBooleanArgField(optionalBooleanArg: Boolean! = false): Boolean!
        }
        """)

    @Test("its examples are accepted and refused as it says", arguments: sections1To4 + section5 + sections6To8)
    func examples(_ example: ValidationExample) throws {
        let errors = Validation.errors(in: try Document(parsing: example.text), schema: Self.schema)
        #expect(errors.map(\.type) == example.types, "\(errors.map(\.message))")
    }

    static let sections1To4: [ValidationExample] = [
        .init(
            "5.1.1", "query getDogName { dog { name color } } extend type Dog { color: String }",
            .nonExecutableDefinition, .fieldUndefined),
        .init("5.2.1.1", "query getDogName { dog { name } } query getOwnerName { dog { owner { name } } }"),
        .init("5.2.1.1, no such rule", "query getName { dog { name } } query getName { dog { owner { name } } }"),
        .init(
            "5.2.1.1, no such rule", "query dogOperation { dog { name } } mutation dogOperation { mutateDog { name } }"),
        .init("5.2.2.1", "{ dog { name } }"),
        .init("5.2.2.1", "{ dog { name } } query getName { dog { owner { name } } }", .loneAnonymousOperationViolation),
        .init("5.2.3.1", "subscription sub { newMessage { body sender } }"),
        .init(
            "5.2.3.1",
            "subscription sub { ...newMessageFields } fragment newMessageFields on Subscription { newMessage { body sender } }"
        ),
        .init("5.2.3.1, no such rule", "subscription sub { newMessage { body sender } disallowedSecondRootField }"),
        .init(
            "5.2.3.1, no such rule",
            "subscription sub { ...multipleSubscriptions } fragment multipleSubscriptions on Subscription { newMessage { body sender } disallowedSecondRootField }"
        ),
        .init("5.2.3.1, no such rule", "subscription sub { __typename }"),
        .init(
            "5.3.1", "{ dog { ...fieldNotDefined } } fragment fieldNotDefined on Dog { meowVolume }", .fieldUndefined),
        .init("5.3.1", "{ dog { ...aliased } } fragment aliased on Dog { barkVolume: kawVolume }", .fieldUndefined),
        .init("5.3.1", "{ pet { ...interfaceFieldSelection } } fragment interfaceFieldSelection on Pet { name }"),
        .init(
            "5.3.1", "{ pet { ...definedOnImplementors } } fragment definedOnImplementors on Pet { nickname }",
            .fieldUndefined),
        .init(
            "5.3.1",
            "{ catOrDog { ...inDirectFieldSelectionOnUnion } } fragment inDirectFieldSelectionOnUnion on CatOrDog { __typename ... on Pet { name } ... on Dog { barkVolume } }"
        ),
        .init(
            "5.3.1",
            "{ catOrDog { ...directFieldSelectionOnUnion } } fragment directFieldSelectionOnUnion on CatOrDog { name barkVolume }",
            .fieldUndefined, .fieldUndefined),
        .init("5.3.2", "{ dog { ...mergeIdenticalFields } } fragment mergeIdenticalFields on Dog { name name }"),
        .init(
            "5.3.2",
            "{ dog { ...mergeIdenticalAliasesAndFields } } fragment mergeIdenticalAliasesAndFields on Dog { otherName: name otherName: name }"
        ),
        .init(
            "5.3.2",
            "{ dog { ...conflictingBecauseAlias } } fragment conflictingBecauseAlias on Dog { name: nickname name }",
            .fieldsConflict),
        .init(
            "5.3.2",
            "{ dog { ...mergeIdenticalFieldsWithIdenticalArgs } } fragment mergeIdenticalFieldsWithIdenticalArgs on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: SIT) }"
        ),
        .init(
            "5.3.2",
            "query Q($dogCommand: DogCommand!) { dog { ...mergeIdenticalFieldsWithIdenticalValues } } fragment mergeIdenticalFieldsWithIdenticalValues on Dog { doesKnowCommand(dogCommand: $dogCommand) doesKnowCommand(dogCommand: $dogCommand) }"
        ),
        .init(
            "5.3.2",
            "{ dog { ...conflictingArgsOnValues } } fragment conflictingArgsOnValues on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: HEEL) }",
            .fieldsConflict),
        .init(
            "5.3.2",
            "query Q($dogCommand: DogCommand!) { dog { ...conflictingArgsValueAndVar } } fragment conflictingArgsValueAndVar on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: $dogCommand) }",
            .fieldsConflict),
        .init(
            "5.3.2",
            "query Q($varOne: DogCommand!, $varTwo: DogCommand!) { dog { ...conflictingArgsWithVars } } fragment conflictingArgsWithVars on Dog { doesKnowCommand(dogCommand: $varOne) doesKnowCommand(dogCommand: $varTwo) }",
            .fieldsConflict),
        .init(
            "5.3.2",
            "{ dog { ...differingArgs } } fragment differingArgs on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand }",
            .missingFieldArgument, .fieldsConflict),
        .init(
            "5.3.2",
            "{ pet { ...safeDifferingFields } } fragment safeDifferingFields on Pet { ... on Dog { volume: barkVolume } ... on Cat { volume: meowVolume } }"
        ),
        .init(
            "5.3.2",
            "{ pet { ...safeDifferingArgs } } fragment safeDifferingArgs on Pet { ... on Dog { doesKnowCommand(dogCommand: SIT) } ... on Cat { doesKnowCommand(catCommand: JUMP) } }"
        ),
        .init(
            "5.3.2",
            "{ pet { ...conflictingDifferingResponses } } fragment conflictingDifferingResponses on Pet { ... on Dog { someValue: nickname } ... on Cat { someValue: meowVolume } }",
            .fieldsConflict),
        .init("5.3.3", "{ dog { ...scalarSelection } } fragment scalarSelection on Dog { barkVolume }"),
        .init(
            "5.3.3",
            "{ dog { ...scalarSelectionsNotAllowedOnInt } } fragment scalarSelectionsNotAllowedOnInt on Dog { barkVolume { sinceWhen } }",
            .subSelectionNotAllowed),
        .init("5.3.3", "query directQueryOnObjectWithoutSubFields { human }", .subSelectionRequired),
        .init("5.3.3", "query directQueryOnInterfaceWithoutSubFields { pet }", .subSelectionRequired),
        .init("5.3.3", "query directQueryOnUnionWithoutSubFields { catOrDog }", .subSelectionRequired),
        .init(
            "5.4.1",
            "{ dog { ...argOnRequiredArg } } fragment argOnRequiredArg on Dog { doesKnowCommand(dogCommand: SIT) }"),
        .init(
            "5.4.1",
            "{ dog { ...argOnOptional } } fragment argOnOptional on Dog { isHouseTrained(atOtherHomes: true) @include(if: true) }"
        ),
        .init(
            "5.4.1",
            "{ dog { ...invalidArgName } } fragment invalidArgName on Dog { doesKnowCommand(command: CLEAN_UP_HOUSE) }",
            .missingFieldArgument, .unknownArgument),
        .init(
            "5.4.1",
            "{ dog { ...invalidArgName } } fragment invalidArgName on Dog { isHouseTrained(atOtherHomes: true) @include(unless: false) }",
            .missingDirectiveArgument, .unknownDirective),
        .init(
            "5.4.1",
            "{ arguments { ...multipleArgs } } fragment multipleArgs on Arguments { multipleRequirements(x: 1, y: 2) }"),
        .init(
            "5.4.1",
            "{ arguments { ...multipleArgsReverseOrder } } fragment multipleArgsReverseOrder on Arguments { multipleRequirements(y: 2, x: 1) }"
        ),
        .init(
            "5.4.2.1",
            "{ arguments { ...goodBooleanArg } } fragment goodBooleanArg on Arguments { booleanArgField(booleanArg: true) }"
        ),
        .init(
            "5.4.2.1",
            "{ arguments { ...goodNonNullArg } } fragment goodNonNullArg on Arguments { nonNullBooleanArgField(nonNullBooleanArg: true) }"
        ),
        .init(
            "5.4.2.1",
            "{ arguments { ...goodBooleanArgDefault } } fragment goodBooleanArgDefault on Arguments { booleanArgField }"
        ),
        .init(
            "5.4.2.1",
            "{ arguments { ...missingRequiredArg } } fragment missingRequiredArg on Arguments { nonNullBooleanArgField }",
            .missingFieldArgument),
        .init(
            "5.4.2.1",
            "{ arguments { ...missingRequiredArg } } fragment missingRequiredArg on Arguments { nonNullBooleanArgField(nonNullBooleanArg: null) }",
            .wrongType),
    ]
}
