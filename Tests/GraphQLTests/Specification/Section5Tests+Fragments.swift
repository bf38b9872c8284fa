extension Section5Tests {
    static let section5: [ValidationExample] = [
        .init(
            "5.5.1.1",
            "{ dog { ...fragmentOne ...fragmentTwo } } fragment fragmentOne on Dog { name } fragment fragmentTwo on Dog { owner { name } }"
        ),
        .init(
            "5.5.1.1, no such rule",
            "{ dog { ...fragmentOne } } fragment fragmentOne on Dog { name } fragment fragmentOne on Dog { owner { name } }"
        ),
        .init("5.5.1.2", "{ dog { ...correctType } } fragment correctType on Dog { name }"),
        .init("5.5.1.2", "{ dog { ...inlineFragment } } fragment inlineFragment on Dog { ... on Dog { name } }"),
        .init(
            "5.5.1.2",
            "{ dog { ...inlineFragment2 } } fragment inlineFragment2 on Dog { ... @include(if: true) { name } }"),
        .init(
            "5.5.1.2", "{ dog { ...notOnExistingType } } fragment notOnExistingType on NotInSchema { name }",
            .unknownType),
        .init(
            "5.5.1.2",
            "{ dog { ...inlineNotExistingType } } fragment inlineNotExistingType on Dog { ... on NotInSchema { name } }",
            .unknownType),
        .init("5.5.1.3", "{ dog { ...fragOnObject } } fragment fragOnObject on Dog { name }"),
        .init("5.5.1.3", "{ pet { ...fragOnInterface } } fragment fragOnInterface on Pet { name }"),
        .init("5.5.1.3", "{ catOrDog { ...fragOnUnion } } fragment fragOnUnion on CatOrDog { ... on Dog { name } }"),
        .init(
            "5.5.1.3", "{ dog { ...fragOnScalar } } fragment fragOnScalar on Int { something }",
            .inlineFragmentTypeConditionInvalid),
        .init(
            "5.5.1.3",
            "{ dog { ...inlineFragOnScalar } } fragment inlineFragOnScalar on Dog { ... on Boolean { somethingElse } }",
            .inlineFragmentTypeConditionInvalid),
        .init("5.5.1.4", "{ dog { name } } fragment nameFragment on Dog { name }", .unusedFragment),
        .init(
            "5.5.1.4", "{ dog { name } } fragment a on Dog { ...b } fragment b on Dog { ...a }", .fragmentCycle,
            .fragmentCycle, .unusedFragment, .unusedFragment),
        .init("5.5.2.1", "{ dog { ...undefinedFragment } }", .undefinedFragment),
        .init(
            "5.5.2.2",
            "{ dog { ...nameFragment } } fragment nameFragment on Dog { name ...barkVolumeFragment } fragment barkVolumeFragment on Dog { barkVolume ...nameFragment }",
            .fragmentCycle, .fragmentCycle),
        .init(
            "5.5.2.2",
            "{ dog { ...dogFragment } } fragment dogFragment on Dog { name owner { ...ownerFragment } } fragment ownerFragment on Human { name pets { ...dogFragment } }",
            .fragmentCycle, .fragmentCycle),
        .init("5.5.2.2", "{ dog { ...self } } fragment self on Dog { ...self }", .fragmentCycle),
        .init("5.5.2.3.1", "{ dog { ...dogFragment } } fragment dogFragment on Dog { ... on Dog { barkVolume } }"),
        .init(
            "5.5.2.3.1",
            "{ dog { ...catInDogFragmentInvalid } } fragment catInDogFragmentInvalid on Dog { ... on Cat { meowVolume } }",
            .invalidFragmentType),
        .init(
            "5.5.2.3.2",
            "{ dog { ...interfaceWithinObjectFragment } } fragment petNameFragment on Pet { name } fragment interfaceWithinObjectFragment on Dog { ...petNameFragment }"
        ),
        .init(
            "5.5.2.3.2",
            "{ dog { ...unionWithObjectFragment } } fragment catOrDogNameFragment on CatOrDog { ... on Cat { meowVolume } } fragment unionWithObjectFragment on Dog { ...catOrDogNameFragment }"
        ),
        .init("5.5.2.3.3", "{ pet { ...petFragment } } fragment petFragment on Pet { name ... on Dog { barkVolume } }"),
        .init(
            "5.5.2.3.3",
            "{ catOrDog { ...catOrDogFragment } } fragment catOrDogFragment on CatOrDog { ... on Cat { meowVolume } }"),
        .init(
            "5.5.2.3.3",
            "{ human { ...sentientFragment } } fragment sentientFragment on Sentient { ... on Dog { barkVolume } }",
            .invalidFragmentType),
        .init(
            "5.5.2.3.3",
            "{ human { ... on HumanOrAlien { ...humanOrAlienFragment } } } fragment humanOrAlienFragment on HumanOrAlien { ... on Cat { meowVolume } }",
            .invalidFragmentType),
        .init(
            "5.5.2.3.4",
            "{ dog { ...unionWithInterface } } fragment unionWithInterface on Pet { ...dogOrHumanFragment } fragment dogOrHumanFragment on DogOrHuman { ... on Dog { barkVolume } }"
        ),
        .init(
            "5.5.2.3.4",
            "{ pet { ...nonIntersectingInterfaces } } fragment nonIntersectingInterfaces on Pet { ...sentientFragment } fragment sentientFragment on Sentient { name }",
            .invalidFragmentType),
        .init(
            "5.5.2.3.4",
            "{ resource { ...inner } } fragment inner on Resource { ...nodes } fragment nodes on Node { id }"),
    ]

    static let sections6To8: [ValidationExample] = [
        .init(
            "5.6.1",
            "{ arguments { ...goodBooleanArg } } fragment goodBooleanArg on Arguments { booleanArgField(booleanArg: true) }"
        ),
        .init(
            "5.6.1",
            "{ arguments { ...coercedIntIntoFloatArg } } fragment coercedIntIntoFloatArg on Arguments { floatArgField(floatArg: 123) }"
        ),
        .init(
            "5.6.1",
            "query goodComplexDefaultValue($search: ComplexInput = { name: \"Fido\" }) { findDog(complex: $search) { name } }"
        ),
        .init(
            "5.6.1",
            "{ arguments { ...stringIntoInt } } fragment stringIntoInt on Arguments { intArgField(intArg: \"123\") }",
            .wrongType),
        .init("5.6.1", "query badComplexValue { findDog(complex: { name: 123 }) { name } }", .wrongType),
        .init("5.6.2", "{ findDog(complex: { name: \"Fido\" }) { name } }"),
        .init("5.6.2", "{ findDog(complex: { favoriteCookieFlavor: \"Bacon\" }) { name } }", .wrongType),
        .init("5.6.3, no such rule", "{ findDog(complex: { name: \"Fido\", name: \"Fido\" }) { name } }"),
        .init("5.7.1", "{ dog @nope { name } }", .unknownDirective),
        .init("5.7.2", "query @skip(if: true) { dog { name } }", .misplacedDirective),
        .init(
            "5.7.3, no such rule",
            "query Q($foo: Boolean = true, $bar: Boolean = false) { dog @skip(if: $foo) @skip(if: $bar) { name } }"),
        .init(
            "5.7.3",
            "query Q($foo: Boolean = true, $bar: Boolean = false) { dog @skip(if: $foo) { name } dog @skip(if: $bar) { nickname } }"
        ),
        .init(
            "5.8.1, no such rule",
            "query houseTrainedQuery($atOtherHomes: Boolean, $atOtherHomes: Boolean) { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }"
        ),
        .init(
            "5.8.1",
            "query A($atOtherHomes: Boolean) { ...HouseTrainedFragment } query B($atOtherHomes: Boolean) { ...HouseTrainedFragment } fragment HouseTrainedFragment on Query { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }"
        ),
        .init(
            "5.8.2",
            "query takesBoolean($atOtherHomes: Boolean) { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }"),
        .init(
            "5.8.2", "query takesComplexInput($complexInput: ComplexInput) { findDog(complex: $complexInput) { name } }"
        ),
        .init(
            "5.8.2", "query TakesListOfBooleanBang($booleans: [Boolean!]) { booleanList(booleanListArg: $booleans) }"),
        .init(
            "5.8.2", "query takesCat($cat: Cat) { dog { isHouseTrained(atOtherHomes: $cat) } }",
            .nonInputTypeOnVariable, .variableTypeMismatch),
        .init(
            "5.8.2", "query takesDogBang($dog: Dog!) { dog { name @include(if: $dog) } }", .nonInputTypeOnVariable,
            .variableTypeMismatch),
        .init(
            "5.8.2", "query takesListOfPet($pets: [Pet]) { booleanList(booleanListArg: $pets) }",
            .nonInputTypeOnVariable, .variableTypeMismatch),
        .init(
            "5.8.2", "query takesCatOrDog($catOrDog: CatOrDog) { findDog(complex: $catOrDog) { name } }",
            .nonInputTypeOnVariable, .variableTypeMismatch),
        .init(
            "5.8.3",
            "query variableIsDefined($atOtherHomes: Boolean) { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }"),
        .init(
            "5.8.3", "query variableIsNotDefined { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }",
            .undefinedVariable),
        .init(
            "5.8.3",
            "query variableIsDefinedUsedInSingleFragment($atOtherHomes: Boolean) { dog { ...isHouseTrainedFragment } } fragment isHouseTrainedFragment on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }"
        ),
        .init(
            "5.8.3",
            "query variableIsNotDefinedUsedInSingleFragment { dog { ...isHouseTrainedFragment } } fragment isHouseTrainedFragment on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }",
            .undefinedVariable),
        .init(
            "5.8.3",
            "query variableIsNotDefinedUsedInNestedFragment { dog { ...outer } } fragment outer on Dog { ...inner } fragment inner on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }",
            .undefinedVariable),
        .init(
            "5.8.3",
            "query one($atOtherHomes: Boolean) { dog { ...f } } query two($atOtherHomes: Boolean) { dog { ...f } } fragment f on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }"
        ),
        .init(
            "5.8.3",
            "query one($atOtherHomes: Boolean) { dog { ...f } } query two { dog { ...f } } fragment f on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }",
            .undefinedVariable),
        .init("5.8.4", "query variableUnused($atOtherHomes: Boolean) { dog { isHouseTrained } }", .unusedVariable),
        .init(
            "5.8.4",
            "query variableUsedInFragment($atOtherHomes: Boolean) { dog { ...f } } fragment f on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }"
        ),
        .init(
            "5.8.4",
            "query variableNotUsedWithinFragment($atOtherHomes: Boolean) { dog { ...f } } fragment f on Dog { isHouseTrained }",
            .unusedVariable),
        .init(
            "5.8.4",
            "query queryWithUsedVar($atOtherHomes: Boolean) { dog { ...f } } query queryWithExtraVar($atOtherHomes: Boolean, $extra: Int) { dog { ...f } } fragment f on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }",
            .unusedVariable),
        .init(
            "5.8.5",
            "query intCannotGoIntoBoolean($intArg: Int) { arguments { booleanArgField(booleanArg: $intArg) } }",
            .variableTypeMismatch),
        .init(
            "5.8.5",
            "query booleanListCannotGoIntoBoolean($booleanListArg: [Boolean]) { arguments { booleanArgField(booleanArg: $booleanListArg) } }",
            .variableTypeMismatch),
        .init(
            "5.8.5",
            "query booleanArgQuery($booleanArg: Boolean) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $booleanArg) } }",
            .variableTypeMismatch),
        .init(
            "5.8.5",
            "query nonNullListToList($nonNullBooleanList: [Boolean]!) { arguments { booleanListArgField(booleanListArg: $nonNullBooleanList) } }"
        ),
        .init(
            "5.8.5",
            "query listToNonNullList($booleanList: [Boolean]) { arguments { booleanListArgField(booleanListArg: $booleanList) } }",
            .variableTypeMismatch),
        .init(
            "5.8.5",
            "query booleanArgQueryWithDefault($booleanArg: Boolean) { arguments { optionalNonNullBooleanArgField(optionalBooleanArg: $booleanArg) } }"
        ),
        .init(
            "5.8.5",
            "query booleanArgQueryWithDefault($booleanArg: Boolean = true) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $booleanArg) } }"
        ),
    ]
}
