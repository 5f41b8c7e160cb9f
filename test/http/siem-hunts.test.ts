import { expect, test } from 'vitest';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

const RULE = `title: A password is tried
logsource: { product: linux, service: sshd }
detection: { selection: { message|contains: Failed password }, condition: selection }
`;

/** Events of two hosts: three failed logins, two of them on web-01. */
async function stored() {
  const { send, done, admin } = await logCollector(system);
  const failed = (seconds: number, host: string, user: string) =>
    ssh(ago(seconds), `Failed password for ${user} from 203.0.113.9 port 22 ssh2`, host);
  await send('1', [
    failed(90, 'web-01', 'bob'),
    failed(80, 'web-01', 'eve'),
    ssh(ago(70), 'Accepted publickey for bob from 10.0.3.7 port 22 ssh2', 'web-02'),
    failed(60, 'web-02', 'eve'),
    '{"message":"=1+1","host":{"name":"web-03"},"Ticket":"A-7"}',
  ]);
  await done('1');
  return admin;
}

const textOf = async (file: { url: string } | undefined) => (await fetch(file?.url ?? '')).text();

test('a rule that is not stored is tried on the past: an estimate, then a task with its matches and a file', async () => {
  const admin = await stored();
  const { data } = await admin.ok('searchEvents', { query: {} });
  expect(await admin.ok('estimateEvents', { query: {} })).toMatchObject({ events: data.length, segments: 1 });
  const body = { content: RULE, host: 'web-01', format: 'jsonl' as const };
  const hunt = await admin.ok('exportEvents', { query: { waitSeconds: 20 }, body });
  expect(hunt.file).toMatchObject({
    events: 2,
    newest: [
      { host: 'web-01', user: 'eve' },
      { host: 'web-01', user: 'bob' },
    ],
    mediaType: 'application/x-ndjson',
  });
  const events = (await textOf(hunt.file))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ user }) => user)).toEqual(['eve', 'bob']);
  // the events of the file are those of a test, as they are
  const tried = await admin.ok('testDetectionRule', { body: { content: RULE, events } });
  expect(tried.events.map(({ matches }) => matches)).toEqual([true, true]);
  const params = { taskId: hunt.taskId };
  const followed = await admin.ok('getEventsExport', { params });
  expect(followed).toMatchObject({ status: 'succeeded', progress: { unit: 'events' }, file: { events: 2 } });
  expect(followed.progress.done).toBe(followed.progress.total);
  expect(await admin.call('cancelEventsExport', { params })).toMatchObject({
    status: 400,
    body: { code: 'conflict' },
  });
});

test('all rules that are off are tried on the past at once, each with its matches, before somebody turns one on', async () => {
  const admin = await stored();
  const add = (title: string, text: string, enabled: boolean) =>
    admin.ok('createDetectionRule', {
      body: { content: RULE.replace('A password is tried', title).replace('Failed password', text), enabled },
    });
  const [failed] = [await add('Fails', 'Failed password', false), await add('Never', 'no such text', false)];
  await add('Succeeds', 'Accepted publickey', true);
  const tried = async (rules: 'off' | 'all', format: 'jsonl' | 'csv') =>
    (await admin.ok('exportEvents', { query: { waitSeconds: 20 }, body: { rules, format } })).file;
  const off = await tried('off', 'jsonl');
  const line = { ruleId: failed.id, sigmaId: null, title: 'Fails', enabled: false, matches: 3 };
  expect(off).toMatchObject({ events: 3, newest: [], rules: { tried: 2, matched: 1, most: [line] } });
  const lines = (await textOf(off)).trim().split('\n');
  expect(lines.map((one) => JSON.parse(one).matches)).toEqual([3, 0]);
  const all = await tried('all', 'csv');
  expect(all?.rules?.most.map(({ title, matches }) => [title, matches])).toEqual(
    expect.arrayContaining([
      ['Fails', 3],
      ['Succeeds', 1],
    ]),
  );
  expect(await textOf(all)).toContain(`"${failed.id}",,"Fails",false,3\r\n`);
  const refused = await admin.call('exportEvents', {
    query: {},
    body: { rules: 'on', ruleId: failed.id, format: 'csv' },
  });
  expect(refused.status).toBe(400);
});

test('events are exported as CSV with the columns that are asked for, and cells that are no formulas', async () => {
  const admin = await stored();
  const columns = ['host', 'fields.Ticket', 'message'];
  const body = { format: 'csv' as const, columns, filter: 'Ticket:*' };
  const { file } = await admin.ok('exportEvents', { query: { waitSeconds: 20 }, body });
  expect(await textOf(file)).toBe(`host,fields.Ticket,message\r\n"web-03","A-7","'=1+1"\r\n`);
  for (const [wrong, path] of [
    [{ content: 'title: x' }, 'content'],
    [{ filter: 'host:(' }, 'filter'],
    [{ columns: ['hosts'] }, 'columns.0'],
  ] as const) {
    const refused = await admin.call('exportEvents', { body: { format: 'csv', ...wrong } as never });
    expect(refused).toMatchObject({ status: 400, ...(path && { body: { details: [{ path }] } }) });
  }
});

test('the values of a field are counted exactly in what was read', async () => {
  const admin = await stored();
  expect(await admin.ok('countEventValues', { query: { field: 'host', filter: '-host:web-03' } })).toMatchObject({
    values: [
      { value: 'web-01', count: 2 },
      { value: 'web-02', count: 2 },
    ],
    distinct: 2,
    events: 4,
    withField: 4,
    isComplete: true,
    cursor: null,
  });
  const tickets = await admin.ok('countEventValues', { query: { field: 'ticket' } });
  expect(tickets).toMatchObject({ values: [{ value: 'A-7', count: 1 }], events: 5, withField: 1 });
});

test('a pair of a host and a user leaves out segments in which no event has both', async () => {
  const { send, done, admin } = await logCollector(system);
  const login = (host: string, user: string) =>
    ssh(ago(60), `Accepted publickey for ${user} from 10.0.3.7 port 22 ssh2`, host);
  for (const [batch, pairs] of Object.entries({
    apart: [login('web-01', 'bob'), login('web-02', 'eve')],
    together: [login('web-01', 'eve'), login('web-02', 'bob')],
  })) {
    await send(batch, pairs);
    await done(batch);
  }
  const found = await admin.ok('searchEvents', { query: { host: 'web-01', user: 'eve' } });
  expect(found).toMatchObject({ data: [{ host: 'web-01', user: 'eve' }], read: { segments: 1, skipped: 1 } });
});
