import { texts } from '../texts.ts';

/** The inbox of the person, as a screen. */
export const INBOX = {
  path: '/inbox',
  title: texts.screens.inbox,
  icon: 'bell',
  group: 'first',
  load: () => import('../screens/notifications/inbox.tsx'),
} as const;
