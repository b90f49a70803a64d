import { int, list, ref, resource, str } from '../../../src/api/resources/resource';

/** A shape with a member for each combination of tiers (specification section 2.7). */
const Inner = resource('ProbeInner', {
  everybody: { type: str() },
  advanced: { type: str(), tiers: 'AP' },
});
export const Tiered = resource('ProbeTiered', {
  BAP: { type: str() },
  AP: { type: str(), tiers: 'AP' },
  BA: { type: str(), tiers: 'BA' },
  A: { type: str(), tiers: 'A' },
  P: { type: str(), tiers: 'P' },
  inner: { type: list(ref(Inner)) },
});

export const TIERED_ROW = {
  BAP: '1',
  AP: '1',
  BA: '1',
  A: '1',
  P: '1',
  inner: [{ everybody: '1', advanced: '1' }],
};

export const Item = resource('ProbeItem', { number: { type: int() }, name: { type: str() } });

/** A shape that cannot be written. */
export const Broken = resource('ProbeBroken', {
  member: {
    type: str(),
    from: () => {
      throw new Error('the secret of the serializer');
    },
  },
});
