import { expect, test } from 'vitest';
import { COUNTED } from '#shared/assets/asset/open-counts.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

test('an asset shows the open findings and vulnerabilities of the collections that are declared', () => {
  expect(findings).toMatchObject(COUNTED.findings);
  expect(vulnerabilities).toMatchObject(COUNTED.vulnerabilities);
});
