import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { runs } from '../../../support/tier.ts';
import { repository } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

type Match = { severity: string; fixed: readonly string[]; link: string };

/** Matches of Grype for one package that several sources report. */
const grype = (matches: readonly Match[], padding = 0): Submission => ({
  source: 'import',
  format: 'grype',
  target: repository('shop'),
  report: {
    content: JSON.stringify({
      matches: [
        ...matches.slice(0, 1).map(matchOf),
        ...Array.from({ length: padding }, (_, n) => matchOf({ severity: 'Low', fixed: [], link: '' }, n)),
        ...matches.slice(1).map(matchOf),
      ],
      source: { type: 'directory', target: '.' },
    }),
  },
});
const matchOf = ({ severity, fixed, link }: Match, n?: number, all?: unknown) => ({
  vulnerability: {
    id: 'CVE-2020-9547',
    severity,
    fix: { versions: fixed, state: fixed.length > 0 ? 'fixed' : 'unknown' },
    urls: link ? [link] : [],
  },
  artifact: { name: all ? 'jackson-databind' : `other-${n}`, version: '2.8.8', locations: [{ path: 'app.jar' }] },
});

const MATCHES: Match[] = [
  { severity: 'Medium', fixed: [], link: 'https://a.example' },
  { severity: 'Critical', fixed: ['2.9.10.4'], link: 'https://b.example' },
  { severity: 'High', fixed: ['2.10.0'], link: 'https://c.example' },
];

async function detailOf(matches: readonly Match[], padding = 0) {
  const table = world.newOrganization();
  const { result } = await world.ingest(table, grype(matches, padding));
  const ordinals = await ordinalsOf(table, findings, {});
  const all = await wholeRecordsAt(table, findings, { ordinals, consistent: true });
  return { result, whole: all.find(({ component }) => component?.name === 'jackson-databind') };
}

test('entries of one problem add to one finding, in any order, and are counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(MATCHES, { minLength: 3 }), async (matches) => {
      const { result, whole } = await detailOf(matches);
      expect(result).toMatchObject({ created: 1, repeated: 2 });
      expect(whole).toMatchObject({ severity: 'critical', component: { fixedVersions: ['2.10.0', '2.9.10.4'] } });
      expect(whole?.references).toEqual(
        expect.arrayContaining(['https://a.example', 'https://b.example', 'https://c.example']),
      );
    }),
    { numRuns: runs(2, 6) },
  );
});

test('an entry that repeats one of thousands of entries before adds to it, too', async () => {
  const { result, whole } = await detailOf(MATCHES, 2100);
  expect(result).toMatchObject({ created: 2101, repeated: 2 });
  expect(whole).toMatchObject({ severity: 'critical', component: { fixedVersions: ['2.10.0', '2.9.10.4'] } });
});

test('an entry that repeats one which the last report had alone adds to it', async () => {
  for (const padding of [0, 2100]) {
    const table = world.newOrganization();
    const [first] = MATCHES;
    await world.ingest(table, grype(first ? [first] : [], padding));
    const { result } = await world.ingest(table, grype(MATCHES, padding));
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: padding, repeated: 2 });
    const again = await world.ingest(table, grype(MATCHES, padding));
    expect(again.result).toMatchObject({ updated: 0, unchanged: padding + 1, repeated: 2 });
    const ordinals = await ordinalsOf(table, findings, {});
    const all = await wholeRecordsAt(table, findings, { ordinals, consistent: true });
    const whole = all.find(({ component }) => component?.name === 'jackson-databind');
    expect(whole).toMatchObject({ severity: 'critical', component: { fixedVersions: ['2.10.0', '2.9.10.4'] } });
  }
});

test('the same report again changes nothing', async () => {
  const table = world.newOrganization();
  await world.ingest(table, grype(MATCHES));
  const { result } = await world.ingest(table, grype(MATCHES.toReversed()));
  expect(result).toMatchObject({ created: 0, updated: 0, unchanged: 1, repeated: 2 });
});
