import type { AppliedTemplate } from '#shared/credentials/organization.ts';
import { assetTagRules, type StoredTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { assertCondition } from '#shared/exposure/asset-rules/condition.ts';
import { saveRule as saveTagRule } from '#shared/exposure/asset-rules/save.ts';
import { changePolicies } from '#shared/findings/bulk/change-policies.ts';
import { assertExceptions } from '#shared/findings/sla/sla-policies.ts';
import { saveRule } from '#shared/findings/suppression/save.ts';
import { assertConditions } from '#shared/findings/suppression/stored.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { readMatching } from '#shared/platform/filter/read.ts';
import { savedFilters } from '#shared/platform/filter/saved-filter.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { changeSettings } from './change-settings.ts';
import { collections } from './filtered.ts';
import type { OrganizationTemplate } from './organization-template.ts';

type Parts = Pick<OrganizationTemplate, 'slaPolicies' | 'suppressionRules' | 'assetTagRules' | 'savedFilters'>;

/** The checks of the operations that create the parts. @throws validation_failed that names the part */
export async function assertTemplate(parts: Parts, caller: Caller): Promise<void> {
  const exceptions = parts.slaPolicies?.exceptions ?? [];
  const named = exceptions.findIndex(({ filterId }) => filterId != null);
  if (named >= 0)
    throw invalid(
      `slaPolicies.exceptions.${named}.filterId`,
      'must be left out: a template knows no saved filter of an organization',
    );
  await assertExceptions({ exceptions }, 'slaPolicies.');
  for (const [n, rule] of parts.suppressionRules.entries()) await assertConditions(rule, `suppressionRules.${n}.`);
  for (const { condition } of parts.assetTagRules) await assertCondition(condition);
  for (const { entity, filter } of parts.savedFilters)
    await readMatching({ caller }, { entity, ...collections[entity] }, filter);
}

/** Gives a new organization the parts of a template, in at most some hundred writes. @returns the parts that it has now */
export async function applyTemplate(context: Context, template: OrganizationTemplate): Promise<AppliedTemplate> {
  const { settings, slaPolicies } = template;
  await changeSettings(context.table, settings);
  if (slaPolicies) await changePolicies(context, { patch: slaPolicies, ifMatch: undefined });
  return {
    templateId: template.id,
    name: template.name,
    version: template.version,
    settings: Object.keys(settings),
    slaPolicies: slaPolicies !== null,
    suppressionRules: await eachMade(template.suppressionRules, (rule) => makeRule(context, rule)),
    assetTagRules: await eachMade(template.assetTagRules, (rule) => makeTagRule(context, rule)),
    savedFilters: await eachMade(template.savedFilters, (filter) =>
      context.table.create(savedFilters, { ...filter, visibility: 'shared' }),
    ),
  };
}

async function makeRule(
  context: Context,
  rule: OrganizationTemplate['suppressionRules'][number],
): Promise<SuppressionRule> {
  const { table } = context;
  const [id = ''] = await table.reserve(suppressionRules, 1);
  const { id: approverId, name } = table.actor;
  const draft = { ...rule, filterId: null, expiresAt: null, id, approver: { id: approverId, name }, taskId: id };
  return saveRule(context, table.stamp<SuppressionRule>(draft));
}

async function makeTagRule(
  context: Context,
  rule: OrganizationTemplate['assetTagRules'][number],
): Promise<StoredTagRule> {
  const [id = ''] = await context.table.reserve(assetTagRules, 1);
  return saveTagRule(context, assetTagRules, {
    after: context.table.stamp<StoredTagRule>({ ...rule, id, taskId: id }),
  });
}

/** One after the other, in the order of the template. */
async function eachMade<T>(parts: readonly T[], make: (part: T) => Promise<{ id: string; name: string }>) {
  const made: { id: string; name: string }[] = [];
  for (const part of parts) {
    const { id, name } = await make(part);
    made.push({ id, name });
  }
  return made;
}
