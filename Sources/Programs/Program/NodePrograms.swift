import Blueprint
import Project
import Script

/// Modules of Node, and packages, that are programs of our own, which the engine runs: what importing and calling them does counts.
enum NodePrograms {
    private static let programs: [(names: [String], text: String)] = [
        (["assert", "node:assert", "assert/strict", "node:assert/strict"], assert),
        (["events", "node:events"], events),
        (["module", "node:module"], modules),
        ([buffer, "buffer"], bufferText),
        (["node:crypto", "crypto"], cryptoText),
        (["dotenv"], dotenv),
        (["dotenv/config"], "import { config } from 'dotenv'; config();"),
    ]
    private static let host = "homeport:node"

    /// The address of a module by its name; nil: it is none of these.
    static func address(of specifier: String) -> String? {
        if specifier == host { return host }
        return programs.first { $0.names.contains(specifier) }?.names.first
    }

    static func load(_ address: String, _ realm: Realm) throws(ScriptHostError) -> ModuleSource? {
        if address == host { return .native(exports(realm)) }
        guard let text = programs.first(where: { $0.names.first == address })?.text else { return nil }
        do throws(ScriptSyntaxError) {
            return .program(try Script.compile(text, file: address, SyntaxOptions(goal: .module, isTypeScript: false)))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    /// What those programs ask of here: an end that no `catch` sees.
    private static func exports(_ realm: Realm) -> [(name: String, value: ProgramValue)] {
        let refuse = realm.function("refuse", length: 2) { call throws(Thrown) in
            throw .ended(.host(message: try call.text(0).string, hint: try call.text(1).string))
        }
        return [("refuse", .object(refuse))] + byteExports(realm)
    }

    // MARK: Modules of Node

    private static let assert = #"""
        export class AssertionError extends Error {
          constructor({ message = 'Failed', actual, expected, operator } = {}) {
            super(message);
            Object.assign(this, { name: 'AssertionError', code: 'ERR_ASSERTION', generatedMessage: false, actual, expected, operator });
          }
        }
        const fails = (message, fallback, actual, expected, operator) => {
          if (message instanceof Error) throw message;
          throw new AssertionError({ message: message ?? fallback, actual, expected, operator });
        };
        const isObject = (value) => typeof value === 'object' && value !== null;
        function isDeep(one, other, isStrict) {
          if (Object.is(one, other) || (!isStrict && one == other)) return true;
          if (!isObject(one) || !isObject(other)) return false;
          if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
          if (one instanceof Date) return one.getTime() === other.getTime();
          if (one instanceof RegExp || one instanceof Error) return String(one) === String(other);
          if (one instanceof Map || one instanceof Set) return isDeep([...one], [...other], isStrict);
          const keys = Object.keys(one);
          return keys.length === Object.keys(other).length
            && keys.every((key) => Object.hasOwn(other, key) && isDeep(one[key], other[key], isStrict));
        }
        function fits(error, expected) {
          if (expected === undefined) return true;
          if (expected instanceof RegExp) return expected.test(String(error));
          if (typeof expected === 'function') {
            if (expected.prototype !== undefined && error instanceof expected) return true;
            return !Error.prototype.isPrototypeOf(expected.prototype ?? {}) && expected !== Error && expected(error) === true;
          }
          return Object.keys(expected).every((key) =>
            expected[key] instanceof RegExp ? expected[key].test(error[key]) : isDeep(error[key], expected[key], true));
        }
        const split = (expected, message) => typeof expected === 'string' ? [undefined, expected] : [expected, message];

        export default function assert(value, message) {
          if (!value) fails(message, 'The expression evaluated to a falsy value', value, true, '==');
        }
        export const ok = (value, message) => assert(value, message);
        export function fail(message = 'Failed') { fails(message, 'Failed', undefined, undefined, 'fail'); }
        export function equal(one, other, message) {
          if (!(one == other || (one !== one && other !== other))) fails(message, `${one} == ${other}`, one, other, '==');
        }
        export function notEqual(one, other, message) {
          if (one == other || (one !== one && other !== other)) fails(message, `${one} != ${other}`, one, other, '!=');
        }
        export function strictEqual(one, other, message) {
          if (!Object.is(one, other)) fails(message, 'Expected values to be strictly equal', one, other, 'strictEqual');
        }
        export function notStrictEqual(one, other, message) {
          if (Object.is(one, other)) fails(message, 'Expected values to be different', one, other, 'notStrictEqual');
        }
        export function deepEqual(one, other, message) {
          if (!isDeep(one, other, false)) fails(message, 'Expected values to be loosely deep-equal', one, other, 'deepEqual');
        }
        export function notDeepEqual(one, other, message) {
          if (isDeep(one, other, false)) fails(message, 'Expected values not to be deep-equal', one, other, 'notDeepEqual');
        }
        export function deepStrictEqual(one, other, message) {
          if (!isDeep(one, other, true)) fails(message, 'Expected values to be strictly deep-equal', one, other, 'deepStrictEqual');
        }
        export function notDeepStrictEqual(one, other, message) {
          if (isDeep(one, other, true)) fails(message, 'Expected values not to be deep-equal', one, other, 'notDeepStrictEqual');
        }
        export function match(text, pattern, message) {
          if (!pattern.test(text)) fails(message, 'The input did not match the regular expression', text, pattern, 'match');
        }
        export function doesNotMatch(text, pattern, message) {
          if (pattern.test(text)) fails(message, 'The input was expected to not match', text, pattern, 'doesNotMatch');
        }
        export function ifError(value) { if (value !== null && value !== undefined) throw value; }
        export function throws(body, ...rest) {
          const [expected, message] = split(...rest);
          let thrown;
          try { body(); } catch (error) { thrown = { error }; }
          if (!thrown) fails(message, 'Missing expected exception.', undefined, expected, 'throws');
          if (!fits(thrown.error, expected)) throw thrown.error;
        }
        export function doesNotThrow(body, ...rest) {
          try { body(); } catch (error) { fails(split(...rest)[1], 'Got unwanted exception.', error, undefined, 'doesNotThrow'); }
        }
        export async function rejects(body, ...rest) {
          const [expected, message] = split(...rest);
          let thrown;
          try { await (typeof body === 'function' ? body() : body); } catch (error) { thrown = { error }; }
          if (!thrown) fails(message, 'Missing expected rejection.', undefined, expected, 'rejects');
          if (!fits(thrown.error, expected)) throw thrown.error;
        }
        export async function doesNotReject(body, ...rest) {
          try { await (typeof body === 'function' ? body() : body); } catch (error) {
            fails(split(...rest)[1], 'Got unwanted rejection.', error, undefined, 'doesNotReject');
          }
        }
        Object.assign(assert, {
          AssertionError, ok, fail, equal, notEqual, strictEqual, notStrictEqual, deepEqual, notDeepEqual, deepStrictEqual,
          notDeepStrictEqual, match, doesNotMatch, ifError, throws, doesNotThrow, rejects, doesNotReject,
        });
        export const strict = Object.assign((value, message) => assert(value, message), assert, {
          equal: strictEqual, notEqual: notStrictEqual, deepEqual: deepStrictEqual, notDeepEqual: notDeepStrictEqual,
        });
        assert.strict = strict;
        """#

    private static let events = #"""
        export class EventEmitter {
          #listeners = new Map();
          #add(name, listener, isFirst, isOnce) {
            if (typeof listener !== 'function') throw new TypeError('The "listener" argument must be of type function.');
            const entry = { listener, isOnce };
            const list = this.#listeners.get(name) ?? [];
            this.#listeners.set(name, isFirst ? [entry, ...list] : [...list, entry]);
            return this;
          }
          on(name, listener) { return this.#add(name, listener, false, false); }
          addListener(name, listener) { return this.#add(name, listener, false, false); }
          once(name, listener) { return this.#add(name, listener, false, true); }
          prependListener(name, listener) { return this.#add(name, listener, true, false); }
          prependOnceListener(name, listener) { return this.#add(name, listener, true, true); }
          off(name, listener) { return this.removeListener(name, listener); }
          removeListener(name, listener) {
            const list = [...(this.#listeners.get(name) ?? [])];
            const index = list.map((entry) => entry.listener).lastIndexOf(listener);
            if (index >= 0) list.splice(index, 1);
            this.#listeners.set(name, list);
            return this;
          }
          removeAllListeners(name) {
            if (name === undefined) this.#listeners.clear(); else this.#listeners.delete(name);
            return this;
          }
          emit(name, ...values) {
            const list = this.#listeners.get(name) ?? [];
            if (list.length === 0) {
              if (name === 'error') throw values[0] instanceof Error ? values[0] : new Error(`Unhandled error. (${values[0]})`);
              return false;
            }
            for (const entry of list) {
              if (entry.isOnce) this.#listeners.set(name, (this.#listeners.get(name) ?? []).filter((other) => other !== entry));
              entry.listener.apply(this, values);
            }
            return true;
          }
          listenerCount(name) { return (this.#listeners.get(name) ?? []).length; }
          listeners(name) { return (this.#listeners.get(name) ?? []).map((entry) => entry.listener); }
          rawListeners(name) { return this.listeners(name); }
          eventNames() { return [...this.#listeners.keys()].filter((name) => this.listenerCount(name) > 0); }
          setMaxListeners() { return this; }
          getMaxListeners() { return 10; }
          static defaultMaxListeners = 10;
        }
        EventEmitter.EventEmitter = EventEmitter;
        export default EventEmitter;
        export const defaultMaxListeners = 10;
        export const once = (emitter, name) => new Promise((resolve, reject) => {
          emitter.once(name, (...values) => resolve(values));
          if (name !== 'error') emitter.once('error', reject);
        });
        """#

    private static let modules = #"""
        import { readFileSync } from 'node:fs';
        import { dirname, resolve } from 'node:path';
        import { fileURLToPath } from 'node:url';
        import { refuse } from 'homeport:node';
        const known = new Map();
        export function createRequire(place) {
          const file = typeof place === 'string' && !place.startsWith('file:') ? place : fileURLToPath(place);
          return function require(name) {
            if (typeof name !== 'string' || !/^\.{0,2}\//.test(name) || !name.endsWith('.json'))
              refuse(`require(${JSON.stringify(name)}) is not run here: only .json files of the project are read`, 'Use import.');
            const path = resolve(dirname(file), name);
            if (!known.has(path)) known.set(path, JSON.parse(readFileSync(path, 'utf8')));
            return known.get(path);
          };
        }
        export default { createRequire };
        """#

    // MARK: Packages

    /// The variables of `.env`, as the package of that name takes them: what is set already stays.
    private static let dotenv = #"""
        import { readFileSync } from 'node:fs';
        import { resolve } from 'node:path';
        import { fileURLToPath } from 'node:url';

        const line = /^[ \t\f\v\u00a0\ufeff]*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?[ \t]*(?:#.*)?$/gm;
        export function parse(source) {
          const variables = {};
          for (const [, name, written] of source.toString().replace(/\r\n?/g, '\n').matchAll(line)) {
            let value = (written ?? '').trim();
            const quote = value[0];
            value = value.replace(/^(['"`])([^]*)\1$/, '$2');
            if (quote === '"') value = value.replace(/\\n/g, '\n').replace(/\\r/g, '\r');
            variables[name] = value;
          }
          return variables;
        }
        export function populate(target, variables, { override = false } = {}) {
          for (const [name, value] of Object.entries(variables)) {
            if (override || !Object.hasOwn(target, name)) target[name] = value;
          }
          return target;
        }
        export function configDotenv(options = {}) {
          const paths = [options.path ?? '.env'].flat();
          const parsed = {};
          let error;
          for (const path of paths) {
            try {
              const file = typeof path === 'string' ? resolve(process.cwd(), path) : fileURLToPath(path);
              populate(parsed, parse(readFileSync(file, 'utf8')), options);
            } catch (failure) {
              error = failure;
            }
          }
          populate(options.processEnv ?? process.env, parsed, options);
          return error ? { parsed, error } : { parsed };
        }
        export const config = configDotenv;
        export default { config, configDotenv, parse, populate };
        """#
}
