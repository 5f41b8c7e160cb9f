import { writeFileSync } from 'node:fs';
import { stateDocument } from './state-document.ts';
import { tableDocument } from './table-document.ts';

/** `npm run docs`: the pages of docs/ that are made from the declarations. */
writeFileSync(new URL('../docs/table.md', import.meta.url), await tableDocument());
writeFileSync(new URL('../docs/states.md', import.meta.url), await stateDocument());
