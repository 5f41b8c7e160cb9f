import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { givenFields } from '#shared/platform/runtime/given.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The settings that an organization's administrators may change. */
export const OrganizationSettings = objectNamed('OrganizationSettings', {
  exploitationNeedsSecondPerson: z.boolean().default(true).meta({
    description:
      'an engagement that allows exploitation is approved by another administrator than the one who planned it',
  }),
  irreversibleNeedsSecondPerson: z
    .boolean()
    .default(false)
    .meta({
      description:
        'what cannot be undone (`x-irreversible` in the API reference) waits until a second person sends the same request, for seven ' +
        'days; to change this setting needs a second person, too',
    }),
  secondStepRequired: z
    .boolean()
    .default(false)
    .meta({
      description:
        'people sign in with a second step (an authenticator app); a person without one sets it up at the next sign-in, and sessions ' +
        'without one end at their next refresh',
    }),
  maximumCredentialDays: z.int().min(0).max(3650).default(0).meta({
    description: 'maximum lifetime in days of new API keys and service accounts; 0: no maximum',
  }),
  branchDays: z.int().min(1).max(365).default(30).meta({
    description: 'days without a scan after which a branch ends; a change holds within a day for all branches',
  }),
  assetStaleDays: z.int().min(1).max(365).default(30).meta({
    description: 'days after which an asset that nothing saw is stale',
  }),
  assetRetiredDays: z.int().min(1).max(3650).default(180).meta({
    description:
      'days after which an asset that nothing saw is retired and its findings leave lists and dashboards; a change holds within a day',
  }),
  mergeSameAssets: z.boolean().default(true).meta({
    description:
      'true: assets that are the same machine (docs/identity.md) are merged automatically; false: the service suggests the merge',
  }),
  alertWindowMinutes: z.int().min(1).max(10_080).default(60).meta({
    description: 'minutes in which events with the same `dedupKey` become one alert',
  }),
  findingAlerts: z
    .enum(['off', 'critical', 'high', 'exploited'])
    .default('off')
    .meta({
      description:
        'the findings of default branches that raise an alert when they appear, return or become such: `critical` severity, `high` ' +
        'or critical severity, or `exploited` (CISA KEV)',
    }),
});
export type OrganizationSettings = z.infer<typeof OrganizationSettings>;
export type FindingAlerts = OrganizationSettings['findingAlerts'];

/** Only the settings that differ from their defaults are stored, so that a later default reaches the others. */
type StoredSettings = Partial<OrganizationSettings> & { version?: number };

export const settingRows = defineRow<StoredSettings, object>({
  name: 'organization-settings',
  about: "an organization's settings, without those that it never changed",
  key: () => ['all'],
});

/** The settings that an organization changed. */
export const changedSettings = async (table: Table): Promise<Partial<OrganizationSettings>> =>
  givenFields(OrganizationSettings, (await table.rows(settingRows).find({}, true)) ?? {});

export const readSettings = async (table: Table): Promise<OrganizationSettings> =>
  OrganizationSettings.parse(await changedSettings(table));
