extension ProgramGenerator {
    /// What every program begins with: how values are printed, how large they may be, and the budget of its loops.
    static let prelude = """
        function show(v, d = 0) {
            if (d > 3) return '…';
            switch (typeof v) {
            case 'string': return JSON.stringify(v.length > 120 ? v.slice(0, 120) : v);
            case 'number': return Object.is(v, -0) ? '-0' : String(v);
            case 'function': return `function ${String(v.name)}/${v.length}`;
            case 'object': break;
            default: return String(v);
            }
            if (v === null) return 'null';
            if (v instanceof Error) {
                let text = `${v.name}: ${v.message}`;
                if ('cause' in v) text += ` (${show(v.cause, d + 1)})`;
                return v instanceof AggregateError ? text + show(v.errors, d + 1) : text;
            }
            if (v instanceof Map) return 'Map' + show([...v].slice(0, 20), d);
            if (v instanceof Set) return 'Set' + show([...v].slice(0, 20), d);
            if (v instanceof RegExp) return `${v}@${v.lastIndex}`;
            if (v instanceof Promise) return 'Promise';
            if (v instanceof Date) return 'Date ' + v.getTime();
            if (v instanceof String || v instanceof Number || v instanceof Boolean) return `Object(${show(v.valueOf(), d + 1)})`;
            if (Array.isArray(v)) {
                let text = '[' + v.length;
                for (let i = 0; i < v.length && i < 20; i++) text += i in v ? ' ' + show(v[i], d + 1) : ' hole';
                const others = Object.keys(v).filter(k => !/^[0-9]+$/.test(k)).slice(0, 5);
                return text + others.map(k => `, ${k}: ${show(v[k], d + 1)}`).join('') + ']';
            }
            const keys = allKeys(v).slice(0, 20).map(key => {
                const own = Object.getOwnPropertyDescriptor(v, key);
                const signs = (own.enumerable ? '' : '-') + (own.configurable ? '' : '!') + (own.get ? 'get ' : '') + (own.set ? 'set ' : '');
                return signs + String(key) + ': ' + ('value' in own ? show(own.value, d + 1) : '');
            });
            return '{' + keys.join(', ') + '}';
        }
        const allKeys = v => [...Object.getOwnPropertyNames(v), ...Object.getOwnPropertySymbols(v)];
        const size = (v, most) => {
            if (most < 0) return most;
            if (typeof v === 'string') return most - 1 - v.length / 20;
            if (typeof v !== 'object' || v === null) return most - 1;
            if (v instanceof Map || v instanceof Set) return size([...v], most - 1);
            for (const key of Object.keys(v)) {
                const own = Object.getOwnPropertyDescriptor(v, key);
                if (own && 'value' in own && (most = size(own.value, most - 1)) < 0) return most;
            }
            return most - 1;
        };
        const cut = v => size(v, 120) >= 0 ? v : Array.isArray(v) ? [] : typeof v === 'string' ? v.slice(0, 100) : {};
        const say = (...all) => console.log(all.map(v => show(v)).join(' ').slice(0, 2000));
        let left = 500;
        const more = () => left-- > 0;

        """
}
