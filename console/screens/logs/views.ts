import { texts } from '../../texts.ts';

/** The two pages of logs. */
export const VIEWS = [
  { path: '/logs', title: texts.screens.logs },
  { path: '/log-sources', title: texts.screens.logSources },
];
