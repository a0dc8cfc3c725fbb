// A thread that runs islands: what `IslandHost` does, elsewhere. Must not know what islands do.
import type { Host, HostReply, HostRequest } from '../experiment/island-host.js';
import { shareTask } from '../threads/share-tasks.js';
import { Thread } from '../threads/thread.js';

function shareRequest(request: HostRequest): HostRequest {
  if (request.type !== 'begin') return request;
  return { ...request, tasks: request.tasks.map((tasks) => tasks?.map(shareTask)) };
}

export class ThreadHost implements Host {
  private readonly thread = new Thread<HostRequest, HostReply>(new URL('./island-thread.js', import.meta.url));

  call(request: HostRequest): Promise<HostReply> {
    return this.thread.call(shareRequest(request));
  }

  dispose(): void {
    this.thread.dispose();
  }
}
