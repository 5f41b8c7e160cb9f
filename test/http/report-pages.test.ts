import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { compose } from '#shared/reporting/compose.ts';
import type { Facts } from '#shared/reporting/facts.ts';
import { pdfOf } from '../shared/reporting/example.ts';
import { findingDraft } from '../support/findings.ts';
import { readPdf } from '../support/pdf.ts';
import { pngOf } from '../support/png.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

/** Reports as readers get them: pages that nothing leaves, and words where there is nothing to show. */
const system = startSystem();

async function make({ admin }: TestOrganization, body: object) {
  const { taskId, resource } = await admin.ok('generateReport', { body: body as never });
  expect((await finished(admin, taskId)).status).toBe('succeeded');
  const fileOf = async (format: 'json' | 'pdf') => {
    const { url } = await admin.ok('getReportFile', { params: { id: resource?.id ?? '' }, query: { format } });
    return new Uint8Array(await (await fetch(url)).arrayBuffer());
  };
  const { document, facts } = JSON.parse(Buffer.from(await fileOf('json')).toString('utf8'));
  const blocks: Record<string, unknown>[] = document.sections.flatMap((section: object) => Object(section).blocks);
  return { blocks, facts, pdf: readPdf(await fileOf('pdf')) };
}

const APPENDIX = { en: 'Appendix', de: 'Anhang', fr: 'Annexe' } as const;
const logo = pngOf({ width: 120, height: 40 }).toString('base64');

/** The facts with a name of 200 letters for the organization, each application and each person, no two of them alike. */
function withLongNames(facts: Facts, letters: string): { long: Facts; names: string[] } {
  const names: string[] = [];
  const named = (name: string) => {
    const known = names.find((one) => one.startsWith(`${name} `));
    const long = known ?? `${name} ${letters.repeat(200)}`.slice(0, 200);
    if (!known) names.push(long);
    return long;
  };
  const { topApplications, summary, accepted, ...sections } = structuredClone(facts.sections) as never as Named;
  for (const row of topApplications.rows) Object.assign(row, { name: named(row.name), owner: named('Olga') });
  for (const decision of summary.decisions) decision.owners = ['Olga', 'Paul', 'Rosa'].map(named);
  accepted.by = ['Olga', 'Paul', 'Rosa'].map((name) => ({ name: named(name), n: 12 }));
  accepted.by.push({ name: 'Ugo', n: 3 });
  accepted.all.value = 480;
  const organization = named('Group');
  const brand = { ...facts.brand, organization, logo };
  const all = { ...sections, topApplications, summary, accepted };
  return { long: { ...facts, organization, brand, sections: all as never }, names };
}
type Named = {
  topApplications: { rows: { name: string }[] };
  summary: { decisions: { owners: string[] }[] };
  accepted: { by: { name: string; n: number }[]; all: { value: number } };
};

test.each([
  ['en', 'north-western and '],
  ['de', 'W'],
  ['fr', 'north-western and '],
] as const)(
  'a report to a board is two pages, whatever the names are, and an appendix with all of them (%s)',
  async (language, letters) => {
    const organization = await system.newOrganization();
    const { admin, table } = organization;
    const owner = await organization.person('analyst');
    for (let n = 0; n < 11; n++) {
      const { id } = await admin.ok('createApplication', { body: { name: `Application ${n}`, ownerId: owner.id } });
      const more = { severity: 'critical', kev: n < 3 ? (true as const) : undefined } as const;
      await table.create(
        findings,
        findingDraft(now(), { applicationIds: [id], dueAt: '2026-01-01T00:00:00Z', ...more }),
      );
      if (n === 4) await make(organization, { kind: 'executive', language });
    }
    const settings = { kind: 'executive', language, title: 'T'.repeat(200), classification: 'strictly_confidential' };
    const { pdf, blocks, facts } = await make(organization, settings);
    expect(blocks).toContainEqual(expect.objectContaining({ block: 'table', id: 'applications', total: 11 }));
    expect(pdf.texts.find(({ text }) => text === APPENDIX[language])?.page).toBe(3);
    expect(pdf.texts.some(({ page, text }) => page === 2 && text.startsWith('Application 10'))).toBe(true);
    const { long, names } = withLongNames(facts, letters);
    const { texts } = readPdf(await pdfOf(compose(long, 'https://console.example.com')));
    expect(texts.find(({ text }) => text === APPENDIX[language])?.page).toBe(3);
    expect(texts.filter(({ x, right }) => x < 40 || right > 560)).toEqual([]);
    const text = texts.map((one) => one.text).join('');
    for (const name of [...names, settings.title])
      expect(text.replaceAll(/\s/g, '')).toContain(name.replaceAll(' ', ''));
  },
);

test('an organization without records has honest reports of each kind: words, and nothing that is stable or better', async () => {
  const organization = await system.newOrganization();
  const kinds = ['executive', 'technical', 'compliance', 'accepted_risks', 'remediation_plan', 'sbom_vex', 'audit_log'];
  for (const kind of [...kinds, 'executive']) {
    const { blocks } = await make(organization, { kind });
    expect(blocks.filter(({ block }) => block === 'chart')).toEqual([]);
    for (const block of blocks) {
      if (block.block === 'verdict') expect(block).toMatchObject({ label: null, tone: 'none' });
      if (block.block === 'tiles')
        expect(Object(block.tiles)).toEqual(Object(block.tiles).map(() => expect.objectContaining({ change: null })));
      if (block.block === 'table') expect(String(block.empty)).toMatch(/\.$/);
      if (block.block === 'table' && block.total === 0) expect(block.empty).not.toBe('None.');
    }
    const verdict = blocks.find(({ block }) => block === 'verdict');
    if (kind === 'executive') expect(verdict?.text).toContain('Nothing is known yet');
    if (kind === 'executive')
      expect(blocks).toContainEqual({ block: 'text', text: 'The figures ask for no decision.' });
  }
});

test('long names of everything stay on their pages with all of their letters', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const long = (name: string, length: number) => `${name} ${'ß'.repeat(length - name.length - 1)}`;
  const { id: applicationId } = await admin.ok('createApplication', { body: { name: long('application', 120) } });
  const { id: teamId } = await admin.ok('createTeam', { body: { name: long('team', 120) } });
  const asset = { id: applicationId, type: 'host', name: long('asset', 200), zone: null } as const;
  const more = { severity: 'critical', kev: true, asset, applicationIds: [applicationId] as string[] } as const;
  const title = long('title', 200);
  const { id } = await table.create(findings, findingDraft('2026-01-01T00:00:00Z', { title, ...more }));
  await admin.ok('updateFinding', { params: { id }, body: { assigneeId: teamId } });
  for (const about of [{ kind: 'application', applicationId }, { kind: 'team', teamId }, { kind: 'technical' }]) {
    const { pdf } = await make(organization, about);
    expect(pdf.texts.filter(({ x, right }) => x < 40 || right > 560)).toEqual([]);
    const text = pdf.texts.map((one) => one.text).join('');
    expect(text.split('ß').length - 1).toBeGreaterThan(2 * (200 - 10 + 200 - 10));
  }
});

test('an audit log has its times and operations in words', async () => {
  const organization = await system.newOrganization();
  await organization.admin.ok('createTeam', { body: { name: 'Platform' } });
  await until(
    () => organization.admin.ok('listAudit', { query: {} }),
    ({ data }) => data.some(({ operation }) => operation === 'createTeam'),
  );
  const { blocks, pdf } = await make(organization, { kind: 'audit_log', periodDays: 1 });
  const [table] = blocks.filter(({ block }) => block === 'table');
  expect(JSON.stringify(table)).toContain('"Create team"');
  expect(pdf.texts.filter(({ text }) => /\d{4}-\d\d-\d\dT|createTeam|make_report/.test(text))).toEqual([]);
});
