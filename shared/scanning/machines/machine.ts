import * as z from 'zod';
import { anyOf } from '#shared/platform/http/pagination.ts';
import { Id, live, readOnly, Timestamp } from '#shared/platform/http/records.ts';
import { latestDayFirst } from '#shared/platform/runtime/clock.ts';
import { count } from '#shared/platform/table/entity.ts';

export const MACHINE_STATUSES = ['online', 'offline', 'never_connected', 'disabled'] as const;

/** The fields that describe any machine; the body of each link operation begins with them. */
export const linkFields = {
  linkToken: z.string().max(200).optional().meta({ description: 'only for linking; never part of an answer' }),
  instanceId: z
    .uuid()
    .toLowerCase() // RFC 9562, section 4: upper and lower case mean the same
    .optional()
    .meta({ description: 'created and stored by the installation; linking again with it also needs `clientSecret`' }),
  clientId: z.string().max(200).optional().meta({ description: 'of a machine that links again' }),
  clientSecret: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'the present secret of a machine that links again; never part of other answers' }),
  name: z.string().trim().min(1).max(120).optional(),
  version: z.string().max(120).nullish(),
  platform: z.string().max(120).nullish(),
  hostname: z.string().max(255).nullish(),
  zone: z.string().trim().min(1).max(120).nullish(),
};

/** The settings of any machine that an operator may change. */
export const machineSettings = {
  name: z.string().trim().min(1).max(120),
  zone: z.string().trim().min(1).max(120).nullable().default(null),
  groupIds: z.array(Id).max(50).default([]).meta({
    description:
      'ids of groups in your own systems; the service stores them unchecked, because only scanners have groups here',
  }),
  tags: z.array(z.string().min(1).max(60)).max(50).default([]),
  enabled: z.boolean().default(true),
};

/** The fields of any machine whose values the change feed reports. */
export const machineFeedFields = [
  'name',
  'zone',
  'groupIds',
  'tags',
  'enabled',
  'status',
  'hostname',
  'softwareVersion',
] as const;

/** The description of a stored machine, and the time of its last contact. */
export const machineState = {
  instanceId: readOnly(Id.nullable()).meta({ description: 'only administrators see it', readOnly: true }),
  /** The version of the machine's software; `version` is the record's. */
  softwareVersion: readOnly(z.string().nullable()),
  platform: readOnly(z.string().nullable()),
  hostname: readOnly(z.string().nullable()),
  status: live(z.enum(MACHINE_STATUSES)),
  lastSeenAt: live(Timestamp.nullable()),
};

type Contact = { status: (typeof MACHINE_STATUSES)[number]; lastSeenAt: string | null };

/** The order of machines that went silent: those that were seen last come first. */
const bySilence = ({ status, lastSeenAt }: Contact) => ({
  silent: status === 'offline' && lastSeenAt ? latestDayFirst(lastSeenAt) : null,
});

type Machine = Contact & { name: string; hostname: string | null; zone: string | null; tags: string[] } & {
  instanceId: string | null;
};

/** A query parameter. */
export const countedStatus = anyOf(z.enum(MACHINE_STATUSES))
  .optional()
  .meta({ description: 'the status by which dashboards count, which follows `status` of the record within minutes' });

/** The counters, words and order of machines that have nothing of their own. */
export const plainMachine = {
  feedFields: machineFeedFields,
  facets: ({ status }: Machine) => count({ status }),
  indexed: ({ status }: Machine) => ({ status }),
  tallies: ({ zone }: Machine) => [{ facet: 'zone', value: zone }],
  ordered: bySilence,
  search: ({ name, hostname, zone, tags }: Machine) => [name, hostname, zone, ...tags],
  unique: ({ instanceId }: Machine) => ({ instanceId }),
};
