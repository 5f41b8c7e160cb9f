import type { Event } from '#shared/events/event.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Facts } from './facts.ts';
import type { Line } from './inbox.ts';
import { pageOf } from './pages.ts';

/** A text stays on one line of a letter and of a chat. */
const MAX_TEXT = 300;

/** Words for the verbs of types; another verb is written as it is. */
const VERBS: Readonly<Record<string, string>> = {
  created: 'was made',
  deleted: 'was removed',
  updated: 'changed',
  assigned: 'was assigned',
  due_soon: 'is due soon',
  overdue: 'is overdue',
  due_changed: 'is due at another time',
  expiring: 'ends soon',
  kev_added: 'is known to be exploited',
  ready: 'is ready',
  failed: 'failed',
  held: 'waits for a person who confirms how much it closes',
};

/** Verbs of comments and notes, with their authors before them. */
const COMMENTING: Readonly<Record<string, string>> = {
  created: 'commented on',
  mentioned: 'names you in a comment on',
  updated: 'changed a comment on',
  deleted: 'removed a comment on',
};

/** The line of an event in a message. It has the title of the record, never the values of other fields, nor the text of a comment. */
export function lineOf(event: Event, facts: Facts = {}): Line {
  const { id, type, subject, time, data } = event;
  const [record = '', kind] = data.entity.split('-');
  const text = kind === 'comment' || kind === 'note' ? ofComment(event, record, facts) : ofRecord(event, facts);
  const line = text.charAt(0).toUpperCase() + text.slice(1);
  const shown = shortened(line.replaceAll(/\s+/g, ' '), MAX_TEXT);
  return { eventId: id, type, subject, page: pageOf(event) ?? facts.page ?? null, text: shown, at: time };
}

function ofComment({ type, data }: Event, record: string, { title }: Facts): string {
  const verb = COMMENTING[type.split('.')[1] ?? ''] ?? 'changed a comment on';
  return `${data.actor.name} ${verb} the ${record}${title ? ` "${title}"` : ''}`;
}

function ofRecord({ type, data: { fields } }: Event, { title, severity, assetName }: Facts): string {
  const name = title ?? given(fields, 'title') ?? given(fields, 'name');
  const [of = '', verb = ''] = type.split('.');
  const named = [severity, of.replaceAll('_', ' '), name && `"${name}"`, assetName && `on ${assetName}`];
  const status = verb === 'status_changed' || verb === 'severity_changed' ? changeOf(verb, fields) : undefined;
  return [...named, status ?? VERBS[verb] ?? verb.replaceAll('_', ' ')].filter(Boolean).join(' ');
}

function changeOf(verb: string, fields: Event['data']['fields']): string | undefined {
  const to = given(fields, verb.replace('_changed', ''));
  return to === undefined ? undefined : `is now ${to.replaceAll('_', ' ')}`;
}

function given(fields: Event['data']['fields'], name: string): string | undefined {
  const to = fields[name]?.to;
  return typeof to === 'string' && to !== '' ? to : undefined;
}
