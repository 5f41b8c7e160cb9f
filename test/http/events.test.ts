import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AnswerOf } from '../support/client.ts';
import { everyRecordOf } from '../support/every-record.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { until } from '../support/wait.ts';

type Event = AnswerOf<'listEvents'>['data'][number];
type Served = { webhooks: Record<string, { post: { requestBody: { content: Record<string, object> } } }> };

const system = startSystem();
let organization: TestOrganization;
let events: Event[];

async function readAll(limit: number, types?: string): Promise<Event[]> {
  const all: Event[] = [];
  for (let since = 0, more = true; more; ) {
    const query = { limit, since, ...(types !== undefined && { types }) };
    const answer = await organization.admin.ok('listEvents', { query });
    all.push(...answer.data);
    ({ next: since, more } = answer);
  }
  return all;
}

/** An organization with a record of each collection, and some changes of a person. */
beforeAll(async () => {
  organization = await system.newOrganization();
  const { admin } = organization;
  const records = await everyRecordOf(system.connections, organization);
  const person = await organization.person();
  const params = { id: records.get('/api/v1/findings') ?? '' };
  await admin.ok('updateFinding', { params, body: { status: 'in_progress', assigneeId: person.id, reason: 'seen' } });
  const zone = await admin.ok('createZone', { body: { name: 'the last one', cidrs: [] } });
  events = await until(
    () => readAll(50),
    (all) => all.some(({ data }) => data.id === zone.id),
  );
});

describe('an organization with every kind of record', () => {
  test('has an event of each change in the form of CloudEvents, and as the API reference describes its type', async () => {
    const { webhooks, ...document } = (await system.client().ok('getApiDocument')) as unknown as Served;
    const checks = new Ajv2020({ strict: false });
    formats.default(checks);
    checks.addSchema(document, 'document');
    const schemas = JSON.parse(
      JSON.stringify(webhooks).replaceAll('"#/components/', '"document#/components/'),
    ) as Served['webhooks'];
    const { data: types } = await organization.admin.ok('listEventTypes');
    expect(new Set(types.map(({ type }) => type))).toEqual(new Set(Object.keys(webhooks)));
    for (const event of events) {
      const media = schemas[event.type]?.post.requestBody.content['application/json'] as { schema: object };
      const isValid = checks.compile(media.schema);
      expect(isValid(event), `${event.type}: ${JSON.stringify(isValid.errors)}`).toBe(true);
    }
    for (const { specversion, id, source, type, time } of events)
      expect([specversion, id, source, type, time].every(Boolean)).toBe(true);
  });

  test('has those that people wait for', () => {
    const happened = new Set(events.map(({ type }) => type));
    for (const type of [
      ...['finding.created', 'finding.status_changed', 'finding.assigned', 'vulnerability.created', 'asset.created'],
      ...['alert.created', 'incident.created', 'engagement.created', 'user.created', 'team.created', 'report.created'],
      ...['remediation.created', 'application.created', 'repository.created', 'exposed_credential.created'],
    ])
      expect(happened, type).toContain(type);
  });

  test('has each event once and in order, however they are read', async () => {
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const sequences = events.map(({ sequence }) => Number(sequence));
    expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences);
    const some = (await readAll(500)).slice(0, events.length);
    expect(some.map(({ id }) => id)).toEqual(ids);
  });

  test('shows a receiver that it lacks an event: the first one behind a number is the next of its types', async () => {
    const theirs = events.filter(({ type }) => /^(zone|asset)\./.test(type));
    expect(theirs.length).toBeGreaterThan(2);
    for (const [n, { sequence }] of theirs.slice(0, -1).entries()) {
      const query = { since: Number(sequence), limit: 1, types: 'zone.*,asset.*' };
      const { data } = await organization.admin.ok('listEvents', { query });
      const next = theirs.slice(n).find((one) => one.sequence !== sequence);
      expect(data[0]?.sequence).toBe(next?.sequence);
    }
  });

  test('tells nobody of changes who may not read the record, and no other organization', async () => {
    const viewer = await organization.withRole('viewer');
    const seen = (await viewer.ok('listEvents', { query: { limit: 500 } })).data.map(({ data }) => data.entity);
    expect(seen).toContain('finding');
    expect(seen).not.toContain('webhook-endpoint');
    const other = await system.newOrganization();
    const ids = (await other.admin.ok('listEvents', { query: { limit: 500 } })).data.map(({ subject }) => subject);
    expect(events.map(({ subject }) => subject).filter((subject) => ids.includes(subject))).toEqual([]);
  });

  test('begins with the events to come where somebody asks for the latest', async () => {
    const { data, next, more } = await organization.admin.ok('listEvents', { query: { since: 'latest' } });
    expect([data, more]).toEqual([[], false]);
    expect(next).toBeGreaterThanOrEqual(Number(events.at(-1)?.sequence));
  });
});
