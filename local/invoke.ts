import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { fillEvent } from './invoke/fill-event.ts';
import { functions, invoke } from './invoke/functions.ts';
import { openSystem } from './invoke/open-system.ts';
import { readJsonFile } from './mistake.ts';
import { dataDirOption } from './running-system.ts';

/** `npm run invoke -- <function> events/<file>.json`: runs one Lambda with one event on the running local system. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: dataDirOption,
});
const [name = '', file] = positionals;
if (file && !existsSync(file)) console.error(`there is no file ${file}`);
if (!functions.has(name) || !file || !existsSync(file)) {
  console.error('usage: npm run invoke -- <function> events/<file>.json [--data-dir DIR]\n');
  console.error(`functions: ${[...functions.keys()].join(', ')}`);
  process.exit(64);
}

readJsonFile(file, z.unknown());
const system = await openSystem(resolve(values['data-dir']));
console.error(`${name} on ${system.origin}`);
const event = await fillEvent(readFileSync(file, 'utf8'), system);
const answer = await invoke(name, event);
console.log(JSON.stringify(answer, null, 2) ?? 'the function answered nothing, as expected');
await system.close();
