import { isDeepStrictEqual } from 'node:util';
import { repositories } from '#shared/code/repositories/repository.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { saveExclusion } from '#shared/exposure/asset-links/exclusions.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { assetTagRules } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { assertCondition } from '#shared/exposure/asset-rules/condition.ts';
import { saveRule as saveAssetRule } from '#shared/exposure/asset-rules/save.ts';
import { changePolicies } from '#shared/findings/bulk/change-policies.ts';
import { assertGateFilter } from '#shared/findings/gate/gate.ts';
import { assertExceptions, readPolicies } from '#shared/findings/sla/sla-policies.ts';
import { saveRule } from '#shared/findings/suppression/save.ts';
import { assertConditions } from '#shared/findings/suppression/stored.ts';
import { suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { type Subscription, subscriptions } from '#shared/notifications/subscription.ts';
import { collections } from '#shared/organizations/filtered.ts';
import type { RoleArea } from '#shared/platform/auth/levels.ts';
import { type Caller, isAdmin, mayAcceptRisks } from '#shared/platform/auth/permissions.ts';
import { assertRuleFilter, type RuleFilter } from '#shared/platform/filter/rule.ts';
import type { FilterUser, SavedFilter, StoredSavedFilter } from '#shared/platform/filter/saved-filter.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import { filteredBy } from '#shared/ticketing/match.ts';
import { saveTicketRule } from '#shared/ticketing/save-rule.ts';
import { ticketRules } from '#shared/ticketing/ticket-rule.ts';

type Copy = RuleFilter | null | undefined;

/** How a rule with a copy of a saved filter is known and changed. */
type Use<R> = {
  /** Only administrators of the area change a filter that such a rule uses. */
  area: RoleArea;
  nameOf: (rule: R) => string;
  copyOf: (rule: R) => Copy;
  /** @throws conflict, validation_failed for a filter that the rule cannot have, or the caller cannot give it */
  assert: (rule: R, filter: RuleFilter, caller: Caller) => void | Promise<void>;
  /** Changes the rule, with the task that a change of the rule starts. */
  save: (context: Context, rule: R, by: { filter: RuleFilter; caller: Caller }) => Promise<unknown>;
};

/** A rule that uses a saved filter. */
type User = {
  filterId: string;
  area: RoleArea;
  shown: FilterUser;
  copy: Copy;
  assert: (filter: RuleFilter, caller: Caller) => void | Promise<void>;
  save: (context: Context, by: { filter: RuleFilter; caller: Caller }) => Promise<unknown>;
};

type UsersIn = (table: Table, filterIds: readonly string[]) => Promise<User[]>;
type Rule = Stored & { filterId?: string | null | undefined };

/** The rules of an entity, which the index finds by their filter (`markedFilter`). */
const rules =
  <R extends Rule>(type: FilterUser['type'], entity: Entity<R>, use: Use<R>): UsersIn =>
  async (table, filterIds) => {
    const found = (await recordsOf(table, entity, { where: { filter: [...filterIds] } })) as R[];
    return found.map((rule) => ({
      filterId: rule.filterId ?? '',
      area: use.area,
      shown: { type, id: rule.id, name: use.nameOf(rule) },
      copy: use.copyOf(rule),
      assert: (filter, caller) => use.assert(rule, filter, caller),
      save: (context, by) => use.save(context, rule, by),
    }));
  };

/** The exceptions of the SLA policies, which are no records of their own. */
const slaExceptions: UsersIn = async (table, filterIds) => {
  const { exceptions } = await readPolicies(table);
  return exceptions.flatMap(({ filterId, filter: copy, name }): User[] => {
    if (filterId == null || !filterIds.includes(filterId)) return [];
    return [
      {
        filterId,
        area: 'findings',
        shown: { type: 'sla_exception', id: null, name },
        copy,
        assert: (filter) => assertExceptions({ exceptions: [{ name, tags: [], criticalities: [], days: {}, filter }] }),
        async save(context, { filter }) {
          const current = (await readPolicies(context.table)).exceptions;
          const next = current.map((one) => (one.filterId === filterId ? { ...one, filter } : one));
          await changePolicies(context, { patch: { exceptions: next }, ifMatch: undefined });
        },
      },
    ];
  });
};

/** The scan policies of repositories, whose filters are those of gates. */
const scanPolicies: UsersIn = async (table, filterIds) => {
  const found = await recordsOf(table, repositories, { where: { filter: [...filterIds] } });
  return found.map((repository) => ({
    filterId: repository.scanPolicy.filterId ?? '',
    area: 'assets',
    shown: { type: 'scan_policy', id: repository.id, name: repository.fullName },
    copy: repository.scanPolicy.filter,
    assert: (filter) => assertGateFilter(filter),
    save: (context, { filter }) =>
      context.table.update(repositories, repository, { scanPolicy: { ...repository.scanPolicy, filter } }),
  }));
};

type Reader = Stored & Pick<Subscription, 'name' | 'matching'>;

/** The readers of the log, whose filters choose events by their records. */
const readers =
  <R extends Reader>(type: FilterUser['type'], entity: Entity<R>): UsersIn =>
  async (table, filterIds) => {
    const found = (await recordsOf(table, entity, { where: { filter: [...filterIds] } })) as R[];
    return found.flatMap((reader): User[] => {
      const { id, name, matching } = reader;
      if (!matching) return [];
      return [
        {
          filterId: matching.filterId ?? '',
          area: 'organization',
          shown: { type, id, name },
          copy: matching.filter,
          assert: (filter) => assertRuleFilter(collections[matching.entity].fields, filter),
          save: ({ table }, { filter }) => {
            const changes: Partial<Reader> = { matching: { ...matching, filter } };
            return table.update(entity, reader, changes as Partial<R>);
          },
        },
      ];
    });
  };

const aboutAssets = {
  area: 'assets',
  copyOf: ({ condition }: { condition: Copy }) => condition,
  assert: (_rule: unknown, filter: RuleFilter) => assertCondition(filter),
} as const;

/** All that may use a saved filter. */
const USES: readonly UsersIn[] = [
  rules('suppression_rule', suppressionRules, {
    area: 'findings',
    nameOf: ({ name }) => name,
    copyOf: ({ filter }) => filter,
    assert(rule, filter, caller) {
      if (rule.status === 'risk_accepted' && !mayAcceptRisks(caller))
        throw conflict('A rule that accepts risks uses the filter: an API key approves nothing, use an account.');
      return assertConditions({ ...rule, filter });
    },
    save: (context, rule, { filter, caller: { id, name } }) =>
      saveRule(context, context.table.changed<typeof rule, never>(rule, { filter, approver: { id, name } }), rule),
  }),
  rules('ticket_rule', ticketRules, {
    area: 'ticketing',
    nameOf: ({ name }) => name,
    copyOf: ({ filter }) => filter,
    assert: ({ opensFor }, filter) => assertRuleFilter(filteredBy(opensFor).fields, filter),
    save: (context, rule, { filter }) =>
      saveTicketRule(context, context.table.changed<typeof rule, never>(rule, { filter }), (batch, next) =>
        batch.update(ticketRules, rule, next),
      ),
  }),
  rules('asset_tag_rule', assetTagRules, {
    ...aboutAssets,
    nameOf: ({ name }) => name,
    save: (context, before, { filter: condition }) =>
      saveAssetRule(context, assetTagRules, {
        before,
        after: context.table.changed<typeof before, never>(before, { condition }),
      }),
  }),
  rules('application_rule', applicationRules, {
    ...aboutAssets,
    nameOf: ({ name }) => name,
    save: (context, before, { filter: condition }) =>
      saveAssetRule(context, applicationRules, {
        before,
        after: context.table.changed<typeof before, never>(before, { condition }),
      }),
  }),
  rules('application_exclusion', applicationExclusions, {
    ...aboutAssets,
    nameOf: ({ reason }) => reason,
    save: (context, before, { filter: condition }) =>
      saveExclusion(context, context.table.changed<typeof before, never>(before, { condition }), before),
  }),
  slaExceptions,
  scanPolicies,
  readers('webhook_endpoint', webhookEndpoints),
  readers('notification_subscription', subscriptions),
];

/** Rules are of the whole organization, also for a caller with a part. */
const usersOf = async (table: Table, filterIds: readonly string[]): Promise<User[]> =>
  (await Promise.all(USES.map((usersIn) => usersIn(withoutPart(table), filterIds)))).flat();

/** The filters with the rules that use them. */
export async function withUsers(table: Table, filters: readonly StoredSavedFilter[]): Promise<SavedFilter[]> {
  const ids = filters.map(({ id }) => id);
  // a part shows no rules
  const users = ids.length > 0 && !table.part ? await usersOf(table, ids) : [];
  return filters.map((filter) => ({
    ...filter,
    usedBy: users.filter(({ filterId }) => filterId === filter.id).map(({ shown }) => shown),
  }));
}

/** @throws conflict with the rules that use a filter */
export function assertUnused({ usedBy }: SavedFilter, what: string): void {
  if (usedBy.length === 0) return;
  const names = usedBy.map(({ type, id, name }) => `${name} (${type}${id === null ? '' : ` ${id}`})`).join(', ');
  throw conflict(`The filter cannot be ${what} while rules use it: ${names}.`);
}

/** @throws conflict where any rule uses the filter, without names */
export async function assertWithoutRules(table: Table, { id }: StoredSavedFilter): Promise<void> {
  if ((await usersOf(table, [id])).length > 0)
    throw conflict(
      'Rules use the filter: somebody whose role is for the whole organization changes it with the rules.',
    );
}

/** @throws conflict, validation_failed where the caller may not change the rules, or a rule cannot have the filter */
export async function assertFollowing(table: Table, caller: Caller, { id, filter }: StoredSavedFilter): Promise<void> {
  const users = await usersOf(table, [id]);
  if (!users.every(({ area }) => isAdmin(caller, area)))
    throw conflict('Only an administrator changes a filter that rules use: the rules change with it.');
  for (const user of users) await user.assert(filter, caller);
}

/** Brings the rules of a filter to its state, those that the caller may change, each with the task that a change of the rule starts. */
export async function follow(context: Context, caller: Caller, { id, filter }: StoredSavedFilter): Promise<void> {
  const users = await usersOf(context.table, [id]);
  const behind = users.filter(({ area, copy }) => isAdmin(caller, area) && !isDeepStrictEqual(copy, filter));
  for (const user of behind) await user.save(context, { filter, caller });
}
