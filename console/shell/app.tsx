import { effect } from '@preact/signals';
import { Route, Switch } from 'wouter-preact';
import { forgetAnswers } from '../api/question.ts';
import { Empty } from '../parts/states.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { Assets } from '../screens/assets/assets.tsx';
import { Findings } from '../screens/findings/findings.tsx';
import { Home } from '../screens/home/home.tsx';
import { Imports } from '../screens/imports/imports.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { Vulnerabilities } from '../screens/vulnerabilities/vulnerabilities.tsx';
import { session } from '../session.ts';
import { texts } from '../texts.ts';
import { DropAnywhere } from './drop-anywhere.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';

effect(() => {
  if (session.value === 'out') forgetAnswers();
});

export function App() {
  if (session.value === 'unknown') return null;
  if (session.value === 'out') return <SignIn />;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Navigation />
      <main id="content" class="content" tabIndex={-1}>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/findings" component={Findings} />
          <Route path="/vulnerabilities" component={Vulnerabilities} />
          <Route path="/assets" component={Assets} />
          <Route path="/imports" component={Imports} />
          <Route>
            <Empty icon="search" title={texts.screens.missing} hint={texts.screens.missingHint} />
          </Route>
        </Switch>
      </main>
      <DropAnywhere />
      <Palette />
      <Toasts />
    </div>
  );
}
