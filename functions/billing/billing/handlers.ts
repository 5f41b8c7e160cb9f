import { BILLING } from '#shared/code/integrations/deliveries.ts';
import { countsOf } from '#shared/code/integrations/delivery-counts.ts';
import { listDeliveries } from '#shared/code/integrations/delivery-list.ts';
import { replay } from '#shared/code/integrations/replay.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { billingOf } from './billing-of.ts';
import { invoicesOf } from './customers.ts';
import { openPortal, startCheckout } from './pages.ts';
import { offeredPlans } from './plans.ts';
import { BillingDelivery, type billingRoutes } from './routes.ts';

/** Events belong to no organization: their key scope is global. */
export const billingHandlers: Handlers<typeof billingRoutes> = {
  getBilling: ({ connections, table }) => billingOf({ connections, table }),
  listBillingInvoices: async ({ table, query }) => pageOfArray(await invoicesOf(table), query),
  listBillingPlans: async ({ connections }) =>
    (await offeredPlans(connections)).map(({ price: _price, ...plan }) => plan),
  startBillingCheckout: ({ connections, table, body }) => startCheckout({ connections, table }, body),
  openBillingPortal: ({ connections, table }) => openPortal({ connections, table }),
  listBillingDeliveries: ({ table, query }) =>
    listDeliveries({ table: inOrganization(table, GLOBAL_SCOPE), integrationId: BILLING, as: BillingDelivery }, query),
  countBillingDeliveries: ({ table }) => countsOf(inOrganization(table, GLOBAL_SCOPE), BILLING),
  replayBillingDelivery: ({ connections, table, params: { deliveryId } }) =>
    replay({ connections, table: inOrganization(table, GLOBAL_SCOPE) }, { integrationId: BILLING, deliveryId }),
};
