/// One step of a function's code: what to do, and up to two numbers for it.
struct Instruction: Sendable {
    var operation: Operation
    var a: Int32
    var b: Int32
}

/// What an instruction does. The comments show the values on the stack before and after, the last on top.
enum Operation: UInt8, Sendable {
    case nothing

    // Values: `-- value`
    case undefined, null, yes, no, absent
    /// a: the number
    case integer
    /// a: which of the program's numbers or texts
    case number, text
    /// a, b: which texts are the pattern and the flags
    case regularExpression
    /// a: which of the program's templates
    case template
    case this, newTarget, function, home, importMeta

    // The stack
    /// `value --`
    case pop
    /// `value -- value value`
    case duplicate
    /// `first second -- first second first second`
    case duplicateTwo
    /// `first second -- second first`
    case swap
    /// `x1 ... xa value -- value x1 ... xa`
    case sink
    /// `value x1 ... xa -- x1 ... xa value`
    case raise
    /// `x1 ... xa value -- value`
    case dropUnder

    // Variables. a: where, b: the name, for errors. A local one lies in the frame, a cell is shared with functions
    // inside, a capture is a cell of a function around. `set` leaves the value, `pop` takes it; the checked ones throw
    // where the variable has no value yet.
    case getLocal, getLocalChecked, setLocal, setLocalChecked, popLocal, popLocalChecked
    case getCell, getCellChecked, setCell, setCellChecked, popCell, popCellChecked
    case getCapture, getCaptureChecked, setCapture, setCaptureChecked, popCapture, popCaptureChecked
    /// The variable has no value from here on.
    case clearLocal
    /// A new cell without a value.
    case makeCell
    /// A new cell with the value of local b.
    case promote
    /// A new cell with the old one's value.
    case renewCell
    /// A variable that must not change. b: the name
    case throwConstant
    /// a: the name
    case getGlobal, getGlobalOrUndefined, setGlobal, initializeGlobal
    /// `-- isThere`; a: the name
    case hasGlobal
    /// An error unless the variable was there when local b was set. a: the name
    case requireGlobal
    /// Makes the variables and functions of a script's top level known.
    case declareGlobals

    // Properties. a: the name
    /// `object -- value`
    case getMember
    /// `object -- object value`, for calls
    case getMethod
    /// `object value -- value`
    case setMember
    /// `object -- isDeleted`
    case deleteMember
    /// `object key -- value`
    case getIndex
    /// `object key -- object value`
    case getIndexMethod
    /// `object key value -- value`
    case setIndex
    /// `object key -- isDeleted`
    case deleteIndex
    /// `object key -- object key`, where the key is one
    case toKey
    /// `key -- key`
    case toPropertyKey
    /// `home -- base`, the object whose members `super` means
    case superBase
    /// `this key base -- value`
    case getSuper
    /// `this key base value -- value`
    case setSuper
    /// `object key -- value`
    case getPrivate
    /// `object key -- object value`
    case getPrivateMethod
    /// `object key value -- value`
    case setPrivate
    /// `object key value -- object`; a: 0 a field, 1 a method, 2 a getter, 3 a setter
    case definePrivate
    /// `object key -- isThere`
    case hasPrivate
    /// `-- key`; a: the name
    case makePrivateKey

    // Literals
    /// `-- object`
    case object
    /// `object value -- object`; a: the name
    case field
    /// `object key value -- object`; a: 0 a field, 1 a method, 2 a getter, 3 a setter; b: whether it is enumerable
    case define
    /// `object value -- object`
    case setPrototype
    /// `object source -- object`
    case copyProperties
    /// `source key1 ... keya -- object`
    case restObject
    /// `value1 ... valuea -- list`
    case array
    /// `list value -- list`
    case append
    /// `list -- list`
    case appendHole
    /// `list iterable -- list`
    case appendAll
    /// `value1 ... valuea -- text`, the values and the program's texts from b on by turns; see `templateParts`
    case joinTemplate
    /// `-- function`; a: which of the code's functions
    case makeFunction
    /// `object ... function -- object ... function`; a: how far below the object is
    case setHome
    /// `key function -- key function`; a: 0 as it is, 1 `get`, 2 `set`; b: how far below the key is
    case setName
    /// `parent -- constructor prototype`; a: which function; b: whether there is a parent
    case makeClass
    /// `constructor prototype function -- constructor prototype`
    case setFields

    // Calls
    /// `this function argument1 ... argumenta -- value`; b: which callee, for errors
    case call
    /// `this function list -- value`; b: which callee, for errors
    case callSpread
    /// `constructor newTarget argument1 ... argumenta -- value`
    case construct
    /// `constructor newTarget list -- value`
    case constructSpread
    /// `function -- parent`
    case superConstructor
    /// `constructor newTarget -- value`, with all arguments of the frame
    case constructForward
    /// `this function -- this`, and the fields of the function's class are made
    case initializeFields
    /// `value --`, and an error where there is one
    case requireAbsent
    /// `specifier options -- promise`
    case importCall

    // Operators
    case add, subtract, multiply, divide, remainder, power
    case shiftLeft, shiftRight, shiftRightUnsigned, and, or, xor
    case equal, notEqual, same, notSame, less, lessOrEqual, greater, greaterOrEqual
    case instanceOf, isIn
    case minus, plus, not, complement, typeOf
    /// `value -- number`; a: what is added
    case increment
    /// `value -- number`
    case toNumeric
    /// Local a becomes a number, b is added to it.
    case incrementLocal
    /// The same for a cell.
    case incrementCell

    // Jumps. a: where to
    case jump
    /// `value --`
    case jumpIfFalse, jumpIfTrue
    /// Jumps and leaves the value, or takes it and goes on.
    case jumpIfFalseOrPop, jumpIfTrueOrPop, jumpUnlessNullishOrPop
    /// `value -- value`, or `value --` and jumps
    case jumpIfNullish
    /// `value -- value`, and jumps
    case jumpUnlessUndefined
    /// `value -- value`, and jumps
    case jumpIfObject
    /// `left right --`
    case jumpUnlessLess
    /// A jump back: a turn of a loop ends.
    case loop

    // Iteration. a: the local with the iterator; behind it lie its `next` and whether it is done
    /// `iterable --`; b: an `Iteration`
    case openIterator
    /// `-- value`, or jumps to b
    case stepIterator
    /// `-- result`
    case callIterator
    /// `result -- value`, or jumps to b
    case unpackIterator
    /// `-- value`, undefined where it is done
    case stepPattern
    /// `-- list`
    case restPattern
    /// Its `return` is called where it is not done; b: whether errors of that count.
    case closeIterator
    /// `-- result`, of its `return`; b: whether errors of that count
    case returnIterator
    /// `result --`, which must be an object unless it is absent
    case requireResult
    /// `object --`
    case openKeys
    /// `-- key`, or jumps to b
    case stepKeys

    // Ends
    case throwValue
    case returnValue
    /// `value --`, undefined it must be
    case requireUndefined
    /// `value kind --` and jumps to a where kind is 0; throws where it is 1; goes on otherwise
    case endFinally
    /// `value kind -- value` and jumps to a where kind is b
    case jumpIfExit
    /// `value -- value`, which is no null and not undefined; b: which callee, for errors
    case requireObject

    // Functions that stop and go on
    case startGenerator
    /// A module's variables and functions are there; its body runs when all that it imports has run.
    case startModule
    /// `value -- received`; goes on behind the next instruction where the generator is to return
    case yield
    /// `result -- received`; a: the local for how it goes on
    case yieldRaw
    case await
    /// `received -- result`; a: the iterator's local, with how to go on behind `done`; jumps to b, with what was received,
    /// where it is to return and the iterator has no `return`
    case delegate
    /// `result -- value` and jumps to b where it is done; `result -- result`
    case unpackDelegate
    /// Jumps to b unless local a says to return.
    case jumpUnlessReturning
    /// Local a says to throw.
    case setThrowing

    /// An object with the arguments.
    case arguments
    /// A list of the arguments from a on.
    case restArguments
    case debugger
}

/// What iterates, as one number.
struct Iteration {
    /// What messages call the iterable; -1: nothing.
    let callee: Int32
    var isAsync = false
    /// True if a pattern takes the iterable apart.
    var isPattern = false

    var coded: Int32 { callee << 2 | (isAsync ? 1 : 0) | (isPattern ? 2 : 0) }
}

extension Iteration {
    init(coded: Int32) {
        self.init(callee: coded >> 2, isAsync: coded & 1 != 0, isPattern: coded & 2 != 0)
    }
}
