import * as z from 'zod';
import { Id, live, readOnly, Timestamp } from '../http/records.ts';
import { MACHINE_STATUSES } from './scanner.ts';

/** What every linked machine may say of itself; the body of its link operation begins with it. */
export const linkFields = {
  linkToken: z.string().max(200).optional().meta({ description: 'only to link; never answered' }),
  instanceId: z
    .uuid()
    .toLowerCase() // RFC 9562, section 4: in any case it is the same
    .optional()
    .meta({ description: 'kept by the installation; linking again with it is harmless' }),
  name: z.string().trim().min(1).max(120).optional(),
  version: z.string().max(120).nullish(),
  platform: z.string().max(120).nullish(),
  hostname: z.string().max(255).nullish(),
  zone: z.string().trim().min(1).max(120).nullish(),
};

/** What an operator may change of every machine. */
export const machineSettings = {
  name: z.string().trim().min(1).max(120),
  zone: z.string().trim().min(1).max(120).nullable().default(null),
  groupIds: z.array(Id).max(50).default([]).meta({
    description: 'ids of groups that you keep yourself: scanners alone have groups here, so these are not looked up',
  }),
  tags: z.array(z.string().min(1).max(60)).max(50).default([]),
  enabled: z.boolean().default(true),
};

/** What a stored machine says of itself, and when it was heard of. */
export const machineState = {
  instanceId: readOnly(Id.nullable()),
  /** Not `version`, which is that of the record. */
  softwareVersion: readOnly(z.string().nullable()),
  platform: readOnly(z.string().nullable()),
  hostname: readOnly(z.string().nullable()),
  status: live(z.enum(MACHINE_STATUSES)),
  lastSeenAt: live(Timestamp.nullable()),
};
