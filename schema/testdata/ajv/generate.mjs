// Random schemas in strict mode's style, and values near their edges. The same seed gives the same.

/** A small seeded generator of random numbers (mulberry32). */
export function random(seed) {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    int: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)],
    some: (list, p) => list.filter(() => next() < p),
  };
}

const NAMES = ['a', 'b', 'c', 'x1', 'y2', '10', '2', 'a/b', 'c~d', 'né', ''];
const PATTERNS = ['^a', 'b$', '^x[0-9]$', '[a-c]', '^.{2}$', '\\d', '^(?:ab|c)+$', '^\\p{L}+$', '^[^a]*$'];
const FORMATS = ['date', 'time', 'date-time', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'json-pointer', 'duration'];
const STRINGS = ['', 'a', 'ab', 'abc', 'b', 'c', 'x1', 'é', '😀', '😀😀', '1', 'abab', 'ba', '2024-02-29', '10:00:00Z', '2024-02-29T10:00:00Z',
  'http://a.b/c', 'a@b.cd', 'a.b', '127.0.0.1', '::1', '2eb8aa08-aa98-11ea-b4aa-73b441d16380', '/a/b', 'P1D'];
const NUMBERS = ['0', '1', '-1', '2', '3', '5', '10', '0.5', '1.5', '-2.5', '1.0', '1e1', '100', '1e12', '-0', '2.50'];

export function schema(r, depth, defs, branch = false, only = undefined) {
  if (depth > 0 && defs.length > 0 && only === undefined && r.chance(0.15)) return { $ref: `#/$defs/${r.pick(defs)}` };
  if (r.chance(0.04)) return r.chance(0.5);
  const type = only ?? r.pick(depth > 0 ? ['object', 'object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] : ['string', 'number', 'integer', 'boolean', 'null']);
  const s = {};
  if (r.chance(0.92)) s.type = r.chance(0.12) && type !== 'null' ? [type, 'null'] : type;
  if (r.chance(0.03)) s.description = 'd';
  if (r.chance(0.03)) s.nullable = r.chance(0.5);
  const sub = (d = depth - 1, b = branch) => schema(r, Math.max(0, d), defs, b);
  const limit = (p, key, f) => { if (r.chance(p)) s[key] = f(); };
  switch (type) {
    case 'string':
      limit(0.4, 'minLength', () => r.int(3));
      limit(0.3, 'maxLength', () => 1 + r.int(4));
      limit(0.3, 'pattern', () => r.pick(PATTERNS));
      limit(0.2, 'format', () => r.pick(FORMATS));
      break;
    case 'number':
    case 'integer':
      limit(0.4, 'minimum', () => r.int(5) - 1);
      limit(0.3, 'maximum', () => r.int(10));
      limit(0.15, 'exclusiveMinimum', () => r.int(3) - 1);
      limit(0.15, 'exclusiveMaximum', () => 1 + r.int(20));
      limit(0.2, 'multipleOf', () => r.pick([1, 2, 0.5, 3, 10]));
      limit(0.05, 'format', () => r.pick(['int32', 'int64', 'float', 'double']));
      break;
    case 'array':
      if (r.chance(0.25)) {
        const n = 1 + r.int(2);
        s.prefixItems = Array.from({ length: n }, () => sub());
        if (r.chance(0.9)) { s.minItems = n; if (r.chance(0.7)) s.items = r.chance(0.9) ? false : sub(); else s.maxItems = n; }
      } else {
        limit(0.75, 'items', () => sub());
        limit(0.25, 'minItems', () => r.int(3));
        limit(0.25, 'maxItems', () => 1 + r.int(3));
      }
      if (r.chance(0.2)) {
        s.contains = sub();
        limit(0.4, 'minContains', () => r.int(3));
        limit(0.4, 'maxContains', () => 1 + r.int(2));
      } else limit(0.02, 'minContains', () => 1);
      limit(0.3, 'uniqueItems', () => r.chance(0.9));
      limit(0.1, 'unevaluatedItems', () => (r.chance(0.6) ? false : sub()));
      break;
    case 'object': {
      const names = r.some(NAMES, 0.35);
      if (names.length > 0 || r.chance(0.5)) {
        s.properties = {};
        for (const n of names) {
          const p = sub();
          if (typeof p === 'object' && p.$ref === undefined && r.chance(branch ? 0.03 : 0.2)) p.default = value(r, p, 2, {});
          s.properties[n] = p;
        }
      }
      limit(0.5, 'required', () => { const l = r.some(names.filter(Boolean), 0.5); if (r.chance(0.05)) l.push('zz'); return l; });
      limit(0.35, 'additionalProperties', () => (r.chance(0.7) ? false : sub()));
      limit(0.15, 'patternProperties', () => Object.fromEntries(r.some(PATTERNS, 0.2).map((p) => [p, sub()])));
      limit(0.12, 'propertyNames', () => schema(r, 0, [], true, 'string'));
      limit(0.12, 'minProperties', () => r.int(4));
      limit(0.12, 'maxProperties', () => 1 + r.int(4));
      limit(0.12, 'dependentRequired', () => Object.fromEntries(r.some(NAMES, 0.2).map((n) => [n, r.some(NAMES.slice(0, -1), 0.2)])));
      limit(0.1, 'dependentSchemas', () => Object.fromEntries(r.some(NAMES, 0.15).map((n) => [n, schema(r, depth - 1, defs, branch, 'object')])));
      limit(0.04, 'dependencies', () => Object.fromEntries(r.some(NAMES, 0.15).map((n) => [n, r.chance(0.5) ? r.some(NAMES.slice(0, -1), 0.2) : schema(r, depth - 1, defs, branch, 'object')])));
      limit(0.12, 'unevaluatedProperties', () => (r.chance(0.7) ? false : sub()));
      break;
    }
  }
  if (depth > 0) {
    const same = (b) => schema(r, depth - 1, defs, b, r.chance(0.85) && s.type !== undefined ? type : undefined);
    const list = (b) => Array.from({ length: 1 + r.int(3) }, () => same(b));
    limit(0.1, 'anyOf', () => list(true));
    limit(0.1, 'oneOf', () => list(true));
    limit(0.08, 'allOf', () => list(branch));
    limit(0.07, 'not', () => same(true));
    if (r.chance(0.08)) {
      s.if = same(true);
      if (r.chance(0.8)) s.then = same(branch);
      if (r.chance(0.6)) s.else = same(branch);
    }
    if (r.chance(0.05) && defs.length > 0) s.$ref = `#/$defs/${r.pick(defs)}`;
  }
  if (r.chance(0.06)) s.enum = Array.from({ length: 1 + r.int(3) }, () => value(r, s, 1, {}));
  if (r.chance(0.04)) s.const = value(r, s, 1, {});
  if (r.chance(0.01)) s.typo = 1;
  return s;
}

/** A schema with definitions, some of them recursive. */
export function document(r) {
  const defs = r.some(['p', 'q', 'r/s'.replace('/', '_')], 0.35);
  const s = schema(r, 3, defs, false, r.chance(0.75) ? 'object' : undefined);
  if (typeof s !== 'object') return s;
  if (defs.length > 0) {
    s.$defs = {};
    for (const d of defs) s.$defs[d] = schema(r, 2, r.chance(0.5) ? defs : [], false);
  }
  return s;
}

/** A value that has a good chance to be valid, or nearly so. */
export function value(r, s, depth, defs) {
  if (typeof s !== 'object' || s === null || r.chance(0.08)) return any(r, depth);
  if (s.$ref !== undefined && r.chance(0.9)) return value(r, defs[s.$ref.slice(8)] ?? true, depth - 1, defs);
  if (s.const !== undefined && r.chance(0.7)) return s.const;
  if (s.enum !== undefined && r.chance(0.7)) return r.pick(s.enum);
  for (const key of ['anyOf', 'oneOf', 'allOf']) if (s[key] !== undefined && r.chance(0.4)) return value(r, { ...r.pick(s[key]) }, depth, defs);
  const type = Array.isArray(s.type) ? r.pick(s.type) : s.type;
  switch (type) {
    case 'string': return r.pick(STRINGS);
    case 'number': return new Raw(r.pick(NUMBERS));
    case 'integer': return new Raw(r.pick(NUMBERS));
    case 'boolean': return r.chance(0.5);
    case 'null': return null;
    case 'array': {
      const n = r.int(4);
      return Array.from({ length: n }, (_, i) => value(r, s.prefixItems?.[i] ?? (r.chance(0.3) ? s.contains : s.items) ?? s.unevaluatedItems ?? true, depth - 1, defs));
    }
    case 'object': {
      const o = {};
      if (depth <= -4) return o;
      for (const [n, p] of Object.entries(s.properties ?? {})) if (r.chance(0.6)) o[n] = value(r, p, depth - 1, defs);
      for (const n of s.required ?? []) if (!(n in o) && r.chance(0.8)) o[n] = value(r, s.properties?.[n] ?? true, depth - 1, defs);
      for (const n of NAMES) if (!(n in o) && r.chance(0.06)) o[n] = any(r, depth - 1);
      return o;
    }
  }
  return any(r, depth);
}

function any(r, depth) {
  switch (r.int(depth > 0 ? 8 : 5)) {
    case 0: return r.pick(STRINGS);
    case 1: return new Raw(r.pick(NUMBERS));
    case 2: return r.chance(0.5);
    case 3: return null;
    case 4: return r.pick(STRINGS);
    case 5: return Array.from({ length: r.int(3) }, () => any(r, depth - 1));
    default: return Object.fromEntries(r.some(NAMES, 0.2).map((n) => [n, any(r, depth - 1)]));
  }
}

/** A number as written: JSON.stringify would write 1.0 as 1. */
export class Raw {
  constructor(text) { this.text = text; }
  toJSON() { return Number(this.text); }
}

/** JSON text, with numbers as written. */
export function text(v) {
  if (v instanceof Raw) return v.text;
  if (Array.isArray(v)) return `[${v.map(text).join(',')}]`;
  if (v !== null && typeof v === 'object') return `{${Object.entries(v).map(([k, x]) => `${JSON.stringify(k)}:${text(x)}`).join(',')}}`;
  return JSON.stringify(v);
}
