// Asks Ajv to compile every derived schema of derivations.golden, strictly and as that of an input, and
// records its answer beside:
//
//   npm install && node derived.mjs
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js');
const formats = require('ajv-formats');

const here = (name) => new URL(name, import.meta.url);
const golden = readFileSync(here('../derivations.golden'), 'utf8');
const refused = {};
let compiled = 0;
for (const part of golden.trim().split(/\n\n(?=# )/)) {
  const end = part.indexOf('\n');
  const [rule, document] = [part.slice(2, end), part.slice(end)];
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: false, useDefaults: true, logger: false });
  (formats.default ?? formats)(ajv);
  try {
    ajv.compile(JSON.parse(document));
    compiled++;
  } catch (e) {
    refused[rule] = String(e.message ?? e);
  }
}
const sha256 = createHash('sha256').update(golden).digest('hex');
writeFileSync(here('../derivations.ajv.json'), `${JSON.stringify({ sha256, compiled, refused }, null, 2)}\n`);
