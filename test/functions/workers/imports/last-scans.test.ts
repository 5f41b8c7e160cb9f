import { expect, test } from 'vitest';
import { takePassed, takeReached } from '#functions/workers/imports/last-scans.ts';
import { newManifest } from '#functions/workers/imports/manifest.ts';
import { targetKey } from '#shared/ingest/imported-report.ts';
import { BENCHMARKS, type ReportAsset } from '#shared/reports/report/report.ts';

const [own, other] = BENCHMARKS;
const host: ReportAsset = { type: 'host', value: 'web-1' };
const shop: ReportAsset = { type: 'repository', value: 'https://git.example.com/acme/shop' };
const passed = (benchmark: (typeof BENCHMARKS)[number], key: string, asset: ReportAsset | null = null) =>
  ({ kind: 'passed', check: { benchmark, key }, asset }) as const;

test('a target has each check once that it passed, of the benchmark that its report names first', () => {
  const manifest = newManifest();
  for (const event of [
    passed(own, '1.1'),
    passed(own, '1.1'),
    passed(other, '9.9'),
    passed(own, '1.2'),
    passed(other, '9.9', host),
    passed(own, '1.3', host),
    passed(own, '1.1', shop),
  ])
    takePassed(manifest, event);
  expect(manifest.looked.passed).toEqual({
    '': { benchmark: own, checks: ['1.1', '1.2'] },
    [targetKey(host)]: { benchmark: other, checks: ['9.9'] },
    [targetKey(shop)]: { benchmark: own, checks: ['1.1'] },
  });
});

test('a look is noted on 20,000 targets of a report at most', () => {
  const manifest = newManifest();
  takeReached(manifest, shop);
  for (let n = 0; n < 20_000; n++) takeReached(manifest, { type: 'host', value: `web-${n}` });
  const { reached } = manifest.looked;
  expect(reached).toHaveLength(20_000);
  expect([reached[0]?.value, reached.at(-1)?.value]).toEqual(['https://git.example.com/acme/shop', 'web-19998']);
});
