import { effect } from '@preact/signals';
import { Redirect, Route, Switch } from 'wouter-preact';
import { forgetAnswers } from '../api/question.ts';
import { Toasts } from '../parts/toasts.tsx';
import { Device } from '../screens/device/device.tsx';
import { UploadsDialog } from '../screens/imports/uploads-dialog.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { role, session } from '../session.ts';
import { acting, isStaff } from '../staff.ts';
import { texts } from '../texts.ts';
import { readMe, zone } from '../zone.ts';
import { ActingBanner } from './acting-banner.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { Keys } from './keys.tsx';
import { Lazy, loadWhenIdle, Missing } from './lazy.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { SCREENS, screensOf } from './screens.ts';

effect(() => {
  if (session.value !== 'out') return;
  acting.value = undefined;
  forgetAnswers();
});

effect(() => {
  if (session.value === 'in') void loadWhenIdle(screensOf(role.value));
});

/** The staff of the provider are no people of an organization. Without an answer, the zone is that of the device. */
effect(() => {
  if (session.value === 'in' && !isStaff(role.peek())) void readMe().catch(() => undefined);
});

export function App() {
  if (session.value === 'unknown') return null;
  if (session.value === 'out') return <SignIn />;
  return (
    // another organization has no record of this one, and a form in another zone means other times
    <div class="shell" key={`${acting.value?.name} ${zone.value}`}>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Navigation />
      <main id="content" class="content" tabIndex={-1}>
        <ActingBanner />
        <Switch>
          {isStaff(role.value) && (
            <Route path="/">
              <Redirect to="/organizations" />
            </Route>
          )}
          {SCREENS.map((screen) => (
            <Route key={screen.path} path={screen.path}>
              <Lazy key={screen.path} screen={screen} part="List" />
            </Route>
          ))}
          {SCREENS.map((screen) => (
            <Route key={screen.path} path={`${screen.path}/:id`}>
              <Lazy key={screen.path} screen={screen} part="Page" />
            </Route>
          ))}
          <Route path="/import">
            <Redirect to="/imports" />
          </Route>
          <Route path="/device" component={Device} />
          <Route component={Missing} />
        </Switch>
      </main>
      <DropAnywhere />
      <UploadsDialog />
      <Palette />
      <Keys />
      <Toasts />
    </div>
  );
}
