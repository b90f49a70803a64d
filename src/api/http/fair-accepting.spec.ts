import { type AcceptedHandle } from './accept-queue';
import { acceptedConnections } from './connection-backlog';
import { queueAccepted, type ListeningHandle } from './fair-accepting';

const aHandle = (): AcceptedHandle => ({
  getpeername: (to) => {
    to.address = '127.0.0.1';
    return 0;
  },
  close: () => undefined,
});

it('a connection counts as accepted before the server takes it', () => {
  const listening: ListeningHandle = {
    onconnection: () => undefined,
    close: () => undefined,
  };
  const queue = queueAccepted(listening, {});
  const before = acceptedConnections();
  for (const handle of [aHandle(), aHandle(), aHandle()]) listening.onconnection(0, handle);
  expect(acceptedConnections() - before).toBe(3);
  queue.close();
});
