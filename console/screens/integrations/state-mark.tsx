import { integrations as words } from '../../texts/integrations.ts';
import { needsSomebody, type State } from './connections.ts';

/** A connection that works is green, and one that needs somebody is red. */
export const StateMark = ({ state }: { state: State }) => {
  const tone = needsSomebody({ state }) ? 'status-failed' : state === 'disabled' ? '' : 'status-online';
  return <span class={`status ${tone}`}>{words.states[state]}</span>;
};
