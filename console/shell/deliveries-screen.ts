import { texts } from '../texts.ts';

/** The ledger of deliveries, as a screen. */
export const DELIVERIES = {
  path: '/deliveries',
  title: texts.screens.deliveries,
  icon: 'out',
  under: '/integrations',
  load: () => import('../screens/deliveries/deliveries.tsx'),
} as const;
