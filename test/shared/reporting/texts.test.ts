import { expect, test } from 'vitest';
import { pageIn } from '#shared/reporting/compose.ts';

test('a text has the form of a word that its number asks for, in each language', () => {
  const said = (language: 'en' | 'de' | 'fr', n: string | number) => pageIn(language, '').say('decideCritical', { n });
  expect(said('en', 1)).toBe('Plan the repair of 1 critical finding.');
  expect(said('en', 0)).toBe('Plan the repair of 0 critical findings.');
  expect(said('en', '1,001')).toBe('Plan the repair of 1,001 critical findings.');
  expect(said('de', 1)).toBe('Die Behebung von 1 kritischen Befund planen.');
  expect(said('de', 2)).toBe('Die Behebung von 2 kritischen Befunden planen.');
  expect(said('fr', 0)).toBe('Planifier la correction de 0 constat critique.');
  expect(said('fr', 2)).toBe('Planifier la correction de 2 constats critiques.');
});

test('nothing is a word, and not the figure 0, where a sentence has a word for it', () => {
  const returned = (language: 'en' | 'de' | 'fr', n: number) =>
    pageIn(language, '').say('proofText', { n: 3, scan: 0, share: '0%', returned: n });
  expect(returned('en', 0)).toMatch(/proven none of them gone \(0%\)\. No finding returned\.$/);
  expect(returned('en', 2)).toMatch(/2 findings returned\.$/);
  expect(returned('de', 0)).toMatch(/bei keinem davon bewiesen \(0%\)\. Kein Befund kam zurück\.$/);
  expect(returned('de', 2)).toMatch(/2 Befunde kamen zurück\.$/);
  expect(returned('fr', 0)).toMatch(/Aucun constat n’est revenu\.$/);
  expect(returned('fr', 1)).toMatch(/1 constat est revenu\.$/);
});
