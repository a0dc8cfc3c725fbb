// The dashboard's entry: its style sheets, and the page.
import { render } from 'preact';
import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/figures.css';
import './dashboard.css';
import { App } from './app.js';

render(<App />, document.getElementById('app')!);
