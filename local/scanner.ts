import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runScanner } from '#local/reference-scanner/scanner.ts';
import { loadTools } from '#local/reference-scanner/tools.ts';

/** `npm run scanner -- --url ... --link-token ...`: a small scanner to start from, and the one that the demo runs. */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'link-token': { type: 'string' },
    'state-dir': { type: 'string', default: '.local/scanner' },
    name: { type: 'string' },
    zone: { type: 'string' },
    capacity: { type: 'string', default: '2' },
    tools: { type: 'string' },
  },
});

const capacity = Number(values.capacity);
if (!values.url || !Number.isInteger(capacity) || capacity < 1 || capacity > 50) {
  console.error(
    'usage: npm run scanner -- --url URL [--link-token TOKEN] [--state-dir DIR] [--name NAME] [--zone ZONE] [--capacity 1..50] [--tools FILE]',
  );
  process.exit(64);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  await runScanner(
    {
      url: values.url.replace(/\/+$/, ''),
      linkToken: values['link-token'],
      stateDirectory: resolve(values['state-dir']),
      name: values.name,
      zone: values.zone,
      capacity,
      tools: await loadTools(values.tools && resolve(values.tools)),
    },
    stopping.signal,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
