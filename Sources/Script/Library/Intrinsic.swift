/// The classes that every realm has.
package enum Intrinsic: Int, CaseIterable, Sendable {
    case object, function, array, string, number, boolean, symbol
    case error, aggregateError, evalError, rangeError, referenceError, syntaxError, typeError, uriError
    case iterator, asyncIterator, arrayIterator, stringIterator, mapIterator, setIterator, regExpStringIterator
    case asyncFromSyncIterator
    case generatorFunction, generator, asyncFunction, asyncGeneratorFunction, asyncGenerator
    case promise, map, set, regExp, date
    case url, urlSearchParams, urlSearchParamsIterator

    var definition: NativeClass {
        switch self {
        case .object: .object
        case .function: .function
        case .array: .array
        case .symbol: .symbol
        case .error: .error
        case .aggregateError: .aggregateError
        case .evalError: .evalError
        case .rangeError: .rangeError
        case .referenceError: .referenceError
        case .syntaxError: .syntaxError
        case .typeError: .typeError
        case .uriError: .uriError
        case .iterator: .iterator
        case .asyncIterator: .asyncIterator
        case .arrayIterator: .arrayIterator
        case .asyncFromSyncIterator: .asyncFromSyncIterator
        case .generatorFunction: .generatorFunction
        case .generator: .generator
        case .asyncFunction: .asyncFunction
        case .asyncGeneratorFunction: .asyncGeneratorFunction
        case .asyncGenerator: .asyncGenerator
        case .promise: .promise
        case .map: .map
        case .set: .set
        case .mapIterator: .mapIterator
        case .setIterator: .setIterator
        case .string: .string
        case .stringIterator: .stringIterator
        case .number: .number
        case .boolean: .boolean
        case .regExp: .regExp
        case .regExpStringIterator: .regExpStringIterator
        case .date: .date
        case .url: .url
        case .urlSearchParams: .urlSearchParams
        case .urlSearchParamsIterator: .urlSearchParamsIterator
        }
    }
}
