import { expect, test } from 'vitest';
import { scanOf, siblingsOf } from '#functions/scanner-communication/submission.ts';
import { TaskResult } from '#shared/entities/scanner.ts';
import type { ScannerTask } from '#shared/entities/scanner-task.ts';
import { newId } from '#shared/runtime/ids.ts';

const page = (path: string) => ({ type: 'url' as const, value: `https://shop.example.com/${path}`, zone: null });
const result = TaskResult.parse({ taskId: newId(), outcome: 'completed' });
const scanTypeOf = (more: Partial<ScannerTask>) => {
  const task = { id: newId(), type: 'web', target: page(''), parameters: {}, zone: null, engagementId: newId() };
  return scanOf({ ...task, ...more } as ScannerTask, result).scanType;
};

test('a scan that left something alone is another scan: it closes nothing that a whole one found', () => {
  const [whole, narrow] = [scanTypeOf({}), scanTypeOf({ exclusions: [page('logout')] })];
  expect(whole).toBe('web');
  expect(narrow).not.toBe(whole);
  expect(scanTypeOf({ exclusions: [page('logout')] })).toBe(narrow);
  expect(scanTypeOf({ exclusions: [page('admin')] })).not.toBe(narrow);
});

test('reports that may be of one scope know of each other, so that none closes what another has', () => {
  const reports = ['sarif', 'nmap', 'sarif', 'auto'].map((format) => ({ format }));
  expect(reports.map((_, n) => siblingsOf(reports, n))).toEqual([[2, 3], [3], [0, 3], [0, 1, 2]]);
});
