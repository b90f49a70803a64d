import fc from 'fast-check';
import { PartCounter } from './parts';

const BODY = '--b\r\nA: 1\r\n\r\nx\r\n--b\r\n\r\n--b\r\ny--b\r\n--b2\r\n--b--\r\n\r\n--b\r\nafter';

it('counts delimiters up to the final one, regardless of how the bytes are split into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: BODY.length })), (cuts) => {
      const counter = new PartCounter('multipart/form-data; boundary="b"');
      const places = [0, ...[...cuts].sort((one, other) => one - other), BODY.length];
      places.slice(1).forEach((to, at) => {
        counter.see(Buffer.from(BODY.slice(places[at], to)));
      });
      expect(counter.count).toBe(3);
    }),
  );
});
