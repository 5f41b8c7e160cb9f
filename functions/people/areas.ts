import type { Areas } from '../area.ts';

export const peopleAreas = {} satisfies Areas;
