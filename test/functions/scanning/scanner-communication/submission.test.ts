import { expect, test } from 'vitest';
import { scanOf, siblingsOf } from '#functions/scanning/scanner-communication/submission.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { TaskResult } from '#shared/scanning/scanners/scanner.ts';

const page = (path: string) => ({ type: 'url' as const, value: `https://shop.example.com/${path}`, zone: null });
const result = TaskResult.parse({ taskId: newId(), outcome: 'completed' });
const scan = (more: Partial<ScannerTask>) => {
  const task = { id: newId(), type: 'web', target: page(''), parameters: {}, zone: null, engagementId: newId() };
  return scanOf({ ...task, ...more } as ScannerTask, result);
};
const scanTypeOf = (more: Partial<ScannerTask>) => scan(more).scanType;

test('a scan that left something alone is another scan: it closes nothing that a whole one found', () => {
  const [whole, narrow] = [scanTypeOf({}), scanTypeOf({ exclusions: [page('logout')] })];
  expect(whole).toBe('web');
  expect(narrow).not.toBe(whole);
  expect(scanTypeOf({ exclusions: [page('logout')] })).toBe(narrow);
  expect(scanTypeOf({ exclusions: [page('admin')] })).not.toBe(narrow);
});

test('excluded addresses narrow no scan, because a scan that meets one fails', () => {
  const address = { type: 'host' as const, value: '10.0.0.9', zone: null };
  expect(scanTypeOf({ exclusions: [address] })).toBe('web');
  expect(scanTypeOf({ exclusions: [address, page('logout')] })).toBe(scanTypeOf({ exclusions: [page('logout')] }));
});

test('commits of a branch share one scope whatever the order of parameters; other parameters make another', () => {
  const first = scanTypeOf({ parameters: { depth: 2, ref: 'main', commit: 'a', baseRef: 'main' } });
  expect(scanTypeOf({ parameters: { commit: 'b', ref: 'next' } })).toBe('web');
  expect(scanTypeOf({ parameters: { ref: 'next', commit: 'b', depth: 2 } })).toBe(first);
  const many = scanTypeOf({ parameters: { depth: 2, agent: 'x' } });
  expect(scanTypeOf({ parameters: { agent: 'x', depth: 2 } })).toBe(many);
  expect(new Set(['web', first, many]).size).toBe(3);
});

test('a scan of changes alone closes nothing, because it looked at no other file', () => {
  const codeScan = (depth: 'full' | 'changes') => ({ codeScan: { depth } }) as unknown as Partial<ScannerTask>;
  expect(scan(codeScan('changes'))).toMatchObject({ closeMissing: false });
  expect(scan(codeScan('full'))).not.toHaveProperty('closeMissing');
  expect(scan({})).not.toHaveProperty('closeMissing');
});

test('findings of an engagement belong to it, and those of a scan without one to none', () => {
  const [engagementId, runId] = [newId(), newId()];
  expect(scan({ engagementId, runId })).toMatchObject({ engagementId, runId });
  const alone = scan({ engagementId: null, runId: null });
  expect([Object.keys(alone).includes('engagementId'), Object.keys(alone).includes('runId')]).toEqual([false, false]);
});

test('reports that may be of one scope know of each other, so that none closes what another has', () => {
  const reports = ['sarif', 'nmap', 'sarif', 'auto'].map((format) => ({ format }));
  expect(reports.map((_, n) => siblingsOf(reports, n))).toEqual([[2, 3], [3], [0, 3], [0, 1, 2]]);
});
