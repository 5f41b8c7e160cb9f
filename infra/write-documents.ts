import { writeFileSync } from 'node:fs';
import { billDocument } from './bill/document.ts';
import { exposureDocument } from './exposure-document.ts';
import { figuresDocument } from './figures-document.ts';
import { operationsDocument } from './operations-document.ts';
import { reportDocument } from './report-document.ts';
import { sampleEvents } from './sample-events.ts';
import { stateDocument } from './state-document.ts';
import { tableDocument } from './table-document.ts';

/** `npm run docs`: the pages of docs/ and the sample events that are made from the declarations. */
writeFileSync(new URL('../docs/table.md', import.meta.url), await tableDocument());
writeFileSync(new URL('../docs/report-formats.md', import.meta.url), await reportDocument());
writeFileSync(new URL('../docs/exposed-services.md', import.meta.url), exposureDocument());
writeFileSync(new URL('../docs/costs.md', import.meta.url), billDocument());
writeFileSync(new URL('../docs/figures.md', import.meta.url), figuresDocument());
writeFileSync(new URL('../docs/states.md', import.meta.url), await stateDocument());
writeFileSync(new URL('../functions/people/roles/operations.json', import.meta.url), operationsDocument());
for (const [name, event] of sampleEvents())
  writeFileSync(new URL(`../events/${name}.json`, import.meta.url), `${JSON.stringify(event, null, 2)}\n`);
