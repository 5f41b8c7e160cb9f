import { organizations } from '#shared/credentials/organization.ts';
import { applyTemplate } from '#shared/organizations/apply-template.ts';
import { newOrganization } from '#shared/organizations/new-organization.ts';
import { organizationTemplates } from '#shared/organizations/organization-template.ts';
import { summaryOf } from '#shared/organizations/summary.ts';
import { inviteUser } from '#shared/people/invite.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { maintenanceHandlers } from './maintenance-handlers.ts';
import type { organizationRoutes } from './routes.ts';
import { ofStatus, shown, shownInList } from './show.ts';
import { organizationTemplateHandlers } from './template-handlers.ts';
import { updateOrganization } from './update.ts';

type Routes = typeof organizationRoutes;

const shared = (table: Table): Table => inOrganization(table, GLOBAL_SCOPE);

const listed = ({ table, query: { status, ...range } }: Call<Routes['listOrganizations' | 'searchOrganizations']>) =>
  showPage(shared(table).list(organizations, { ...range, ...ofStatus(status) }), (found) => found.map(shownInList));

/** Clients whose figures are read at the same time. */
const AT_ONCE = 10;

const overview = ({ table, query: { status, ...range } }: Call<Routes['getOrganizationOverview']>) =>
  showPage(shared(table).list(organizations, { ...range, ...ofStatus(status) }), (found) =>
    eachAtOnce(found.map(shownInList), AT_ONCE, async ({ id, name, slug, status }) => ({
      id,
      name,
      slug,
      status,
      summary: await summaryOf(inOrganization(table, id)),
    })),
  );

async function createOrganization({ connections, table, body }: Call<Routes['createOrganization']>) {
  const { templateId, owner, ...given } = body;
  const template =
    templateId === undefined ? undefined : await shared(table).find(organizationTemplates, templateId, true);
  if (templateId !== undefined && !template)
    throw invalid('templateId', 'must be the id of a template of organizations');
  const about = { timeZone: 'UTC', locale: 'en', roles: [{ roleId: 'owner' as const }] };
  const invitation = { ...owner, ...about, organizationName: given.name, invitedBy: table.actor.name };
  const { organization } = await newOrganization(table, given, {
    email: owner.email,
    prepare: async (theirs) => (await import('#shared/notifications/defaults.ts')).giveSubscriptions(theirs),
    addOwner: (theirs, also) => inviteUser({ connections, table: theirs }, invitation, also),
    applyTemplate: template && ((theirs) => applyTemplate({ connections, table: theirs }, template)),
  });
  return shown(table, organization);
}

export const organizationHandlers: Handlers<Routes> = {
  ...maintenanceHandlers,
  ...organizationTemplateHandlers,
  listOrganizations: listed,
  searchOrganizations: listed,
  getOrganizationOverview: overview,
  getOrganization: async ({ table, params }) => shown(table, await shared(table).get(organizations, params.id)),
  createOrganization,
  updateOrganization,
};
