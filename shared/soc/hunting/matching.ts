import type { Severity } from '#shared/reports/report/report.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventIn, type Segment, severityInitial, timeOfLine } from '#shared/soc/siem/segments.ts';
import { hostMark, pairMark, searchedWords, userMark, wordsOf } from '#shared/soc/siem/words.ts';
import { type EventFilter, eventFilter } from './event-filter.ts';
import type { Hunt } from './rule-test.ts';

/** An event of a segment that fits; `line` is the event as JSON. */
export type Match = { at: string; id: string; line: string };

export type Filter = {
  sourceId: string | undefined;
  severities: readonly Severity[] | undefined;
  host: string | undefined;
  user: string | undefined;
  words: readonly string[];
  fits: EventFilter['fits'] | undefined;
  hunt: Hunt | undefined;
};

/** Conditions on events, all of which must hold. */
export type Asked = {
  sourceId?: string | undefined;
  severity?: readonly Severity[] | undefined;
  host?: string | undefined;
  user?: string | undefined;
  search?: string | undefined;
  filter?: string | undefined;
};

export function filterOf({ sourceId, severity, host, user, search, filter }: Asked, hunt?: Hunt): Filter {
  const asked = filter === undefined ? undefined : eventFilter(filter);
  return {
    sourceId,
    severities: severity,
    host: host?.toLowerCase() ?? asked?.host,
    user: user?.toLowerCase() ?? asked?.user,
    words: [...(search === undefined ? [] : searchedWords(search)), ...(asked?.words ?? [])],
    fits: asked?.fits,
    hunt,
  };
}

/** The marks and words that the filter of a segment must have; if there are none, the row of the segment decides. */
export const markedBy = ({ host, user, words }: Filter): string[] => [
  ...(host === undefined ? [] : [hostMark(host)]),
  ...(user === undefined ? [] : [userMark(user)]),
  ...words,
];

/** The pair that the second filter of a segment must have. */
export const pairIn = ({ host, user }: Filter): string | undefined =>
  host === undefined || user === undefined ? undefined : pairMark(host, user);

/** Whether only events can say which of them match: the rows of segments cannot. */
export const needsEvents = (filter: Filter): boolean =>
  filter.hunt !== undefined || filter.fits !== undefined || markedBy(filter).length > 0;

/** Whether a segment may hold a matching event, by its row. */
export const mayHold = ({ sourceId, severities }: Filter, segment: Segment): boolean =>
  (sourceId === undefined || segment.sourceId === sourceId) &&
  (severities === undefined ||
    Object.keys(segment.counts).some((name) => severities.some((one) => name.endsWith(severityInitial(one)))));

type Within = { from: string; to: string };

/** The events of a segment's lines that match the filter and the time range, and how many had to be read whole. */
export function matchesIn(lines: readonly string[], segment: Segment, filter: Filter & Within) {
  const { from, to, fits, hunt } = filter;
  const mayFit = byText(filter);
  const some = lines.flatMap((line, i): Match[] => {
    const at = timeOfLine(line);
    if (at < from || at >= to || !mayFit(line)) return [];
    return [{ at, id: `${segment.id}.${String(i).padStart(5, '0')}`, line }];
  });
  if (!needsEvents(filter)) return { found: some, parsed: 0 };
  const isHunted = hunt?.over(some.map(({ line }) => ({ raw: line })));
  const found = some.filter(({ line }) => {
    const event = eventIn(line);
    return hasMarks(event, filter) && (!fits || fits(event)) && (!isHunted || isHunted(event));
  });
  return { found, parsed: some.length };
}

/** A line is only read as JSON where it has the text of every word: most lines have not. */
function byText({ severities, host, user, words, hunt }: Filter): (line: string) => boolean {
  const needles = [...words, ...[host, user].filter((one) => one !== undefined)].map((word) =>
    JSON.stringify(word).slice(1, -1),
  );
  return (line) => {
    if (severities && !severities.some((one) => isOf(line, one))) return false;
    if (needles.length === 0 && !hunt) return true;
    const lower = line.toLowerCase();
    return needles.every((needle) => lower.includes(needle)) && (!hunt || hunt.mayFit(lower));
  };
}

function hasMarks(event: SiemEvent, { host, user, words }: Filter): boolean {
  if (host !== undefined && event.host?.toLowerCase() !== host) return false;
  if (user !== undefined && event.user?.toLowerCase() !== user) return false;
  if (words.length === 0) return true;
  const has = wordsOf(event);
  return words.every((word) => has.has(word));
}

const SEVERITY = '"severity":"';

/** The event's own severity comes before all texts of the event. */
const isOf = (line: string, severity: Severity): boolean =>
  line.startsWith(`${severity}"`, line.indexOf(SEVERITY) + SEVERITY.length);
