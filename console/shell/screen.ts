import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import type { texts } from '../texts.ts';

/** The page of a screen, and that of one of its records at `/path/:id`; `ahead` asks for what the page shows first. */
export type ScreenParts = { List: ComponentType; Page?: ComponentType; ahead?: () => void };

export type Screen = {
  path: string;
  title: string;
  icon: IconName;
  /** Its part of the navigation; a screen without one is a view of another, which is marked for it. */
  group?: keyof typeof texts.groups;
  under?: string;
  /** At the bottom of a phone; the others are behind "More". */
  isOnPhone?: true;
  load: () => Promise<{ parts: ScreenParts }>;
};
