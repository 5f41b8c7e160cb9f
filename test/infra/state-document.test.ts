import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { beginnings, declaredMachines, stateDocument } from '#infra/state-document.ts';
import { engagementOffers } from '#shared/scanning/engagements/engagement.ts';
import { readSources } from '../architecture/sources.ts';

test('docs/states.md draws the steps that the service allows (npm run docs renews it)', async () => {
  const written = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8');
  expect(written).toBe(await stateDocument());
});

/** States in which a record may be made, besides the first. */
const BORN: Record<string, string[]> = { 'Run of an Apex campaign': ['skipped'] };

test('no record gets stuck: every state is reached and leads only to declared states', async () => {
  for (const [name, machine] of await declaredMachines()) {
    const [first = '', ...others] = Object.keys(machine);
    const known = new Set([first, ...others]);
    expect(Object.values(machine).flatMap((verbs) => Object.values(verbs).filter((to) => !known.has(to)))).toEqual([]);
    expect(beginnings(machine), name).toEqual([first, ...(BORN[name] ?? [])]);
  }
});

/** Names in messages that are no names of operations: an operation on a run is one on its campaign. */
const RECORDS: Record<string, string> = { run: 'Campaign', 'deletion of an organization': 'OrganizationDeletion' };

/** A step that has an operation of another name. */
const OPERATIONS: Record<string, string> = { requestOrganizationDeletion: 'deleteOrganization' };

test('a refusal names steps that callers can ask for: each is an operation on the record', () => {
  const operations = new Set(areas.flatMap(({ routes }) => Object.keys(routes)));
  const told = [...readSources().values()].flatMap((text) =>
    [...text.matchAll(/name: '([\w ]+)',\s+offers: \[([^\]]*)\]/g)].flatMap(([, name = '', verbs = '']) => {
      const record = RECORDS[name] ?? name.replaceAll(/(?:^| )\w/g, (start) => start.trim().toUpperCase());
      return [...verbs.matchAll(/\w+/g)].map(([verb]) => `${verb}${record}`);
    }),
  );
  for (const taskTypes of [[], ['web' as const]])
    told.push(...engagementOffers({ taskTypes }).map((verb) => `${verb}Engagement`));
  expect(told.length).toBeGreaterThan(15);
  expect(told.filter((operation) => !operations.has(OPERATIONS[operation] ?? operation))).toEqual([]);
});
