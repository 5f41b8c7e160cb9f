import type { Handlers } from '#shared/http/route.ts';
import { tallyCounts } from '#shared/http/value-counts.ts';
import { BILLING } from '#shared/integrations/deliveries.ts';
import { deliveryCounts } from '#shared/integrations/delivery-counts.ts';
import { listDeliveries } from '#shared/integrations/delivery-list.ts';
import { replay } from '#shared/integrations/replay.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { inOrganization } from '#shared/table/table.ts';
import { billingOf } from './billing-of.ts';
import { BillingDelivery, type billingRoutes } from './routes.ts';

/** Events belong to no organization: they lie in the global scope. */
export const billingHandlers: Handlers<typeof billingRoutes> = {
  getBilling: ({ table }) => billingOf(table),
  listBillingDeliveries: ({ table, query }) =>
    listDeliveries({ table: inOrganization(table, GLOBAL_SCOPE), integrationId: BILLING, as: BillingDelivery }, query),
  async countBillingDeliveries({ table }) {
    const counts = await inOrganization(table, GLOBAL_SCOPE).rows(deliveryCounts).find({ integrationId: BILLING });
    return tallyCounts(
      Object.entries(counts ?? {}).map(([value, n]) => ({ value, counts: { n } })),
      (event) => event ?? '',
    );
  },
  replayBillingDelivery: ({ connections, table, params: { deliveryId } }) =>
    replay({ connections, table: inOrganization(table, GLOBAL_SCOPE) }, { integrationId: BILLING, deliveryId }),
};
