import { expect, test } from 'vitest';
import { COUNTED } from '#shared/assets/open-counts.ts';
import { findings } from '#shared/entities/finding.ts';
import { vulnerabilities } from '#shared/entities/vulnerability.ts';

test('an asset shows the open findings and vulnerabilities of the collections that are declared', () => {
  expect(findings).toMatchObject(COUNTED.findings);
  expect(vulnerabilities).toMatchObject(COUNTED.vulnerabilities);
});
