import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';

const OVERSCAN = 10;
/** The names of the columns stay at the top, and move the rows down. */
const HEAD_HEIGHT = 34;

type VirtualRows = { count: number; rowHeight: number; scroller: { current: HTMLDivElement | null } };

/** The rows in view of a list of any length. */
export function useVirtualRows({ count, rowHeight, scroller }: VirtualRows) {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const options = {
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollPaddingEnd: HEAD_HEIGHT,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return virtualizer;
}
