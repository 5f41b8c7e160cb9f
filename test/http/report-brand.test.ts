import { expect, test } from 'vitest';
import { exampleReport, pdfOf } from '../shared/reporting/example.ts';
import { pngOf } from '../support/png.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();
const logo = pngOf({ width: 120, height: 40 }).toString('base64');

async function made({ admin }: Pick<TestOrganization, 'admin'>): Promise<string> {
  const { taskId, resource } = await admin.ok('generateReport', { body: { kind: 'accepted_risks' } });
  expect((await finished(admin, taskId)).status).toBe('succeeded');
  return resource?.id ?? '';
}

async function fileOf({ admin }: Pick<TestOrganization, 'admin'>, id: string, format: 'html' | 'pdf' | 'xlsx') {
  const { url } = await admin.ok('getReportFile', { params: { id }, query: { format } });
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

test('reports have the looks of the moment in which they are made, and keep them', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const none = { logo: null, colour: null, accent: null, footer: null, classification: null };
  expect(await admin.ok('getReportBrand')).toEqual(none);
  const before = await made(organization);
  const former = await Promise.all(
    (['html', 'pdf', 'xlsx'] as const).map((format) => fileOf(organization, before, format)),
  );
  const looks = {
    logo,
    colour: '#0b5c6b',
    accent: '#b3154a',
    footer: 'Acme & Sons',
    classification: 'internal' as const,
  };
  expect(await admin.ok('updateReportBrand', { body: looks })).toEqual(looks);

  const after = await made(organization);
  const html = String(await fileOf(organization, after, 'html'));
  expect(html).toContain(`src="data:image/png;base64,${logo}"`);
  for (const text of ['Internal', 'Acme &amp; Sons', '#b3154a']) expect(html).toContain(text);
  const again = await Promise.all(
    (['html', 'pdf', 'xlsx'] as const).map((format) => fileOf(organization, before, format)),
  );
  expect(again.every((bytes, n) => former[n]?.equals(bytes))).toBe(true);
  expect(await admin.ok('updateReportBrand', { body: { logo: null, footer: null } })).toEqual({
    ...looks,
    logo: null,
    footer: null,
  });
});

test('a picture with transparency is drawn as the same bytes each time', async () => {
  const report = exampleReport();
  const branded = { ...report, brand: { ...report.brand, logo } };
  const first = await pdfOf(branded);
  expect(first.includes('/SMask')).toBe(true);
  for (let n = 0; n < 5; n++) expect((await pdfOf(branded)).equals(first)).toBe(true);
});

test('colours that readers cannot see and files that are no small picture are refused, and change nothing', async () => {
  const { admin } = await system.newOrganization();
  const whole = pngOf({ width: 120, height: 40 });
  const bomb = pngOf({ width: 10, height: 10, pixels: Buffer.alloc(5_000_000) });
  const wrong: [object, string, RegExp][] = [
    [{ colour: '#ffe000' }, 'colour', /contrast of at least 4.5 on white: #\w{6} has it/],
    [{ accent: '#fefefe' }, 'accent', /contrast of at least 3/],
    [{ colour: 'red' }, 'colour', /such as #1f4e8c/],
    [{ logo: Buffer.from('<svg onload="x"/>').toString('base64') }, 'logo', /must be a PNG/],
    [{ logo: whole.subarray(0, -20).toString('base64') }, 'logo', /whole PNG/],
    [{ logo: bomb.toString('base64') }, 'logo', /do not unpack/],
    [{ logo: pngOf({ width: 1700, height: 2 }).toString('base64') }, 'logo', /1600 times 800/],
    [{ logo: 'A'.repeat(300_000) }, 'logo', /./],
  ];
  for (const [body, path, message] of wrong) {
    const answer = await admin.call('updateReportBrand', { body: { footer: 'changed', ...body } as never });
    expect({ body: answer.body, status: answer.status }).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path }] },
    });
    expect(Object(answer.body).details[0].message).toMatch(message);
  }
  expect(await admin.ok('getReportBrand')).toMatchObject({ logo: null, colour: null, footer: null });
});

test('an analyst reads the looks, and changes none', async () => {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  expect((await analyst.call('getReportBrand')).status).toBe(200);
  expect((await analyst.call('updateReportBrand', { body: { footer: 'mine' } })).status).toBe(401);
});
