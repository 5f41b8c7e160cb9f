import type { Cell } from '../document.ts';
import type { Language } from './words.ts';

/** British English writes days before months, as the other languages do. */
export const LOCALES = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' } as const;

export type Format = {
  number: (value: number) => string;
  percent: (share: number) => string;
  day: (date: string) => string;
  time: (date: string) => string;
  /** A value after its label. */
  labelled: (label: string, value: string) => string;
  cell: (cell: Cell) => string;
};

export function formatOf(language: Language): Format {
  const locale = LOCALES[language];
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const colon = language === 'fr' ? '\u00a0: ' : ': ';
  const number = (value: number) => numbers.format(value);
  return {
    number,
    percent: (share) => percents.format(share),
    day: (date) => days.format(new Date(date)),
    time: (date) => times.format(new Date(date)),
    labelled: (label, value) => `${label}${colon}${value}`,
    cell: (cell) => {
      if (cell === null || cell === '') return '–';
      if (typeof cell === 'number') return number(cell);
      return typeof cell === 'string' ? cell : cell.text;
    },
  };
}

/** A link that a reader may follow: http or https. Texts from outside name others, and get no link. */
export function safeLink(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
