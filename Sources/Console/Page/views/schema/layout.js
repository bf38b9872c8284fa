// Where the cards of the diagram stand: layers from parents to children, in each layer ordered so that lines cross little. Models without
// relations come below, in rows.

const cardWidth = 208;
const rowHeight = 20;
const headHeight = 32;
const gapX = 88;
const gapY = 24;
const sweeps = 8;
/** Cards of more models are only their names: otherwise nobody finds anything. */
const fullMax = 60;
const fieldsMax = 14;

/** The relations between models, each once: `{ from, to, fromMany, toMany, label }`, from the one that is pointed to. */
export function relationsOf(models) {
    const known = new Map(models.map((model) => [model.name, model]));
    const all = new Map();
    for (const model of models) {
        for (const field of model.fields) {
            const { relation } = field;
            if (!relation || !known.has(relation.model)) continue;
            const isDown = relation.kind === "hasMany" || relation.kind === "hasOne";
            const isMany = relation.kind === "manyToMany";
            const [from, to] = isMany ? [model.name, relation.model].sort() : isDown ? [model.name, relation.model] : [relation.model, model.name];
            // A hasMany and the belongsTo on its other side are one line, told apart by the fields that hold the key.
            const keys = isMany ? relation.through ?? "" : [...(isDown ? relation.targetFields : relation.fields) ?? []].sort().join();
            const name = `${from}/${to}/${keys}`;
            const line = all.get(name) ?? { name, from, to, fromMany: isMany, toMany: isMany, labels: [], isSelf: from === to };
            if (relation.kind === "hasOne") line.isOne = true;
            else if (relation.kind === "hasMany" || !line.isOne) line.toMany = true;
            line.labels.push(`${model.name}.${field.name}`);
            all.set(name, line);
        }
    }
    // Who only belongs to another may be one of many; a hasOne on the other side says that it is not.
    for (const line of all.values()) if (line.isOne) line.toMany = false;
    return [...all.values()];
}

export function layOut(models, relations) {
    const isFull = models.length <= fullMax;
    const cards = new Map(models.map((model) => {
        const fields = isFull ? model.fields.slice(0, fieldsMax) : [];
        const rest = isFull ? model.fields.length - fields.length : 0;
        return [model.name, { model, fields, rest, width: cardWidth, height: headHeight + (fields.length + (rest ? 1 : 0)) * rowHeight + (fields.length ? 8 : 0), layer: 0, x: 0, y: 0, neighbours: [] }];
    }));
    const down = new Map(models.map((model) => [model.name, []]));
    for (const line of relations) {
        if (line.isSelf) continue;
        down.get(line.from).push(line.to);
        cards.get(line.from).neighbours.push(cards.get(line.to));
        cards.get(line.to).neighbours.push(cards.get(line.from));
    }
    // The longest way from a model that nothing points to; what would close a ring is left out.
    const state = new Map();
    const order = [];
    const visit = (name) => {
        const stack = [[name, 0]];
        state.set(name, 1);
        while (stack.length) {
            const top = stack.at(-1);
            const next = down.get(top[0])[top[1]];
            if (next === undefined) {
                state.set(top[0], 2);
                order.push(top[0]);
                stack.pop();
                continue;
            }
            top[1] += 1;
            if (!state.has(next)) {
                state.set(next, 1);
                stack.push([next, 0]);
            }
        }
    };
    const inDegree = new Map(models.map((model) => [model.name, 0]));
    for (const all of down.values()) for (const name of all) inDegree.set(name, inDegree.get(name) + 1);
    for (const model of [...models].sort((a, b) => inDegree.get(a.name) - inDegree.get(b.name))) if (!state.has(model.name)) visit(model.name);
    order.reverse();
    const place = new Map(order.map((name, index) => [name, index]));
    for (const name of order) {
        for (const next of down.get(name)) {
            if (place.get(next) > place.get(name)) cards.get(next).layer = Math.max(cards.get(next).layer, cards.get(name).layer + 1);
        }
    }
    const related = [...cards.values()].filter((card) => card.neighbours.length);
    const alone = [...cards.values()].filter((card) => !card.neighbours.length);
    const layers = [];
    for (const card of related) (layers[card.layer] ??= []).push(card);
    const filled = layers.filter(Boolean);
    const stackUp = (layer) => {
        let y = 0;
        for (const card of layer) {
            card.y = y;
            y += card.height + gapY;
        }
        return y - gapY;
    };
    filled.forEach(stackUp);
    // Each card goes to the middle of its neighbours, down and up again, until the order is quiet.
    for (let sweep = 0; sweep < sweeps; sweep += 1) {
        const all = sweep % 2 ? [...filled].reverse() : filled;
        for (const layer of all) {
            for (const card of layer) {
                const others = card.neighbours.filter((each) => each.layer !== card.layer);
                card.wish = others.length ? others.reduce((sum, each) => sum + each.y + each.height / 2, 0) / others.length : card.y + card.height / 2;
            }
            layer.sort((a, b) => a.wish - b.wish);
            stackUp(layer);
        }
    }
    const heights = filled.map((layer) => layer.reduce((sum, card) => sum + card.height + gapY, -gapY));
    const tallest = Math.max(0, ...heights);
    filled.forEach((layer, index) => {
        const shift = (tallest - heights[index]) / 2;
        // Where there is room each card moves towards its neighbours.
        for (const card of layer) {
            card.x = index * (cardWidth + gapX);
            card.y += shift;
        }
    });
    for (let sweep = 0; sweep < 4; sweep += 1) {
        for (const layer of filled) {
            let floor = -Infinity;
            layer.forEach((card, index) => {
                const others = card.neighbours.filter((each) => each.layer !== card.layer);
                const wish = others.length ? others.reduce((sum, each) => sum + each.y + each.height / 2, 0) / others.length - card.height / 2 : card.y;
                const next = layer[index + 1];
                const ceiling = next ? next.y - gapY - card.height : tallest - card.height;
                card.y = Math.max(floor, Math.min(wish, Math.max(ceiling, floor), Math.max(0, tallest - card.height)));
                card.y = Math.max(card.y, index === 0 ? 0 : floor);
                floor = card.y + card.height + gapY;
            });
        }
    }
    const bottom = Math.max(0, ...related.map((card) => card.y + card.height));
    const columns = Math.max(1, filled.length || Math.ceil(Math.sqrt(alone.length)));
    let y = related.length ? bottom + gapY * 2 : 0;
    for (let index = 0; index < alone.length; index += columns) {
        const row = alone.slice(index, index + columns);
        row.forEach((card, at) => {
            card.x = at * (cardWidth + gapX);
            card.y = y;
        });
        y += Math.max(...row.map((card) => card.height)) + gapY;
    }
    const all = [...cards.values()];
    return {
        cards, isFull, headHeight, rowHeight,
        width: Math.max(cardWidth, ...all.map((card) => card.x + card.width)),
        height: Math.max(headHeight, ...all.map((card) => card.y + card.height)),
    };
}
