import { Tabs } from '../../parts/tabs.tsx';
import { calendar } from '../../texts/engagement-form.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/engagements', title: texts.screens.engagements },
  { path: '/calendar', title: texts.screens.calendar },
];

export const Views = () => <Tabs label={calendar.views} tabs={VIEWS} />;
