import { expect, test } from 'vitest';
import { chooseFormat } from '#shared/reports/formats/formats.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import type { ReportEvent } from '#shared/reports/report/report.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

async function read(entries: unknown[]): Promise<ReportEvent[]> {
  const events: ReportEvent[] = [];
  const open = async function* () {
    yield bytes(entries);
  };
  for await (const event of readReport('apex', open)) events.push(event);
  return events;
}

const entry = {
  externalId: 'shop-1',
  title: 'Login without a password',
  severity: 'high',
  confidence: 'confirmed',
  target: { type: 'url', value: 'https://shop.example.com/', path: '/login' },
  cves: ['cve-2024-12345'],
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  attackTechniques: ['T1078'],
  reproduction: ['open it', 'press enter'],
  evidence: [{ kind: 'screenshot', uploadId: 'u1' }],
};

test("an appliance's finding keeps its place, score, steps, techniques and evidence", async () => {
  const [, event] = await read([entry]);
  expect(event).toMatchObject({
    kind: 'finding',
    finding: {
      title: entry.title,
      severity: 'high',
      cves: ['CVE-2024-12345'],
      cvssScore: 7.5,
      asset: { type: 'url', value: 'https://shop.example.com/' },
      location: { url: 'https://shop.example.com/login' },
      description: 'Steps:\n1. open it\n2. press enter',
      tags: ['T1078', 'confirmed'],
      evidence: [{ kind: 'text', content: 'screenshot: upload u1' }],
      identity: ['shop-1'],
    },
  });
});

test('an entry without an id is rejected, and the other entries are kept', async () => {
  const events = await read([{ title: 'no id' }, entry]);
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'finding']);
});

test("an appliance's findings are not taken for a tool's report", async () => {
  expect((await chooseFormat('auto', JSON.stringify([entry]))).id).toBe('apex');
  expect((await chooseFormat('auto', JSON.stringify([{ 'template-id': 'x', info: {} }]))).id).toBe('nuclei');
});
