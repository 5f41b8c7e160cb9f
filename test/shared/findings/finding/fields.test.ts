import { expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { type FindingField, findingFields } from '#shared/findings/finding/finding-fields.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';

/** A field that a finding does not have yet. */
type Later = StoredFinding & { costCenter?: string };
const costCenter = { merge: 'decision', feed: 'value', history: true } as const;

test('a new field of a finding is asked for by the compiler, and feed, history and merge derive from its row', () => {
  // @ts-expect-error the table lacks the field
  const lacking = findingFields satisfies Record<keyof Later, FindingField>;
  const later = { ...lacking, costCenter } as const satisfies Record<keyof Later, FindingField>;
  // @ts-expect-error whether the history keeps it is missing
  const silent: FindingField = { merge: 'own', feed: 'name' };
  expect(silent.history).toBeUndefined();
  expect(fieldsWhere(later, 'feed', 'value')).toContain('costCenter');
  expect(fieldsWhere(later, 'history', true)).toContain('costCenter');
  expect(fieldsWhere(later, 'merge', 'decision')).toContain('costCenter');
  expect(findings.feedFields).toEqual(fieldsWhere(findingFields, 'feed', 'value'));
});
