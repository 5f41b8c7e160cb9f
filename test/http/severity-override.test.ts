import { expect, test } from 'vitest';
import { sarif } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const soon = { waitSeconds: 20 };

const report = (severity: 'high' | 'medium') =>
  sarif([{ rule: 'a', file: 'src/a.ts', level: severity === 'high' ? 'error' : 'warning' }]);

async function imported(client: Client, content: string): Promise<string> {
  const body = { format: 'auto', content, repository: 'shop/api' } as const;
  return (await client.ok('importFindings', { query: soon, body })).taskId;
}

async function start() {
  const { admin } = await system.newOrganization();
  await imported(admin, report('high'));
  const [{ id = '' } = {}] = (await admin.ok('listFindings', {})).data;
  const patch = (body: object) => admin.call('updateFinding', { params: { id }, body });
  const shown = async () => {
    const { severity, severityOverridden, version } = await admin.ok('getFinding', { params: { id } });
    return { severity, severityOverridden, version };
  };
  return { admin, patch, shown };
}

test('a severity that a person set stays until null gives the finding that of its tool again', async () => {
  const { admin, patch, shown } = await start();
  expect(await shown()).toMatchObject({ severity: 'high', severityOverridden: false });
  expect(await patch({ severity: 'low' })).toMatchObject({ body: { severity: 'low', severityOverridden: true } });
  expect(await patch({ severity: 'info' })).toMatchObject({ body: { severity: 'info', severityOverridden: true } });
  expect(await patch({ severity: null })).toMatchObject({ body: { severity: 'high', severityOverridden: false } });
  await imported(admin, report('medium'));
  expect(await shown()).toMatchObject({ severity: 'medium', severityOverridden: false });
});

test('null gives the severity that the newest report has, also after one was undone', async () => {
  const { admin, patch, shown } = await start();
  await patch({ severity: 'low' });
  const taskId = await imported(admin, report('medium'));
  expect(await shown()).toMatchObject({ severity: 'low', severityOverridden: true });
  await patch({ severity: null });
  expect(await shown()).toMatchObject({ severity: 'medium' });
  await patch({ severity: 'low' });
  await admin.ok('undoImport', { params: { taskId }, query: soon });
  expect(await shown()).toMatchObject({ severity: 'low', severityOverridden: true });
  await patch({ severity: null });
  expect(await shown()).toMatchObject({ severity: 'high', severityOverridden: false });
});

test('null changes nothing where nobody set the severity, and is refused for a finding that somebody wrote', async () => {
  const { admin, patch, shown } = await start();
  const before = await shown();
  expect(await patch({ severity: null })).toMatchObject({ status: 200 });
  expect(await shown()).toEqual(before);
  const body = { title: 'x', severity: 'high', asset: { type: 'host', value: 'web-1' } } as const;
  const { id } = await admin.ok('createFinding', { body });
  const answer = await admin.call('updateFinding', { params: { id }, body: { severity: null } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: 'severity' }] } });
});
