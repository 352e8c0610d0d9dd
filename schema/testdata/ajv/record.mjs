// Records what Ajv says, for the tests of this package:
//
//   npm install && npm run record
//
// writes ../ajv.ndjson.gz. With --stdin it answers cases given as JSON lines instead. Each line is a case with its answers:
//
//   {"schema", "side", "compiled", "results": [[value, filled or null, [[instancePath, schemaPath, keyword, params, message, propertyName?]…]]…]}
//
// On the input side, a value's defaults are filled in first (useDefaults), and the filled copy is
// validated: that is what a pack service does. Ajv does both at once, so that keywords for any type see
// an object before its own properties fill it.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import vm from 'node:vm';
import { cases } from './cases.mjs';
import { formatCases } from './formats.mjs';
import { patternCases } from './patterns.mjs';
import { random, document, value, text } from './generate.mjs';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js');
const formats = require('ajv-formats');

const make = (useDefaults) => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: false, logger: false, useDefaults });
  (formats.default ?? formats)(ajv);
  return ajv;
};
const issue = (e) => [e.instancePath, e.schemaPath, e.keyword, e.params, e.message, ...(e.propertyName === undefined ? [] : [e.propertyName])];

/** Runs f for a while at most: some schemas never end. */
function bounded(f) {
  globalThis.boundedCall = f;
  return new vm.Script('boundedCall()').runInThisContext({ timeout: process.argv.includes('--stdin') ? 60000 : 2000 });
}

function judge({ schema, values, side = 'input' }) {
  let validate;
  let fill;
  try {
    bounded(() => {
      validate = make(false).compile(schema);
      if (side === 'input') fill = make(true).compile(schema);
    });
  } catch (e) {
    if (/timed out|call stack/.test(String(e))) return undefined;
    return { schema, side, compiled: false, values };
  }
  const results = [];
  for (const given of values) {
    let v = JSON.parse(given);
    try {
      if (fill) bounded(() => fill(v));
      const filled = JSON.stringify(v);
      v = JSON.parse(filled);
      bounded(() => validate(v));
      results.push([given, filled === JSON.stringify(JSON.parse(given)) ? null : filled, (validate.errors ?? []).map(issue)]);
    } catch {
      return undefined;
    }
  }
  return { schema, side, compiled: true, results };
}

/** Schemas in which Ajv is known to differ from the specification. */
function excluded(schema) {
  const s = JSON.stringify(schema);
  return s.includes('"contains"') && s.includes('"unevaluatedItems"'); // contains evaluates only the items that match
}

function all() {
  const out = [];
  for (const c of [...cases, ...formatCases(), ...patternCases()]) {
    for (const side of ['input', 'output']) {
      const j = judge({ ...c, side });
      if (side === 'output' && JSON.stringify({ ...j, side: '' }) === JSON.stringify({ ...out.at(-1), side: '' })) continue;
      out.push(j);
    }
  }
  const wanted = { true: 330, false: 120 };
  for (let seed = 1; wanted.true + wanted.false > 0; seed++) {
    const r = random(seed);
    const schema = JSON.parse(JSON.stringify(document(r)));
    if (excluded(schema)) continue;
    const j = judge({ schema, values: Array.from({ length: 9 }, () => text(value(r, schema, 3, schema.$defs ?? {}))), side: seed % 3 ? 'input' : 'output' });
    if (j === undefined || wanted[j.compiled] === 0 || JSON.stringify(j).length > 12000) continue;
    if (!j.compiled && j.side === 'output') continue;
    if (j.compiled && JSON.stringify(schema).length < 60 && r.chance(0.8)) continue;
    wanted[j.compiled]--;
    out.push(j);
  }
  return out;
}

if (process.argv.includes('--stdin')) {
  for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(judge(JSON.parse(line)) ?? null));
} else {
  const out = all().filter((j) => j !== undefined);
  const lines = out.map((j) => JSON.stringify(j)).join('\n') + '\n';
  writeFileSync(new URL('../ajv.ndjson.gz', import.meta.url), gzipSync(lines, { level: 9 }));
  const values = out.reduce((n, j) => n + (j.results?.length ?? 0), 0);
  console.log(`${out.length} schemas, ${out.filter((j) => j.compiled).length} of them compile; ${values} values; ${lines.length} bytes`);
}
