import { expect, test } from 'vitest';
import { agedSelection } from '#shared/findings/sla/rescoring.ts';

test('the open findings that are due on some days are rated again, and all findings where the rating itself changed', () => {
  const due = { from: '2026-11-01', to: '2026-11-02' };
  const { where, between } = agedSelection({ due });
  expect(between).toEqual({ due });
  expect(where?.status).toContain('open');
  expect(where?.status).not.toContain('fixed');
  expect(agedSelection({ all: true })).toEqual({});
});
