/**
 * The focus stays where the person works. A button that its own press removes or turns off would leave it nowhere, and the next key
 * would begin at the top of the page: the focus goes to the dialog or list around it, and back to a button that is on again.
 */
export function keepFocus(): void {
  let last: { element: HTMLElement; home: Element | null } | undefined;
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) last = { element: target, home: target.closest('dialog') };
  };
  // a person who points at nothing wants no focus
  const onPointer = () => {
    last = undefined;
  };
  const look = () => {
    if (!last || (document.activeElement ?? document.body) !== document.body) return;
    const { element, home } = last;
    if (element.isConnected) return element.focus({ preventScroll: true });
    const places = [home, document.querySelector('main [role=grid]'), document.querySelector('main')];
    const place = places.find((one) => one?.isConnected);
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  addEventListener('focusin', onFocus);
  addEventListener('pointerdown', onPointer, true);
}
