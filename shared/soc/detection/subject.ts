import { type AlertEntity, MAX_ENTITIES } from '../alerts/alert.ts';
import type { EventTexts } from '../sigma/event.ts';

type EntityType = AlertEntity['type'];

/** Fields of the usual logs that name the entity of an alert. */
const NAMED: readonly (readonly [EntityType, readonly string[]])[] = [
  ['user', ['TargetUserName', 'SubjectUserName', 'user.name', 'userIdentity.arn', 'userIdentity.userName']],
  [
    'ip',
    ['SourceIp', 'IpAddress', 'source.ip', 'src_ip', 'src', 'sourceIPAddress', 'src_endpoint.ip', 'DestinationIp'],
  ],
  ['process', ['Image', 'NewProcessName', 'process.executable', 'process.file.path', 'exe']],
  ['domain', ['QueryName', 'dns.question.name']],
  ['url', ['url.full', 'url.original']],
  ['hash', ['file.hash.sha256', 'process.hash.sha256']],
];

const MAX_VALUE = 1024;

/** The entities that an event concerns: host and user first. */
function subjectsOf({ event, texts }: EventTexts): AlertEntity[] {
  const named = NAMED.flatMap(([type, fields]) =>
    fields.flatMap((field) => (texts(field) ?? []).map((value) => [type, value] as const)),
  );
  const own = [['host', event.host ?? ''] as const, ['user', event.user ?? ''] as const];
  return [...own, ...named].flatMap(([type, value]) => {
    const trimmed = value.trim();
    const isEmpty = trimmed === '' || trimmed === '-' || trimmed.length > MAX_VALUE;
    return isEmpty ? [] : [{ type, value: trimmed, assetId: null }];
  });
}

/** Entities without repetition, as many as an alert takes; further events are not read for them. */
export function newSubjects() {
  const known = new Map<string, AlertEntity>();
  return {
    add(event: EventTexts): void {
      if (known.size >= MAX_ENTITIES) return;
      for (const one of subjectsOf(event)) if (known.size < MAX_ENTITIES) known.set(`${one.type} ${one.value}`, one);
    },
    all: (): AlertEntity[] => [...known.values()],
  };
}
