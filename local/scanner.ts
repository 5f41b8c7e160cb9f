import { resolve } from 'node:path';
import { capacityOf, readOptions, untilStopped } from './reference-machine/program.ts';
import { runScanner } from './reference-scanner/scanner.ts';
import { loadTools } from './reference-scanner/tools.ts';

/** `npm run scanner -- --url ... --link-token-file ...`: a small scanner, as an example and for the demo. */
const { installation, values, usage } = readOptions('scanner', { capacity: '1..50', tools: 'FILE' });
const capacity = capacityOf(values.capacity, 50) ?? usage();

await untilStopped(async (stopping) => {
  const tools = await loadTools(values.tools && resolve(values.tools));
  await runScanner({ ...installation, capacity, tools }, stopping);
});
