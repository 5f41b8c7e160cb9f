import * as z from 'zod';
import { Id, readOnly, recordFields } from '../http/records.ts';
import { count, defineEntity } from '../table/entity.ts';
import { linkFields, machineSettings, machineState } from './machine.ts';

export const OS_FAMILIES = ['linux', 'windows', 'macos'] as const;
export type OsFamily = (typeof OS_FAMILIES)[number];

const text = z.string().max(255).nullish();

const OsOfAgent = z.object({ family: z.enum(OS_FAMILIES), name: text, version: text, build: text, architecture: text });

/** What an agent says of its host. */
const host = {
  os: OsOfAgent.nullable().default(null),
  machineId: z.string().max(255).nullable().default(null),
  addresses: z.array(z.string().max(64)).max(256).default([]),
  macs: z.array(z.string().max(64)).max(256).default([]),
  cloud: z.object({ provider: text, accountId: text, instanceId: text }).nullable().default(null),
};

/** What an agent sends to link: what it is, and the host on which it runs. */
export const Agent = z
  .object({
    ...linkFields,
    ...host,
    os: OsOfAgent.partial({ family: true }).nullish(),
    tags: machineSettings.tags,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof Agent>;

export const LinkedAgent = z
  .object({
    ...recordFields,
    ...machineSettings,
    ...machineState,
    ...host,
    reportIntervalSeconds: z.int().min(10).max(86_400).default(60),
    assetId: readOnly(Id.nullable()),
  })
  .meta({ id: 'LinkedAgent' });
export type LinkedAgent = z.infer<typeof LinkedAgent>;

export const agents = defineEntity<LinkedAgent>(LinkedAgent, {
  name: 'agent',
  facets: ({ status, os }) => count({ status, family: os?.family }),
  tallies: ({ zone }) => [{ facet: 'zone', value: zone }],
  search: ({ name, hostname, zone, tags, addresses }) => [name, hostname, zone, ...tags, ...addresses],
  unique: ({ instanceId }) => ({ instanceId }),
});
