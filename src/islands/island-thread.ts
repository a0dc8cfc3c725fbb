// What a thread of islands runs. The other end is thread-host.ts.
import { IslandHost } from '../experiment/island-host.js';
import { serveRequests } from '../threads/serve-requests.js';

const host = new IslandHost();
serveRequests(host.call.bind(host));
