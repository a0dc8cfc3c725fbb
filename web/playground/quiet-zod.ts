// Tells the schema library not to try whether it may compile code: the page's Content-Security-Policy forbids it, and every try is
// reported. Must be imported before anything that reads a configuration.
import * as z from 'zod';

z.config({ jitless: true });
