import { signUp as words } from '../../texts/sign-up.ts';

/** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

type Options = {
  sitekey: string;
  action: string;
  appearance: 'interaction-only';
  callback: (token: string) => void;
  'error-callback': () => void;
  'timeout-callback': () => void;
};
type Turnstile = { render: (place: HTMLElement, options: Options) => string; remove: (widget: string) => void };

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

/** The widget of Cloudflare judges the visitor, and asks for an act in this place where it is in doubt. @throws with what to do */
export async function passedTurnstile(place: HTMLElement, sitekey: string): Promise<string> {
  const turnstile = window.turnstile ?? (await load());
  let widget = '';
  const judged = new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(words.unsolved));
    widget = turnstile.render(place, {
      sitekey,
      action: 'signup',
      appearance: 'interaction-only',
      callback: resolve,
      'error-callback': fail,
      'timeout-callback': fail,
    });
  });
  return judged.finally(() => turnstile.remove(widget));
}

const load = (): Promise<Turnstile> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      script.remove();
      reject(new Error(words.notLoaded));
    };
    script.src = SCRIPT;
    script.onload = () => (window.turnstile ? resolve(window.turnstile) : fail());
    script.onerror = fail;
    document.head.append(script);
  });
