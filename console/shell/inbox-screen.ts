import { texts } from '../texts.ts';
import type { Screen } from './screens.ts';

/** The inbox of the person. */
export const INBOX: Screen = {
  path: '/inbox',
  title: texts.screens.inbox,
  icon: 'bell',
  group: 'first',
  load: () => import('../screens/notifications/inbox.tsx'),
};
