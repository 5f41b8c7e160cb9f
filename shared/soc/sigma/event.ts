import type { EventFields, SiemEvent } from '../siem/event.ts';

/** An event as rules ask it: the texts of a field, as they are and in lower case. */
export type EventTexts = {
  event: SiemEvent;
  /** Undefined where the event lacks the field. */
  texts: (field: string) => readonly string[] | undefined;
  lower: (field: string) => readonly string[] | undefined;
  /** All texts of the event, for words that may be anywhere. */
  everything: () => readonly string[];
  everythingLower: () => readonly string[];
  /** The names of all fields that the event may have. */
  names: () => readonly string[];
};

const ADDRESS = String.raw`((?:\d{1,3}\.){3}\d{1,3}|[\da-fA-F]{0,4}:[\da-fA-F:.]{1,40})`;
/** The address that sshd, PAM and others name in their messages, in the surest form first. */
const SENDERS = [String.raw`\s${ADDRESS} port \d`, String.raw`\brhost=${ADDRESS}`, String.raw`\bfrom ${ADDRESS}`].map(
  (form) => new RegExp(form, 'g'),
);

/** The last one counts: before it stands the name of the user, which may be any text, also one with another address. */
function senderIn(message: string): string | undefined {
  for (const form of SENDERS) {
    const last = [...message.matchAll(form)].at(-1)?.[1];
    if (last !== undefined) return last;
  }
  return undefined;
}

/** Parts of an event that the service itself read, by their names in rules. */
const READ: Readonly<Record<string, (event: SiemEvent) => string | null | undefined>> = {
  host: ({ host }) => host,
  Computer: ({ host }) => host,
  ComputerName: ({ host }) => host,
  user: ({ user }) => user,
  User: ({ user }) => user,
  action: ({ action }) => action,
  message: ({ message }) => message,
  src_ip: ({ message }) => senderIn(message),
};

const READ_NAMES = Object.keys(READ);

/** The value of a field of the event, otherwise of a part that the service read. */
function fieldValue(event: SiemEvent, field: string): EventFields[string] | undefined {
  if (Object.hasOwn(event.fields, field)) return event.fields[field];
  return (Object.hasOwn(READ, field) ? READ[field]?.(event) : undefined) ?? undefined;
}

const textsIn = (value: EventFields[string]): string[] => (Array.isArray(value) ? value : [String(value)]);
const lowered = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

/** Reads each field at most once for all rules. */
export function eventTexts(event: SiemEvent): EventTexts {
  const texts = kept((field: string) => {
    const value = fieldValue(event, field);
    return value === undefined ? undefined : textsIn(value);
  });
  const lower = kept((field: string) => {
    const found = texts(field);
    return found && lowered(found);
  });
  // of most formats the message is the line, and events of Windows have values under several names
  const everything = kept((_: '') => [
    ...new Set([event.message, event.raw, ...Object.values(event.fields).flatMap(textsIn)]),
  ]);
  const everythingLower = kept((_: '') => lowered(everything('')));
  return {
    event,
    texts,
    lower,
    everything: () => everything(''),
    everythingLower: () => everythingLower(''),
    names: () => [...Object.keys(event.fields), ...READ_NAMES.filter((name) => !Object.hasOwn(event.fields, name))],
  };
}

function kept<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const current = known.get(key);
    if (current !== undefined || known.has(key)) return current as V;
    const value = read(key);
    known.set(key, value);
    return value;
  };
}
