import type { Waiting } from './waiting.ts';

type Message = Pick<Waiting, 'reason' | 'count' | 'lines'>;
type Shown = { title: string; lines: { text: string; url: string | undefined }[]; rest: string | undefined };

/** A message as both kinds of chat show it. */
function shownIn({ reason, count, lines }: Message, baseUrl: string): Shown {
  const rest = count - lines.length;
  return {
    title: count > 1 ? `${reason} (${count})` : reason,
    lines: lines.map(({ text, page }) => ({ text, url: page === null ? undefined : `${baseUrl}${page}` })),
    rest: rest > 0 ? `and ${rest} more` : undefined,
  };
}

/** Slack reads these as mark-up: mentions such as <!channel>, and links. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '');
/** In the text of a link this ends the address. */
const inLink = (text: string): string => escaped(text).replaceAll('|', '/');

const MAX_HEADER = 150;

/** The body of an incoming webhook of Slack, with blocks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). */
export function slackMessage(message: Message, baseUrl: string): object {
  const { title, lines, rest } = shownIn(message, baseUrl);
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  return {
    text: escaped(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, MAX_HEADER) } },
      ...lines.map(({ text, url }) => section(url ? `<${url}|${inLink(text)}>` : escaped(text))),
      ...(rest ? [{ type: 'context', elements: [{ type: 'mrkdwn', text: rest }] }] : []),
    ],
  };
}

/** The body of a workflow of Microsoft Teams that posts an Adaptive Card. Texts are runs, in which no mark-up works. */
export function teamsMessage(message: Message, baseUrl: string): object {
  const { title, lines, rest } = shownIn(message, baseUrl);
  const run = (text: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      run(title, { weight: 'Bolder', size: 'Medium' }),
      ...lines.map(({ text, url }) => run(text, url ? { selectAction: { type: 'Action.OpenUrl', url } } : {})),
      ...(rest ? [run(rest, { isSubtle: true })] : []),
    ],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}
