extension Parser {
    /// All that the parser has to have again when it goes back.
    struct Trial {
        var lexer: Lexer.Mark
        var scopes: ScopeStack.Mark
        var frame: Frame
        var labels: Int
        var classes: Int
        var depth: Int
        var height: Int
        var cover: CoverError?
        var hasTopLevelAwait: Bool
        var hasNoConditionalTypes: Bool
    }

    /// Begins to read what may turn out to be something else.
    func beginTrial() -> Trial {
        Trial(
            lexer: lexer.mark, scopes: scopes.mark, frame: frame, labels: labels.count, classes: classes.count,
            depth: depth, height: height, cover: cover, hasTopLevelAwait: program.hasTopLevelAwait,
            hasNoConditionalTypes: typeScript.hasNoConditionalTypes)
    }

    /// Goes back: it was something else.
    func endTrial(_ trial: Trial) {
        lexer.goBack(to: trial.lexer)
        lexer.failure = nil
        scopes.goBack(to: trial.scopes)
        frame = trial.frame
        labels.removeLast(max(0, labels.count - trial.labels))
        classes.removeLast(max(0, classes.count - trial.classes))
        depth = trial.depth
        height = trial.height
        cover = trial.cover
        program.hasTopLevelAwait = trial.hasTopLevelAwait
        typeScript.hasNoConditionalTypes = trial.hasNoConditionalTypes
    }
}
