import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areas } from '#functions/contract.ts';
import { apiDocument } from './openapi/document.ts';

/** `npm run openapi`: writes the API document to `dist/openapi.json`. */
const file = fileURLToPath(new URL('../dist/openapi.json', import.meta.url));
await mkdir(dirname(file), { recursive: true });
const document = apiDocument(areas);
await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
console.log(`dist/openapi.json: ${Object.keys(document.paths ?? {}).length} paths`);
