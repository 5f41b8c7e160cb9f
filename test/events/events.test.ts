import { readdirSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleEvents } from '#infra/sample-events.ts';
import { fillEvent } from '#local/invoke/fill-event.ts';
import { functions, invoke } from '#local/invoke/functions.ts';
import { type OpenSystem, openSystem } from '#local/invoke/open-system.ts';

/** Runs each sample event the way `npm run invoke` does. */
let system: OpenSystem;
beforeAll(async () => {
  system = await openSystem('/nowhere');
});
afterAll(() => system.close());

const run = async (name: string) => invoke(name, await fillEvent(readFileSync(`events/${name}.json`, 'utf8'), system));
const named = (suffix: string) => [...functions.keys()].filter((name) => name.endsWith(suffix));
const [workers, schedules] = [named('-worker'), named('-schedule')];
const areas = [...functions.keys()].filter((name) => !workers.includes(name) && !schedules.includes(name));

/** There is no completion, engagement, finding or remediation yet in a fresh system, and nobody of the provider's staff. */
const statuses: Record<string, number> = {
  'apex-llm': 400,
  'apex-intel': 400,
  'code-branches': 400,
  'finding-evidence': 400,
  'remediation-scans': 400,
  'public-apex': 401,
  organizations: 400,
  // the inbox of a person
  notifications: 401,
  // the sample is signed by nobody
  webhooks: 401,
};

describe('a developer can try each function with its sample event', () => {
  test('and its event is what the contract says: no event is out of date, or for a function that is gone', () => {
    const files = readdirSync('events').filter((file) => /^(?!import-).*\.json$/.test(file));
    const written = files.map((file) => [file, JSON.parse(readFileSync(`events/${file}`, 'utf8'))]);
    const made = [...sampleEvents()].map(([name, event]) => [`${name}.json`, event]);
    expect(Object.fromEntries(written), 'npm run docs renews the events').toEqual(Object.fromEntries(made));
  });

  test.each(areas)('%s', async (name) => {
    const answer = (await run(name)) as APIGatewayProxyStructuredResultV2;
    expect(answer.statusCode, answer.body).toBe(statuses[name] ?? 200);
  });

  test.each(workers)('%s', async (name) => {
    expect(await run(name)).toEqual({ batchItemFailures: [] });
  });

  test.each(schedules)('%s', async (name) => {
    expect(await run(name)).toBeUndefined();
  });
});
