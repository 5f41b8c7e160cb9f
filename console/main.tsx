import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/records.css';
import './style/drawer.css';
import './style/home.css';
import './style/forms.css';
import './style/guides.css';
import './style/print.css';
import { render } from 'preact';
import { resume } from './session.ts';
import { App } from './shell/app.tsx';
import { keepFocus } from './shell/keep-focus.ts';

render(<App />, document.body);
keepFocus();

void resume();

/** The link of a letter that is opened on a page of the console changes only the part behind `#`. */
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload();
});
