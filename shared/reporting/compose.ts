import { shortened } from './charts/rough-width.ts';
import type { Block, Cell, ReportDocument, ReportSection, TableBlock } from './document.ts';
import { type Facts, hashOf } from './facts.ts';
import { isBrief, sectionsOf } from './kinds.ts';
import { type Language, UNFILTERED } from './report.ts';
import { type Page, tableOf } from './section.ts';
import { de } from './texts/de.ts';
import { en, type Words } from './texts/en.ts';
import { fr } from './texts/fr.ts';
import { formatOf, LOCALES } from './write/format.ts';

const TEXTS: Record<Language, Words> = { en, de, fr };

/**
 * A value in braces, with its word for 0, and words of which the value before decides: `{n|No} [findings|finding|findings]` has those for 0,
 * one and several, and `{n} [finding|findings]` leaves 0 to the rules of the language.
 */
const FORMS =
  /\{(\w{1,30})(?:\|([^|[\]{}]{1,20}))?\}|\[([^|[\]{}]{0,60})\|([^|[\]{}]{0,60})(?:\|([^|[\]{}]{0,60}))?\]/g;

function filled(text: string, values: Readonly<Record<string, string | number>>, rules: Intl.PluralRules): string {
  let last = '';
  return text.replace(
    FORMS,
    (_, name: string | undefined, none: string | undefined, ...forms: (string | undefined)[]) => {
      if (name === undefined) return formOf(forms, last, rules);
      const value = String(values[name] ?? '');
      if (/^\d/.test(value)) last = value;
      return value === '0' ? (none ?? value) : value;
    },
  );
}

function formOf(
  [first = '', second = '', third]: (string | undefined)[],
  value: string,
  rules: Intl.PluralRules,
): string {
  if (third !== undefined && value === '0') return first;
  const [one, other] = third === undefined ? [first, second] : [second, third];
  return /^\d+$/.test(value) && rules.select(Number(value)) === 'one' ? one : other;
}

/** @param baseUrl the address of the console, which opens lists */
export function pageIn(language: Language, baseUrl: string, short: Page['short'] = (name) => name): Page {
  const words = TEXTS[language];
  const locale = LOCALES[language];
  const numbers = new Intl.NumberFormat(locale);
  const shares = new Intl.NumberFormat(locale, { style: 'percent' });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
  const say: Page['say'] = (text, values = {}) => filled(words[text], values, new Intl.PluralRules(locale));
  return {
    say,
    number: (value) => numbers.format(value),
    percent: (share) => (share === null ? say('unknown') : shares.format(share)),
    day: (time) => (time === null ? say('never') : days.format(new Date(time))),
    time: (time) => times.format(new Date(time)),
    labelled: formatOf(language).labelled,
    month: (month) => (month === '' ? '' : months.format(new Date(`${month}-01`))),
    link: (list) => `${baseUrl}/open?list=${encodeURIComponent(list)}`,
    short,
  };
}

/** The document of the facts: the same facts always give the same document. */
export function compose(facts: Facts, baseUrl: string): ReportDocument {
  const { settings, asOf, since, organization, brand, about } = facts;
  const { kind, language, classification } = settings;
  const names = new Map<string, string>();
  const page = pageIn(language, baseUrl, kind === 'executive' ? shortening(names) : undefined);
  const title = settings.title ?? (about ? page.labelled(page.say(kind), about) : page.say(kind));
  const period = { from: page.day(since), to: page.day(asOf) };
  return {
    kind,
    title: page.short(title, ROOM.title),
    subtitle: page.say('subtitle', { organization: page.short(organization, ROOM.organization), ...period }),
    language,
    classification: classification && page.say(classification),
    brand,
    asOf,
    sections: [...sectionsIn(facts, page), ...figuresIn(facts, page), ...wholeNames(names, page)],
    provenance: provenanceOf(facts, page),
  };
}

/** Sentences and charts of the report to a board have no links: an appendix has each of their numbers with its list. */
function figuresIn({ settings: { kind }, sections }: Facts, page: Page): ReportSection[] {
  if (kind !== 'executive') return [];
  const rows = sectionsOf(kind).flatMap(([id, { title, figures }]) =>
    (figures?.(sections[id], page) ?? []).flatMap(([label, figure]): Cell[][] =>
      figure ? [[page.say(title), label, { text: page.number(figure.value), link: page.link(figure.list) }]] : [],
    ),
  );
  const columns: Parameters<typeof tableOf>[1]['columns'] = [
    ['subject', 'subject', 0.4],
    ['figure', 'figure', 0.4],
    ['value', 'value', 0.2, 'right'],
  ];
  const table = tableOf(page, { id: 'figures', title: 'figures', columns, rows });
  return [{ id: 'figures', title: table.title, appendix: true, startsPage: false, blocks: [table] }];
}

/** Two lines of the first page, in sizes of their letters. */
const ROOM = { title: 48, organization: 75 } as const;

/** Shortens names, and keeps each of them in full. */
const shortening =
  (names: Map<string, string>): Page['short'] =>
  (name, room) => {
    const short = shortened(name, room);
    if (short !== name && !names.has(name)) names.set(name, short);
    return short;
  };

/** The names that the report to a board shortens: two pages say all, and no letter is lost. */
function wholeNames(names: ReadonlyMap<string, string>, page: Page): ReportSection[] {
  if (names.size === 0) return [];
  const columns: Parameters<typeof tableOf>[1]['columns'] = [
    ['short', 'shortName', 0.3],
    ['name', 'wholeName', 0.7],
  ];
  const rows = [...names].map(([name, short]) => [short, name]);
  const table = tableOf(page, { id: 'names', title: 'wholeNames', columns, rows });
  return [{ id: 'names', title: table.title, appendix: true, startsPage: false, blocks: [table] }];
}

/** The sections of a kind. Those in short are one table of their sentences, and their own tables follow as an appendix on a new page. */
function sectionsIn({ settings: { kind }, sections }: Facts, page: Page): ReportSection[] {
  const all = sectionsOf(kind).map(([id, section]): ReportSection => {
    const { title, appendix = false, startsPage = false, blocks } = section;
    return { id, title: page.say(title), appendix, startsPage, blocks: blocks(sections[id], page) };
  });
  const brief = all.filter(({ id }) => isBrief(kind, id));
  if (brief.length === 0) return all;
  const main = all.filter((one) => !one.appendix && !brief.includes(one));
  const behind = brief.flatMap((one) => {
    const blocks = one.blocks.filter(({ block }) => block !== 'text');
    return blocks.length === 0 ? [] : [{ ...one, appendix: true, blocks }];
  });
  const appendix = [...behind, ...all.filter((one) => one.appendix)];
  return [
    ...main,
    inShort(brief, page),
    ...appendix.map((one, n) => ({ ...one, startsPage: n === 0 || one.startsPage })),
  ];
}

function inShort(sections: readonly ReportSection[], page: Page): ReportSection {
  const textOf = (block: Block) => (block.block === 'text' ? [block.text] : []);
  const rows = sections.map(({ title, blocks }) => [title, blocks.flatMap(textOf).join(' ')]);
  const columns: Parameters<typeof tableOf>[1]['columns'] = [
    ['subject', 'subject', 0.2],
    ['statement', 'statement', 0.8],
  ];
  const table = tableOf(page, { id: 'brief', title: 'brief', columns, rows });
  return { id: 'brief', title: page.say('brief'), appendix: false, startsPage: false, blocks: [table] };
}

const provenanceOf = (facts: Facts, page: Page): ReportDocument['provenance'] => [
  { label: page.say('madeAs'), text: page.say(facts.settings.kind) },
  { label: page.say('asOf'), text: `${page.time(facts.asOf)} UTC` },
  {
    label: page.say('period'),
    text: page.say('days', { n: facts.settings.periodDays, from: page.day(facts.since), to: page.day(facts.asOf) }),
  },
  ...(UNFILTERED.includes(facts.settings.kind)
    ? []
    : [{ label: page.say('filter'), text: facts.filter ?? page.say('everything') }]),
  { label: page.say('sight'), text: page.say(facts.isWhole ? 'wholeSight' : 'partSight') },
  { label: page.say('maker'), text: facts.maker },
  { label: page.say('reportId'), text: facts.reportId },
  { label: page.say('factsHash'), text: hashOf(facts) },
];

/** The tables of a document, in their order. */
export const tablesOf = ({ sections }: Pick<ReportDocument, 'sections'>): TableBlock[] =>
  sections.flatMap(({ blocks }) => blocks.filter((block) => block.block === 'table'));

/** The text of a cell without its link. */
export const textOf = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === 'object' ? cell.text : cell;
