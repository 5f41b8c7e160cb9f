import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runAppliance } from '#local/reference-apex/appliance.ts';

/** `npm run apex -- --url ... --link-token ...`: a small appliance to start from, and the one that the tests drive. */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'link-token': { type: 'string' },
    'state-dir': { type: 'string', default: '.local/apex' },
    name: { type: 'string' },
    zone: { type: 'string' },
    capacity: { type: 'string', default: '2' },
  },
});

const capacity = Number(values.capacity);
if (!values.url || !Number.isInteger(capacity) || capacity < 1 || capacity > 15) {
  console.error(
    'usage: npm run apex -- --url URL [--link-token TOKEN] [--state-dir DIR] [--name NAME] [--zone ZONE] [--capacity 1..15]',
  );
  process.exit(64);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  await runAppliance(
    {
      url: values.url.replace(/\/+$/, ''),
      linkToken: values['link-token'],
      stateDirectory: resolve(values['state-dir']),
      name: values.name,
      zone: values.zone,
      capacity,
    },
    stopping.signal,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
