import { texts } from '../texts.ts';

const { screens: titles } = texts;

/** The screens of the provider's staff, who have no others. */
export const STAFF_SCREENS = [
  {
    path: '/organizations',
    title: titles.clients,
    icon: 'layers',
    group: 'first',
    isOnPhone: true,
    load: () => import('../screens/clients/clients.tsx'),
  },
  {
    path: '/organization-templates',
    title: titles.templates,
    icon: 'clipboard',
    under: '/organizations',
    load: () => import('../screens/clients/templates.tsx'),
  },
  {
    path: '/public-scanners',
    title: titles.publicScanners,
    icon: 'scanner',
    group: 'scan',
    load: () => import('../screens/provider/public-scanners.tsx'),
  },
  {
    path: '/public-scanner-groups',
    title: titles.publicGroups,
    icon: 'layers',
    under: '/public-scanners',
    load: () => import('../screens/provider/public-groups.tsx'),
  },
  {
    path: '/public-appliances',
    title: titles.publicAppliances,
    icon: 'target',
    under: '/public-scanners',
    load: () => import('../screens/provider/public-appliances.tsx'),
  },
  {
    path: '/payments',
    title: titles.payments,
    icon: 'clipboard',
    group: 'organization',
    load: () => import('../screens/provider/payments.tsx'),
  },
  {
    path: '/sales-requests',
    title: titles.sales,
    icon: 'people',
    group: 'organization',
    load: () => import('../screens/provider/sales.tsx'),
  },
] as const;
