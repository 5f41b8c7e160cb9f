import type { CalendarEvent } from './routes.ts';

const LABELS: Record<CalendarEvent['kind'], string> = {
  start: 'Start',
  window: 'Window',
  due: 'Due',
  campaign: 'Campaign',
};

/** The octets of a line without its line break (RFC 5545, section 3.1). */
const LINE = 75;

/**
 * Writes the events as a feed (RFC 5545). An event keeps its UID, so that a calendar program moves the event and adds
 * no second event. All times are in UTC, so the feed describes no time zones.
 */
export function feedOf(events: readonly CalendarEvent[], stamp: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Security Exposure Management//Engagements//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Engagements',
    ...events.flatMap((event) => eventLines(event, stamp)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

type About = Pick<CalendarEvent, 'campaignId' | 'engagementId' | 'status'>;

const aboutOf = ({ campaignId, engagementId, status }: About): string =>
  `${campaignId ? `Campaign ${campaignId} of engagement` : 'Engagement'} ${engagementId} (${status})`;

const eventLines = ({ id, kind, title, startsAt, endsAt, ...about }: CalendarEvent, stamp: string) => [
  'BEGIN:VEVENT',
  `UID:${id}@engagements`,
  `DTSTAMP:${basic(stamp)}`,
  `DTSTART:${basic(startsAt)}`,
  ...(endsAt === null ? [] : [`DTEND:${basic(endsAt)}`]),
  `SUMMARY:${escaped(`${LABELS[kind]}: ${title}`)}`,
  `DESCRIPTION:${escaped(aboutOf(about))}`,
  ...(kind === 'window' ? ['TRANSP:TRANSPARENT'] : []),
  'END:VEVENT',
];

/** Changes RFC 3339 to the basic form, in whole seconds. */
const basic = (time: string): string => time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '');

/** RFC 5545, section 3.3.11, which allows no other control characters in a text. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|[\r\n]/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');

/** Continues a long line on lines that begin with a space, and never divides a character. */
function fold(line: string): string {
  let folded = '';
  let room = LINE;
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (size > room) {
      folded += '\r\n ';
      room = LINE - 1;
    }
    folded += sign;
    room -= size;
  }
  return folded;
}
