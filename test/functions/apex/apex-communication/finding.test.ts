import { describe, expect, test } from 'vitest';
import { ApexFinding } from '#functions/apex/apex-communication/finding.ts';

const least = { externalId: 'x', title: 'X', severity: 'low' };
const target = { type: 'host', value: '10.0.0.1' };
const isTaken = (more: object) => ApexFinding.safeParse({ ...least, ...more }).success;

const text = (length: number) => 'x'.repeat(length);
const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);

describe('a finding of an appliance may have', () => {
  test.each<[string, number, (n: number) => object]>([
    ['characters in its external id', 200, (n) => ({ externalId: text(n) })],
    ['characters in its title', 300, (n) => ({ title: text(n) })],
    ['characters in its description', 16_000, (n) => ({ description: text(n) })],
    ['characters in the value of its target', 2000, (n) => ({ target: { ...target, value: text(n) } })],
    ['characters in the zone of its target', 120, (n) => ({ target: { ...target, zone: text(n) } })],
    ['as the port of its target', 65_535, (port) => ({ target: { ...target, port } })],
    ['characters in the path of its target', 2000, (n) => ({ target: { ...target, path: text(n) } })],
    ['CVEs', 50, (n) => ({ cves: list(n, 'CVE-2024-1') })],
    ['characters in a CVE', 40, (n) => ({ cves: [text(n)] })],
    ['CWEs', 50, (n) => ({ cwes: list(n, 'CWE-79') })],
    ['characters in a CWE', 40, (n) => ({ cwes: [text(n)] })],
    ['characters in its CVSS vector', 200, (n) => ({ cvssVector: text(n) })],
    ['techniques', 50, (n) => ({ attackTechniques: list(n, 'T1078') })],
    ['characters in a technique', 40, (n) => ({ attackTechniques: [text(n)] })],
    ['pieces of evidence', 20, (n) => ({ evidence: list(n, { kind: 'text', content: 'x' }) })],
    ['characters in a piece of evidence', 64_000, (n) => ({ evidence: [{ kind: 'text', content: text(n) }] })],
    ['characters in the id of an upload', 120, (n) => ({ evidence: [{ kind: 'text', uploadId: text(n) }] })],
    ['steps to reproduce it', 50, (n) => ({ reproduction: list(n, 'x') })],
    ['characters in a step', 2000, (n) => ({ reproduction: [text(n)] })],
    ['characters of advice', 8000, (n) => ({ remediation: text(n) })],
    ['references', 20, (n) => ({ references: list(n, 'https://example.com') })],
    ['characters in a reference', 2000, (n) => ({ references: [text(n)] })],
  ])('%s: up to %i and no more', (_, most, of) => {
    expect([isTaken(of(most)), isTaken(of(most + 1))]).toEqual([true, false]);
  });

  test.each<[string, (value: string) => object]>([
    ['external id', (externalId) => ({ externalId })],
    ['title', (title) => ({ title })],
    ['value of its target', (value) => ({ target: { ...target, value } })],
    ['zone of its target', (zone) => ({ target: { ...target, zone } })],
  ])('no empty %s', (_, of) => {
    expect(['x', '', '  '].map((value) => isTaken(of(value)))).toEqual([true, false, false]);
  });
});

test('a port is a number from 0', () => {
  expect([0, -1, 1.5].map((port) => isTaken({ target: { ...target, port } }))).toEqual([true, false, false]);
});

test('what a finding does not say is empty, and its confidence firm', () => {
  expect(ApexFinding.parse(least)).toEqual({
    ...least,
    confidence: 'firm',
    cves: [],
    cwes: [],
    attackTechniques: [],
    evidence: [],
    reproduction: [],
    references: [],
  });
  expect(isTaken({ target: { ...target, zone: null } })).toBe(true);
});
