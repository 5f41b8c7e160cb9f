import { expect, test } from 'vitest';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const shop = { repository: 'https://git.example.com/shop/api' };

type Import = { content: string } & Record<string, unknown>;

/** An organization with two findings, of which the report `left` lacks the second. */
async function startOrganization() {
  const { admin } = await system.newOrganization();
  const report = async (body: Import) => {
    const { taskId } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body: { ...shop, ...body } });
    return taskId;
  };
  const first = await report({ content: sarif(problems(2)) });
  const { data } = await admin.ok('listFindings', { query: {} });
  const { id = '' } = data.find(({ location }) => location.startsWith('src/file-1.ts')) ?? {};
  const read = () => admin.ok('getFinding', { params: { id } });
  return { admin, report, first, id, read };
}

const left = sarif(problems(1));

test('a finding names the last scan that reported it, until a scan proves it gone', async () => {
  const { report, first, read } = await startOrganization();
  const { whyOpen, firstSeenAt } = await read();
  expect(whyOpen).toEqual({
    scan: { taskId: first, at: firstSeenAt, tool: 'acme-scan' },
    missing: 'still_reported',
    message: 'The last scan of the scan scope still reports the finding.',
  });
  await report({ content: left });
  expect(await read()).toMatchObject({ status: 'fixed', whyOpen: null });
});

test.each<[string, string, Import]>([
  ['scan_partial', 'a partial report', { content: left, closeMissing: false }],
  ['not_in_scope', 'a scan of another type', { content: left, scanType: 'quick' }],
  [
    'other_tool',
    'a report of another folder',
    { content: sarif(problems(1), { automation: 'acme/folder:web/run-1' }) },
  ],
  ['report_incomplete', 'a report that breaks off', { content: left.slice(0, -9) }],
  ['still_reported', 'a scan of another type that reports it too', { content: sarif(problems(2)), scanType: 'quick' }],
])('%s: %s does not close a finding, which names it', async (missing, _name, body) => {
  const { report, read } = await startOrganization();
  const taskId = await report(body);
  expect(await read()).toMatchObject({ status: 'open', whyOpen: { scan: { taskId }, missing } });
});

test('a report that lacks something says in words why, where a person looks', async () => {
  const { admin, read } = await startOrganization();
  const report = JSON.parse(left);
  const message = 'The tool reports neither passed nor failed for 1 result. The first: runs[0].results[1].';
  report.runs[0].results.push({ kind: 'open', ruleId: 'r', message: { text: 'm' } });
  const body = { ...shop, content: JSON.stringify(report) };
  const { taskId, task, warnings } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
  const incomplete = [{ code: 'not_judged', message, count: 1 }];
  expect(task?.result).toMatchObject({ closed: 0, incomplete });
  expect(warnings).toEqual([`The report is incomplete and closes nothing: ${message}`]);
  const { data } = await admin.ok('listImports', { query: {} });
  expect(data.map((one) => one.incomplete)).toEqual([incomplete, undefined]);
  const { whyOpen } = await read();
  expect(whyOpen).toMatchObject({ scan: { taskId }, missing: 'report_incomplete' });
  expect(whyOpen?.message).toContain(message);
});

test('a closing that is held is named by its findings, and no longer once it is confirmed', async () => {
  const { admin, report, id, read } = await startOrganization();
  await report({ content: sarif(problems(30)) });
  const held = await report({ content: sarif([]) });
  expect((await read()).whyOpen).toMatchObject({ scan: { taskId: held }, missing: 'held' });
  const { taskId } = await admin.ok('confirmHeldClosing', { params: { taskId: held } });
  await admin.ok('getTask', { params: { id: taskId }, query: { waitSeconds: 20 } });
  expect(await read()).toMatchObject({ id, status: 'fixed', whyOpen: null });
});

test('a scan that is undone is no reason any more', async () => {
  const { admin, report, read } = await startOrganization();
  const taskId = await report({ content: left, closeMissing: false });
  await admin.ok('undoImport', { params: { taskId }, query: { waitSeconds: 20 } });
  expect((await read()).whyOpen).toMatchObject({ scan: null, missing: 'not_in_scope' });
});

test('a finding that a person wrote is closed by a person, and a read finding may be sent back', async () => {
  const { admin, read, id } = await startOrganization();
  const asset = { type: 'url' as const, value: 'https://shop.example.com' };
  const { id: written } = await admin.ok('createFinding', { body: { title: 'Weak reset', severity: 'low', asset } });
  const manual = await admin.ok('getFinding', { params: { id: written } });
  expect(manual.whyOpen).toMatchObject({ scan: null, missing: 'written_by_hand' });
  for (const [one, body] of [
    [written, manual],
    [id, await read()],
  ] as const)
    expect((await admin.ok('updateFinding', { params: { id: one }, body })).id).toBe(one);
});
