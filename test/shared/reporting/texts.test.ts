import { expect, test } from 'vitest';
import { pageIn } from '#shared/reporting/compose.ts';

test('a text has the form of a word that its number asks for, in each language', () => {
  const said = (language: 'en' | 'de' | 'fr', n: string | number) => pageIn(language, '').say('decideCritical', { n });
  expect(said('en', 1)).toBe('Plan the repair of 1 critical finding.');
  expect(said('en', 0)).toBe('Plan the repair of 0 critical findings.');
  expect(said('en', '1,001')).toBe('Plan the repair of 1,001 critical findings.');
  expect(said('de', 1)).toBe('Die Behebung von 1 kritischen Fund planen.');
  expect(said('de', 2)).toBe('Die Behebung von 2 kritischen Funden planen.');
  expect(said('fr', 0)).toBe('Planifier la correction de 0 constat critique.');
  expect(said('fr', 2)).toBe('Planifier la correction de 2 constats critiques.');
});
