// Starts the page. Must not know what is on it.
import './quiet-zod.js';
import { render } from 'preact';
import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/figures.css';
import './playground.css';
import { App } from './app.js';
import { registerOffline } from './offline/register.js';

render(<App />, document.getElementById('app')!);
registerOffline();
