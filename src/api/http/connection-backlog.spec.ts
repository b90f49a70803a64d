import { createServer, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { countAccepted, prioritizeAccepting } from './connection-backlog';

afterEach(() => jest.restoreAllMocks());

it.each([1, 160, 700])(
  'a new connection is read although others are accepted in each turn of %d ms',
  async (turnMs) => {
    let now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const server = createServer();
    prioritizeAccepting(server);
    const socket = new Socket();
    const resume = jest.spyOn(socket, 'resume');
    server.emit('connection', socket);
    for (const end = now + 5000; now < end && resume.mock.calls.length === 0; now += turnMs) {
      countAccepted();
      await turn();
    }
    expect(resume).toHaveBeenCalled();
    socket.destroy();
    // Without new connections, the last pause ends.
    await turn();
    await turn();
  },
);
